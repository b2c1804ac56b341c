import { localesV1 } from '../../model/agreement-v1.ts';
import { cleanText } from './clean-text.ts';
import { validResult, suspiciousResult, type ValidationResult, invalidResult } from './verdict.ts';

/** Common code for Norwegian; the API's list has only Bokmål (`nb`). */
const NORWEGIAN_PREFIX_PATTERN = /^no(?=_|$)/;

/**
 * Validates a notification language (API v1, "Conventions"); `value` is one of eleven locales, such
 * as `sv_SE`. Any other locale is wrong, because the service silently replaces it. A language
 * without a country is suspicious.
 */
export function validateLocale(text: string): ValidationResult {
  const cleaned = cleanText(text);
  if (cleaned === '') return invalidResult('', 'empty');
  const written = cleaned.replace('-', '_').toLowerCase();
  const same = localesV1.find((locale) => locale.toLowerCase() === written);
  if (same !== undefined) return validResult(same);
  const language = written.replace(NORWEGIAN_PREFIX_PATTERN, 'nb');
  const meant = localesV1.find(
    (locale) => locale.toLowerCase() === language || locale.startsWith(`${language}_`),
  );
  return meant === undefined
    ? invalidResult(cleaned, 'unknown')
    : suspiciousResult(meant, 'region-assumed');
}

/** Converts a locale such as `sv_SE` to the format of `Intl`, which throws on underscores. */
export function toIntlLocale(locale: string): string {
  return locale.replaceAll('_', '-');
}
