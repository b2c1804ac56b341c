import { cleanText } from '../../text/clean-text.ts';
import { isCountry } from '../../identifiers/countries.ts';
import type { Day } from '../../time/days.ts';
import { type Findings, textOrNullIfEmpty } from './findings.ts';
import { validateEmail } from '../../identifiers/email.ts';
import { validatePersonNumberV1, validatePersonNoV2 } from '../../identifiers/identity.ts';
import { validateOrganisationNumber } from '../../identifiers/organisation-number.ts';
import { isSpacedMobile, validateMobile } from '../../identifiers/phone.ts';
import { type ValidationResult, validationSentences } from '../../text/verdict.ts';

/*
 * A draft is sent unchanged, so a text must already have its API's format. The checks in this file
 * do not report empty texts; the rules of the party check required fields.
 */

const PERSON_NO_PATTERN = /^(?:\d{2})?\d{6}-?\d{4}$/;
const ORG_NO_PATTERN = /^\d{6}-?\d{4}$/;

export function checkEmail(text: string | undefined, at: string, findings: Findings): void {
  const email = textOrNullIfEmpty(text);
  if (email !== null)
    reportValidation(validateEmail(email), cleanText(email) === email, at, findings);
}

export function checkCountry(text: string | undefined, at: string, findings: Findings): void {
  const country = textOrNullIfEmpty(text);
  if (country !== null && !isCountry(country)) findings.error(at, 'format');
}

/** Checks a mobile number in the format of API v1: `+46701234567`. */
export function checkMobileV1(text: string | undefined, at: string, findings: Findings): void {
  const mobile = textOrNullIfEmpty(text);
  if (mobile === null) return;
  const judged = validateMobile(mobile);
  reportValidation(judged, judged.value === mobile, at, findings);
}

/** Checks a mobile number in the format of API v2: `+46 701234567`. */
export function checkMobileV2(text: string | undefined, at: string, findings: Findings): void {
  const mobile = textOrNullIfEmpty(text);
  if (mobile !== null)
    reportValidation(validateMobile(mobile), isSpacedMobile(mobile), at, findings);
}

/** Checks a personal number. API v1 documents a format for SE and FI; others cause a warning. */
export function checkPersonNumberV1(
  country: string | null,
  number: string,
  today: Day,
  at: string,
  findings: Findings,
): void {
  if (country === null) return;
  const judged = validatePersonNumberV1(number, country, today);
  if (country === 'SE' || country === 'FI') {
    reportValidation(judged, judged.value === number, at, findings);
  } else if (judged.verdict !== 'fine') {
    findings.warn(at, 'format', validationSentences[judged.why]);
  }
}

/** Warns of a likely mistake in a Swedish company number; API v1 documents no format. */
export function checkCompanyNumberV1(
  party: { readonly companyNumber?: string | undefined; readonly country?: string | undefined },
  today: Day,
  at: string,
  findings: Findings,
): void {
  const number = textOrNullIfEmpty(party.companyNumber);
  if (number === null || party.country !== 'SE') return;
  const judged = validateOrganisationNumber(number, today);
  if (judged.verdict !== 'fine') findings.warn(at, 'format', validationSentences[judged.why]);
}

/** Checks the formats of API v2, "Party": 12 or 10 digits, with or without a hyphen. */
export function checkPersonNoV2(
  text: string | undefined,
  today: Day,
  at: string,
  findings: Findings,
): void {
  const number = textOrNullIfEmpty(text);
  if (number === null) findings.error(at, 'required');
  else
    reportValidation(
      validatePersonNoV2(number, today),
      PERSON_NO_PATTERN.test(number),
      at,
      findings,
    );
}

/** Checks for ten digits, with or without a hyphen before the last four (API v2, "Party"). */
export function checkOrgNoV2(
  text: string | undefined,
  today: Day,
  at: string,
  findings: Findings,
): void {
  const number = textOrNullIfEmpty(text);
  if (number === null) findings.error(at, 'required');
  else
    reportValidation(
      validateOrganisationNumber(number, today),
      ORG_NO_PATTERN.test(number),
      at,
      findings,
    );
}

function reportValidation(
  judged: ValidationResult,
  hasForm: boolean,
  at: string,
  findings: Findings,
): void {
  if (judged.verdict === 'wrong') findings.error(at, 'format', validationSentences[judged.why]);
  else if (!hasForm) findings.error(at, 'format');
  else if (judged.verdict === 'suspicious') {
    findings.warn(at, 'format', validationSentences[judged.why]);
  }
}
