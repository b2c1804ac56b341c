import * as z from 'zod';

/**
 * The languages of the window, in the order of their names; each is one that the service writes to
 * people in (API v1, "Conventions").
 */
export const Language = z.enum(['en', 'fr', 'pl', 'fi', 'sv']);
export type Language = z.infer<typeof Language>;

/** Each language in its own words, so that whoever looks for it can read it. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  fr: 'Français',
  pl: 'Polski',
  fi: 'Suomi',
  sv: 'Svenska',
};
