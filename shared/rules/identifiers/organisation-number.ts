import { cleanText, isShortened } from '../text/clean-text.ts';
import type { Day } from '../time/days.ts';
import { hasLuhnDigit, validateSwedish } from './identity-sweden.ts';
import {
  validResult,
  suspiciousResult,
  type ValidationResult,
  invalidResult,
} from '../text/verdict.ts';

/*
 * | Rule                                               | Source                                  |
 * | -------------------------------------------------- | --------------------------------------- |
 * | ten digits, the last by Luhn, the third at least 2 | Skatteverket, organisationsnummer       |
 * | twelve digits begin with 16                        | Skatteverket, organisationsnummer       |
 * | VAT number: SE, ten digits, 01                     | Skatteverket, momsregistreringsnummer   |
 * | a sole trader's is the owner's personal number     | Bolagsverket, enskild näringsverksamhet |
 */

const TEN_DIGITS_PATTERN = /^\d{6}-?\d{4}$/;
const PREFIXED_NUMBER_PATTERN = /^16(\d{6}-?\d{4})$/;
const VAT_NUMBER_PATTERN = /^SE ?(\d{6}-?\d{4})01$/i;
const PERSONAL_NUMBER_PATTERN = /^(?:19|20)\d{6}[-+]?\d{4}$/;

/**
 * Validates a Swedish organisation number; `value` has ten digits, as for `orgNo` of API v2. The
 * prefix 16 and the VAT format are removed, with a warning. A sole trader's number is a personal
 * number: it is suspicious, and must be shown masked.
 */
export function validateOrganisationNumber(text: string, today: Day): ValidationResult {
  const cleaned = cleanText(text).replaceAll(' ', '');
  const longer = PREFIXED_NUMBER_PATTERN.exec(cleaned) ?? VAT_NUMBER_PATTERN.exec(cleaned);
  const value = (longer?.[1] ?? cleaned).replace('-', '');
  if (longer === null && !TEN_DIGITS_PATTERN.test(cleaned)) {
    if (PERSONAL_NUMBER_PATTERN.test(cleaned)) return validateSoleTrader(cleaned, today);
    return invalidResult(cleaned, isShortened(cleaned) ? 'spreadsheet' : 'form');
  }
  if (isNumberOfPerson(value)) {
    return cleaned.startsWith('16') && longer !== null
      ? invalidResult(value, 'no-organisation')
      : validateSoleTrader(value, today);
  }
  if (!hasLuhnDigit(value)) return suspiciousResult(value, 'check-digit');
  return longer === null ? validResult(value) : suspiciousResult(value, 'prefix-removed');
}

/**
 * Whether two texts are the number of the same organisation: the hyphen, spaces, the prefix 16 and
 * the VAT format make no difference, and neither does the century of a sole trader's number.
 */
export function isSameOrganisation(one: string | null | undefined, other: string): boolean {
  return one !== null && one !== undefined && comparable(one) === comparable(other);
}

function comparable(text: string): string {
  const cleaned = cleanText(text).replaceAll(' ', '');
  const longer = PREFIXED_NUMBER_PATTERN.exec(cleaned) ?? VAT_NUMBER_PATTERN.exec(cleaned);
  const digits = (longer?.[1] ?? cleaned).replaceAll(/[-+]/g, '');
  return PERSONAL_NUMBER_PATTERN.test(cleaned) ? digits.slice(-10) : digits;
}

/** Formats ten digits with a hyphen before the last four. */
export function formatOrganisationNumber(tenDigits: string): string {
  return `${tenDigits.slice(0, 6)}-${tenDigits.slice(6)}`;
}

/**
 * Whether ten digits are a personal number: the third digit of an organisation is at least 2.
 * @internal
 */
export function isNumberOfPerson(tenDigits: string): boolean {
  return Number(tenDigits[2]) < 2;
}

function validateSoleTrader(text: string, today: Day): ValidationResult {
  const owner = validateSwedish(text, today);
  const value = owner.value.replace(/[-+]/, '').slice(-10);
  if (owner.verdict === 'wrong') return invalidResult(value, 'no-organisation');
  const isTypo = owner.verdict === 'suspicious' && owner.why === 'check-digit';
  return suspiciousResult(value, isTypo ? 'check-digit' : 'sole-trader');
}
