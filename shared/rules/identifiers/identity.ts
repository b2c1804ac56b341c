import { hasLineBreak, cleanText } from '../text/clean-text.ts';
import type { Day } from '../time/days.ts';
import { validateDanish } from './identity-denmark.ts';
import { validateFinnish } from './identity-finland.ts';
import { validateNorwegian } from './identity-norway.ts';
import { validateSwedish } from './identity-sweden.ts';
import { validResult, type ValidationResult, invalidResult } from '../text/verdict.ts';

/**
 * Validates the personal number of a party of API v1 (`personNumber`, and the `identifier` of
 * `EID`), by the party's country (ISO 3166-1 alpha-2). A Swedish number needs the century, so an
 * open century is wrong. Numbers of countries whose format is not known are sent unchanged.
 */
export function validatePersonNumberV1(
  text: string,
  country: string | undefined,
  today: Day,
): ValidationResult {
  if (country === undefined || country === '')
    return invalidResult(cleanText(text), 'country-needed');
  const judged = validateIdentity(text, country, today);
  return country === 'SE' && isCenturyAmbiguous(judged)
    ? invalidResult(judged.value, 'century')
    : judged;
}

/**
 * Validates the `personNo` of API v2: twelve digits, or ten if the century is open and the user
 * accepted that. The service does not support `+`, so the value never has it.
 */
export function validatePersonNoV2(text: string, today: Day): ValidationResult {
  return validateSwedish(text, today);
}

/**
 * Key of a person for finding duplicates; null if the number is wrong or may belong to two people.
 * The key has everything that could distinguish two people.
 */
export function personKey(text: string, country: string, today: Day): string | null {
  const judged = validateIdentity(text, country, today);
  if (judged.verdict === 'wrong' || isCenturyAmbiguous(judged)) return null;
  return `${country}:${judged.value}`;
}

function validateIdentity(text: string, country: string, today: Day): ValidationResult {
  switch (country) {
    case 'SE':
      return validateSwedish(text, today);
    case 'FI':
      return validateFinnish(text, today);
    case 'NO':
      return validateNorwegian(text, today);
    case 'DK':
      return validateDanish(text, today);
    default:
      return validateForeign(text);
  }
}

function validateForeign(text: string): ValidationResult {
  const value = cleanText(text);
  if (value === '') return invalidResult(value, 'empty');
  return hasLineBreak(value) ? invalidResult(value, 'line-break') : validResult(value);
}

/** Whether two people, born a hundred years apart, may have these ten digits. */
function isCenturyAmbiguous(judged: ValidationResult): boolean {
  return judged.verdict === 'suspicious' && judged.why === 'century';
}
