import { type Language, languages } from '../../model/languages.ts';

/** Codes of Norwegian and Nynorsk, for which the window uses Bokmål; systems name any of them. */
const norwegianCodes = new Set(['no', 'nn']);

/** Language of the window for a system's locale (BCP 47); null if it is not supported. */
export function languageOf(locale: string): Language | null {
  const named = locale.split(/[-_]/, 1)[0]?.toLowerCase() ?? '';
  const written = norwegianCodes.has(named) ? 'nb' : named;
  return languages.find((language) => language === written) ?? null;
}
