import { localesV1 } from '../../model/agreement-v1.ts';
import { cleanText } from './clean-text.ts';
import { fine, suspicious, type ValidationResult, wrong } from './verdict.ts';

/** The two letters people write for Norwegian, where the list has Bokmål. */
const NORWEGIAN = /^no(?=_|$)/;

/**
 * A notification language (API v1, "Conventions"); `value` is one of the eleven, as `sv_SE`. The
 * service falls back silently for any other, so any other is wrong; a language alone is a doubt.
 */
export function validateLocale(text: string): ValidationResult {
  const cleaned = cleanText(text);
  if (cleaned === '') return wrong('', 'empty');
  const written = cleaned.replace('-', '_').toLowerCase();
  const same = localesV1.find((locale) => locale.toLowerCase() === written);
  if (same !== undefined) return fine(same);
  const language = written.replace(NORWEGIAN, 'nb');
  const meant = localesV1.find(
    (locale) => locale.toLowerCase() === language || locale.startsWith(`${language}_`),
  );
  return meant === undefined ? wrong(cleaned, 'unknown') : suspicious(meant, 'region-assumed');
}

/** `sv_SE` as `Intl` wants it; it throws on underscores. */
export function toIntlLocale(locale: string): string {
  return locale.replaceAll('_', '-');
}
