import type { PartyV1, SigningConfigurationV1 } from '../model/agreement-v1.ts';
import type { Day } from './days.ts';
import { type Findings, isBlank, lengthOf, written } from './draft-findings.ts';
import { checkCountry, checkMobileV1, checkPersonNumberV1 } from './draft-identifiers.ts';

type IdentificationV1 = NonNullable<PartyV1['identificationConfigurations']>[number];

const SENDER_MAX = 25;
const DESCRIPTION_MAX = 400;

/** API v1, "Signing configuration": which keys a type needs, and which it must not carry. */
export function checkSigningV1(
  one: SigningConfigurationV1,
  today: Day,
  at: string,
  findings: Findings,
): void {
  switch (one.type) {
    case 'EID':
      checkEid(one, today, at, findings);
      forbid(one, ['provider'], at, findings);
      return;
    case 'QES':
      if (isBlank(one.provider)) findings.error(`${at}.provider`, 'required');
      checkMobile(one.identifier, `${at}.identifier`, findings);
      forbid(one, ['country', 'actionType', 'tbs'], at, findings);
      return;
    case 'SMS_OTP':
      checkMobile(one.identifier, `${at}.identifier`, findings);
      forbid(one, ['country', 'provider', 'actionType', 'tbs'], at, findings);
      return;
    case 'CLICK':
    case 'DRAW':
    case 'API':
      forbid(one, ['country', 'provider', 'identifier', 'actionType', 'tbs'], at, findings);
  }
}

/** API v1, "Identification configuration". */
export function checkIdentificationV1(one: IdentificationV1, at: string, findings: Findings): void {
  if (one.type === 'SMS_OTP') checkMobile(one.identifier, `${at}.identifier`, findings);
  else if (written(one.country) === null) findings.error(`${at}.country`, 'country-needed');
}

function checkEid(one: SigningConfigurationV1, today: Day, at: string, findings: Findings): void {
  const country = written(one.country);
  if (country === null) findings.error(`${at}.country`, 'country-needed');
  checkCountry(one.country, `${at}.country`, findings);
  if (country !== 'DK') forbid(one, ['actionType'], at, findings);
  else if (one.actionType !== 'AUTHENTICATION') {
    findings.error(`${at}.actionType`, 'required', 'Denmark needs the action type AUTHENTICATION');
  }
  if (country !== 'SE') forbid(one, ['tbs'], at, findings);
  checkLength(one.tbs?.sender, SENDER_MAX, `${at}.tbs.sender`, findings);
  checkLength(one.tbs?.description, DESCRIPTION_MAX, `${at}.tbs.description`, findings);
  const identifier = written(one.identifier);
  if (identifier === null) return;
  checkPersonNumberV1(country, identifier, today, `${at}.identifier`, findings);
  if (country === 'NO') findings.warn(`${at}.identifier`, 'not-applicable');
}

function checkMobile(text: string | undefined, at: string, findings: Findings): void {
  if (written(text) === null) findings.error(at, 'mobile-needed');
  checkMobileV1(text, at, findings);
}

function checkLength(text: string | undefined, most: number, at: string, findings: Findings): void {
  if (text !== undefined && lengthOf(text) > most) findings.error(at, 'too-long');
}

function forbid(
  one: SigningConfigurationV1,
  keys: readonly (keyof SigningConfigurationV1)[],
  at: string,
  findings: Findings,
): void {
  for (const key of keys) {
    if (one[key] !== undefined && one[key] !== '') findings.error(`${at}.${key}`, 'not-applicable');
  }
}
