import { type Language, languages } from '../../model/languages.ts';

/** The window's language for a system's locale (BCP 47); null when it speaks none that fits. */
export function languageOf(locale: string): Language | null {
  const written = locale.split(/[-_]/, 1)[0]?.toLowerCase() ?? '';
  return languages.find((language) => language === written) ?? null;
}
