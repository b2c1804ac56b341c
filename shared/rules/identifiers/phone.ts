import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { cleanText, isShortened } from '../text/clean-text.ts';
import {
  validResult,
  suspiciousResult,
  type ValidationResult,
  type ValidationReason,
  invalidResult,
} from '../text/verdict.ts';
import { EXCESS_COMBINING_MARKS } from '../text/long-marks.ts';

/*
 * The two APIs write the same number differently: v1 `+46701234567`, v2 `+46 701234567`. The `max`
 * data is used because the smaller sets accept Swedish mobiles that are a digit short.
 */

/** Text that may be a phone number; letters, commas and slashes are not allowed. */
const WRITTEN_PHONE_PATTERN = /^[+(\d][\d ().-]*$/;
const COUNTRY_CODE_PATTERN = /^(?:\+|00)/;
const BRACKETED_ZERO_PATTERN = /\(0\)/;
/** Mobile number with one space after the country code (API v2, "Party"). */
const SPACED_MOBILE_PATTERN = /^\+([1-9]\d{0,2}) (\d{4,12})$/;

/**
 * Validates a mobile number in any format; `value` is E.164 (API v1, "Phone numbers"). `country`
 * (ISO 3166-1 alpha-2) is used if the text has no country code, and never guessed.
 */
export function validateMobile(text: string, country?: string): ValidationResult {
  const cleaned = cleanText(text.replaceAll(EXCESS_COMBINING_MARKS, '').normalize('NFKC'));
  const phone = parsePhone(cleaned, country);
  if (phone === null || !phone.isPossible())
    return invalidResult(cleaned, phoneProblem(cleaned, country));
  if (phone.ext !== undefined) return invalidResult(cleaned, 'extension');
  if (!WRITTEN_PHONE_PATTERN.test(cleaned)) return invalidResult(cleaned, 'form');
  if (!phone.isValid()) return suspiciousResult(phone.number, 'unassigned');
  const type = phone.getType();
  if (type === 'FIXED_LINE') return suspiciousResult(phone.number, 'fixed-line');
  // Other types, such as toll-free, premium, shared cost and voice mail.
  if (type !== 'MOBILE' && type !== 'FIXED_LINE_OR_MOBILE') {
    return suspiciousResult(phone.number, 'no-mobile');
  }
  return BRACKETED_ZERO_PATTERN.test(cleaned)
    ? suspiciousResult(phone.number, 'bracket-zero')
    : validResult(phone.number);
}

/**
 * Converts a phone number to E.164 (API v1, "Phone numbers"); `country` as for `validateMobile`.
 * Null if the text cannot be a number, or has an extension, which no text message reaches.
 */
export function toE164(text: string, country?: string): string | null {
  const judged = validateMobile(text, country);
  return judged.verdict === 'wrong' ? null : judged.value;
}

/** Converts like `toE164`, with one space after the country code (API v2, "Party"). */
export function toSpacedMobile(text: string, country?: string): string | null {
  const number = toE164(text, country);
  const phone = number === null ? null : parsePhone(number, undefined);
  return phone === null ? null : `+${phone.countryCallingCode} ${phone.nationalNumber}`;
}

/** Whether the text is a possible number already in v1's format `+46701234567`. */
export function isE164(text: string): boolean {
  return toE164(text) === text;
}

/** Whether the text is a possible number already in v2's format `+46 701234567`. */
export function isSpacedMobile(text: string): boolean {
  return SPACED_MOBILE_PATTERN.test(text) && toSpacedMobile(text) === text;
}

function parsePhone(text: string, country: string | undefined) {
  const assumed = country !== undefined && isSupportedCountry(country) ? country : undefined;
  const options =
    assumed === undefined ? { extract: false } : { defaultCountry: assumed, extract: false };
  return parsePhoneNumberFromString(text, options) ?? null;
}

function phoneProblem(cleaned: string, country: string | undefined): ValidationReason {
  if (cleaned === '') return 'empty';
  if (isShortened(cleaned)) return 'spreadsheet';
  const isOpen = country === undefined && !COUNTRY_CODE_PATTERN.test(cleaned);
  return isOpen && WRITTEN_PHONE_PATTERN.test(cleaned) ? 'country-needed' : 'form';
}
