import { type Language, languages } from '../../model/languages.ts';

/** Norwegian has two written forms, and systems name either or both; the window uses Bokmål. */
const norwegian = new Set(['no', 'nn']);

/** The window's language for a system's locale (BCP 47); null if it is not supported. */
export function languageOf(locale: string): Language | null {
  const named = locale.split(/[-_]/, 1)[0]?.toLowerCase() ?? '';
  const written = norwegian.has(named) ? 'nb' : named;
  return languages.find((language) => language === written) ?? null;
}
