/**
 * Languages of the window, in the order of their names. The service has notifications in each of
 * these languages (API v1, "Conventions").
 */
export const languages = [
  'da',
  'de',
  'en',
  'es',
  'fr',
  'it',
  'nl',
  'nb',
  'pl',
  'fi',
  'sv',
] as const;
export type Language = (typeof languages)[number];

/** Name of each language in the language itself, so that its speakers can read it. */
export const languageNames: Readonly<Record<Language, string>> = {
  da: 'Dansk',
  de: 'Deutsch',
  en: 'English',
  es: 'Español',
  fr: 'Français',
  it: 'Italiano',
  nl: 'Nederlands',
  nb: 'Norsk bokmål',
  pl: 'Polski',
  fi: 'Suomi',
  sv: 'Svenska',
};
