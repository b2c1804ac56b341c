import { type Language, languages } from '../../model/languages.ts';

/** Norwegian is written in two ways, and systems name it by either or by both; we write the first. */
const norwegian = new Set(['no', 'nn']);

/** The window's language for a system's locale (BCP 47); null when it speaks none that fits. */
export function languageOf(locale: string): Language | null {
  const named = locale.split(/[-_]/, 1)[0]?.toLowerCase() ?? '';
  const written = norwegian.has(named) ? 'nb' : named;
  return languages.find((language) => language === written) ?? null;
}
