import { cleanText, isShortened } from '../text/clean-text.ts';
import type { Day } from '../time/days.ts';
import { hasLuhnDigit, validateSwedish } from './identity-sweden.ts';
import { fine, suspicious, type ValidationResult, wrong } from '../text/verdict.ts';

/*
 * | Rule                                               | Source                                  |
 * | -------------------------------------------------- | --------------------------------------- |
 * | ten digits, the last by Luhn, the third at least 2 | Skatteverket, organisationsnummer       |
 * | twelve digits begin with 16                        | Skatteverket, organisationsnummer       |
 * | VAT number: SE, ten digits, 01                     | Skatteverket, momsregistreringsnummer   |
 * | a sole trader's is the owner's personal number     | Bolagsverket, enskild näringsverksamhet |
 */

const TEN = /^\d{6}-?\d{4}$/;
const WITH_PREFIX = /^16(\d{6}-?\d{4})$/;
const VAT = /^SE ?(\d{6}-?\d{4})01$/i;
const PERSONAL_NUMBER_PATTERN = /^(?:19|20)\d{6}[-+]?\d{4}$/;

/**
 * Validates a Swedish organisation number; `value` has ten digits, as for `orgNo` of API v2. The
 * prefix 16 and the VAT format are removed, with a warning. A sole trader's number is a personal
 * number: it is suspicious, and must be shown masked.
 */
export function validateOrganisationNumber(text: string, today: Day): ValidationResult {
  const cleaned = cleanText(text).replaceAll(' ', '');
  const longer = WITH_PREFIX.exec(cleaned) ?? VAT.exec(cleaned);
  const value = (longer?.[1] ?? cleaned).replace('-', '');
  if (longer === null && !TEN.test(cleaned)) {
    if (PERSONAL_NUMBER_PATTERN.test(cleaned)) return validateSoleTrader(cleaned, today);
    return wrong(cleaned, isShortened(cleaned) ? 'spreadsheet' : 'form');
  }
  if (isOfPerson(value)) {
    return cleaned.startsWith('16') && longer !== null
      ? wrong(value, 'no-organisation')
      : validateSoleTrader(value, today);
  }
  if (!hasLuhnDigit(value)) return suspicious(value, 'check-digit');
  return longer === null ? fine(value) : suspicious(value, 'prefix-removed');
}

/** Formats ten digits with a hyphen before the last four. */
export function printOrganisationNumber(tenDigits: string): string {
  return `${tenDigits.slice(0, 6)}-${tenDigits.slice(6)}`;
}

/**
 * Whether ten digits are a personal number: the third digit of an organisation is at least 2.
 * @internal
 */
export function isOfPerson(tenDigits: string): boolean {
  return Number(tenDigits[2]) < 2;
}

function validateSoleTrader(text: string, today: Day): ValidationResult {
  const owner = validateSwedish(text, today);
  const value = owner.value.replace(/[-+]/, '').slice(-10);
  if (owner.verdict === 'wrong') return wrong(value, 'no-organisation');
  const isTypo = owner.verdict === 'suspicious' && owner.why === 'check-digit';
  return suspicious(value, isTypo ? 'check-digit' : 'sole-trader');
}
