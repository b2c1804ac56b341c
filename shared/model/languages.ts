/**
 * The languages of the window, in the order of their names; each is one that the service writes to
 * people in (API v1, "Conventions").
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

/** Each language in its own words, so that whoever looks for it can read it. */
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
