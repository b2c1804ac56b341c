import type { PartyV1, SigningConfigurationV1 } from '../../../model/agreement-v1.ts';
import { isCountry } from '../../identifiers/countries.ts';
import type { Day } from '../../time/days.ts';
import { checkLength, type Findings, isBlank, textOrNullIfEmpty } from '../parts/findings.ts';
import { checkMobileV1, checkPersonNumberV1 } from '../parts/identifiers.ts';

type IdentificationV1 = NonNullable<PartyV1['identificationConfigurations']>[number];

/** Countries of the supported eIDs (API v1, "Signing configuration"). */
const EID_COUNTRIES = ['SE', 'NO', 'FI', 'DK'];
const MAX_EID_SENDER_LENGTH = 25;
const MAX_EID_DESCRIPTION_LENGTH = 400;

/** Checks required and forbidden keys of each type (API v1, "Signing configuration"). */
export function checkSigningV1(
  one: SigningConfigurationV1,
  today: Day,
  at: string,
  findings: Findings,
): void {
  switch (one.type) {
    case 'EID':
      checkEid(one, today, at, findings);
      rejectFields(one, ['provider'], at, findings);
      return;
    case 'QES':
      if (isBlank(one.provider)) findings.error(`${at}.provider`, 'required');
      checkMobile(one.identifier, `${at}.identifier`, findings);
      rejectFields(one, ['country', 'actionType', 'tbs'], at, findings);
      return;
    case 'SMS_OTP':
      checkMobile(one.identifier, `${at}.identifier`, findings);
      rejectFields(one, ['country', 'provider', 'actionType', 'tbs'], at, findings);
      return;
    case 'CLICK':
    case 'DRAW':
    case 'API':
      rejectFields(one, ['country', 'provider', 'identifier', 'actionType', 'tbs'], at, findings);
  }
}

/**
 * Checks an identification, a code by text message or the Swedish eID (API v1, "Identification
 * configuration").
 */
export function checkIdentificationV1(
  one: IdentificationV1,
  today: Day,
  at: string,
  findings: Findings,
): void {
  if (one.type === 'SMS_OTP') {
    checkMobile(one.identifier, `${at}.identifier`, findings);
    if (textOrNullIfEmpty(one.country) !== null) findings.error(`${at}.country`, 'not-applicable');
    return;
  }
  checkEidCountry(one.country, ['SE'], `${at}.country`, findings);
  const identifier = textOrNullIfEmpty(one.identifier);
  if (identifier !== null) {
    checkPersonNumberV1('SE', identifier, today, `${at}.identifier`, findings);
  }
}

function checkEid(one: SigningConfigurationV1, today: Day, at: string, findings: Findings): void {
  const country = textOrNullIfEmpty(one.country);
  checkEidCountry(one.country, EID_COUNTRIES, `${at}.country`, findings);
  if (country !== 'DK') rejectFields(one, ['actionType'], at, findings);
  else if (one.actionType !== 'AUTHENTICATION') {
    findings.error(`${at}.actionType`, 'required', 'Denmark needs the action type AUTHENTICATION');
  }
  if (country !== 'SE') rejectFields(one, ['tbs'], at, findings);
  checkLength(one.tbs?.sender, MAX_EID_SENDER_LENGTH, `${at}.tbs.sender`, findings);
  checkLength(one.tbs?.description, MAX_EID_DESCRIPTION_LENGTH, `${at}.tbs.description`, findings);
  const identifier = textOrNullIfEmpty(one.identifier);
  if (identifier === null) return;
  checkPersonNumberV1(country, identifier, today, `${at}.identifier`, findings);
  if (country === 'NO') findings.warn(`${at}.identifier`, 'not-applicable');
}

function checkEidCountry(
  text: string | undefined,
  known: readonly string[],
  at: string,
  findings: Findings,
): void {
  const country = textOrNullIfEmpty(text);
  if (country === null) findings.error(at, 'country-needed');
  else if (!isCountry(country)) findings.error(at, 'format');
  else if (!known.includes(country)) {
    findings.error(at, 'range', `The service accepts e-identities only from ${known.join(', ')}`);
  }
}

function checkMobile(text: string | undefined, at: string, findings: Findings): void {
  if (textOrNullIfEmpty(text) === null) findings.error(at, 'mobile-needed');
  checkMobileV1(text, at, findings);
}

function rejectFields(
  one: SigningConfigurationV1,
  keys: readonly (keyof SigningConfigurationV1)[],
  at: string,
  findings: Findings,
): void {
  for (const key of keys) {
    if (one[key] !== undefined && one[key] !== '') findings.error(`${at}.${key}`, 'not-applicable');
  }
}
