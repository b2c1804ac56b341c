import type { PartyV1, SigningConfigurationV1 } from '../model/agreement-v1.ts';
import { isCountry, isE164 } from './contact.ts';
import { type Findings, isBlank, lengthOf, written } from './draft-findings.ts';
import { judgeFinnish, judgeSwedish } from './draft-numbers.ts';

type IdentificationV1 = NonNullable<PartyV1['identificationConfigurations']>[number];

const SENDER_MAX = 25;
const DESCRIPTION_MAX = 400;

/** API v1, "Signing configuration": which keys a type needs, and which it must not carry. */
export function checkSigningV1(one: SigningConfigurationV1, at: string, findings: Findings): void {
  switch (one.type) {
    case 'EID':
      checkEid(one, at, findings);
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

/** The form a country gives its numbers; a wrong check digit is only told, since the API takes it. */
export function checkNumberOf(
  country: string | null,
  number: string,
  at: string,
  findings: Findings,
): void {
  if (country !== 'SE' && country !== 'FI') return;
  const judgement = country === 'SE' ? judgeSwedish(number) : judgeFinnish(number);
  if (judgement === 'wrong') findings.error(at, 'format');
  if (judgement === 'doubtful') findings.warn(at, 'format', 'The check digit does not fit');
}

function checkEid(one: SigningConfigurationV1, at: string, findings: Findings): void {
  const country = written(one.country);
  if (country === null) findings.error(`${at}.country`, 'country-needed');
  else if (!isCountry(country)) findings.error(`${at}.country`, 'format');
  if (country !== 'DK') forbid(one, ['actionType'], at, findings);
  else if (one.actionType !== 'AUTHENTICATION') {
    findings.error(`${at}.actionType`, 'required', 'Denmark needs the action type AUTHENTICATION');
  }
  if (country !== 'SE') forbid(one, ['tbs'], at, findings);
  checkLength(one.tbs?.sender, SENDER_MAX, `${at}.tbs.sender`, findings);
  checkLength(one.tbs?.description, DESCRIPTION_MAX, `${at}.tbs.description`, findings);
  const identifier = written(one.identifier);
  if (identifier === null) return;
  checkNumberOf(country, identifier, `${at}.identifier`, findings);
  if (country === 'NO') findings.warn(`${at}.identifier`, 'not-applicable');
}

function checkMobile(text: string | undefined, at: string, findings: Findings): void {
  const mobile = written(text);
  if (mobile === null) findings.error(at, 'mobile-needed');
  else if (!isE164(mobile)) findings.error(at, 'format');
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
