import type { PartyV1, SigningConfigurationV1 } from '../../../model/agreement-v1.ts';
import { type Findings, isBlank, textOrNullIfEmpty } from '../parts/findings.ts';
import {
  checkCompanyNumberV1,
  checkCountry,
  checkEmail,
  checkMobileV1,
  checkPersonNumberV1,
} from '../parts/identifiers.ts';
import { checkSigningOrder } from '../parts/order.ts';
import type { CheckTimes } from '../parts/times.ts';
import { checkPartyConfigurationsV1 } from './configurations.ts';
import { checkNotificationsV1 } from './notifications.ts';
import { checkIdentificationV1, checkSigningV1 } from './signing.ts';

/** Checks a party (API v1, "Party (request)"); a birth date after `times.today` is invalid. */
export function checkPartyV1(
  party: PartyV1,
  times: CheckTimes,
  at: string,
  findings: Findings,
): void {
  const { today } = times;
  checkNames(party, at, findings);
  checkContacts(party, at, findings);
  checkPersonNumber(party, today, at, findings);
  checkCompanyNumberV1(party, today, `${at}.companyNumber`, findings);
  checkSigningOrder(party.signingOrder, `${at}.signingOrder`, findings);
  checkPartyConfigurationsV1(party.configurations, times, `${at}.configurations`, findings);
  checkMethods(party, today, at, findings);
  for (const [index, one] of (party.identificationConfigurations ?? []).entries()) {
    const place = `${at}.identificationConfigurations.${index}`;
    checkIdentificationV1(one, today, place, findings);
    if (one.type === 'SMS_OTP') warnOfOtherMobile(one.identifier, party, place, findings);
  }
  checkNotificationsV1(party.notifications, `${at}.notifications`, 'party', findings);
}

function checkNames(party: PartyV1, at: string, findings: Findings): void {
  const need = (key: 'firstName' | 'lastName' | 'name') => {
    if (isBlank(party[key])) findings.error(`${at}.${key}`, 'required');
  };
  const forbid = (key: 'name' | 'companyNumber' | 'country') => {
    if (textOrNullIfEmpty(party[key]) !== null) findings.error(`${at}.${key}`, 'not-applicable');
  };
  switch (party.type) {
    case 'PRIVATE':
      need('firstName');
      need('lastName');
      forbid('companyNumber');
      return;
    case 'COMPANY':
      need('name');
      return;
    case 'MY_COMPANY':
      // The service uses the account's data and rejects these keys.
      forbid('name');
      forbid('companyNumber');
      forbid('country');
  }
}

function checkContacts(party: PartyV1, at: string, findings: Findings): void {
  checkEmail(party.email, `${at}.email`, findings);
  checkMobileV1(party.mobile, `${at}.mobile`, findings);
  checkCountry(party.country, `${at}.country`, findings);
}

function checkPersonNumber(
  party: PartyV1,
  today: CheckTimes['today'],
  at: string,
  findings: Findings,
): void {
  const number = textOrNullIfEmpty(party.personNumber);
  if (number === null) return;
  const country = textOrNullIfEmpty(party.country);
  // The service knows the country of the account's own company, which must not be sent.
  if (country === null && party.type !== 'MY_COMPANY') {
    findings.error(`${at}.country`, 'country-needed');
  }
  checkPersonNumberV1(country, number, today, `${at}.personNumber`, findings);
}

function checkMethods(
  party: PartyV1,
  today: CheckTimes['today'],
  at: string,
  findings: Findings,
): void {
  const methods = party.signingConfigurations;
  if (methods.length === 0) findings.error(`${at}.signingConfigurations`, 'no-method');
  for (const [index, one] of methods.entries()) {
    const place = `${at}.signingConfigurations.${index}`;
    checkSigningV1(one, today, place, findings);
    if (takesMobile(one)) warnOfOtherMobile(one.identifier, party, place, findings);
  }
}

function takesMobile({ type }: SigningConfigurationV1): boolean {
  return type === 'SMS_OTP' || type === 'QES';
}

/** Warns if a code is sent to the configuration's number, and the party has another number. */
function warnOfOtherMobile(
  identifier: string | undefined,
  party: PartyV1,
  at: string,
  findings: Findings,
): void {
  const [number, mobile] = [textOrNullIfEmpty(identifier), textOrNullIfEmpty(party.mobile)];
  if (number !== null && mobile !== null && number !== mobile) {
    findings.warn(`${at}.identifier`, 'other-mobile');
  }
}
