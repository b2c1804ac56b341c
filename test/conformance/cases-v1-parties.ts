import {
  type Cases,
  gate,
  method,
  MOBILE,
  party,
  partySetting,
  personV1,
  stamp,
  v1,
} from './bodies.ts';
import { noticeCases } from './cases-notifications.ts';

const company = (change: object) => party({ type: 'COMPANY', name: 'Berg AB', ...change });
const swedish = (tbs: object) => method({ type: 'EID', country: 'SE', tbs });
const qualified = (change: object) =>
  method({ type: 'QES', provider: 'P', identifier: MOBILE, ...change });
const expiring = { expireOn: stamp(9) };

const whoCases: Cases = {
  parties: { accepted: v1({ parties: [personV1] }), refused: v1({ parties: [] }) },
  'parties[].type': { accepted: company({}), refused: party({ type: 'ROBOT' }) },
  'parties[].firstName': { accepted: party({}), refused: party({ firstName: undefined }) },
  'parties[].lastName': { accepted: party({}), refused: party({ lastName: ' ' }) },
  'parties[].name': { accepted: company({}), refused: company({ name: undefined }) },
  'parties[].email': { accepted: party({ email: 'å@b.se' }), refused: party({ email: 'a@b' }) },
  'parties[].mobile': { accepted: party({ mobile: MOBILE }), refused: party({ mobile: '070' }) },
  'parties[].country': { accepted: party({ country: 'PL' }), refused: party({ country: 'UK' }) },
  'parties[].personNumber': {
    accepted: party({ country: 'SE', personNumber: '198507099805' }),
    refused: party({ country: 'SE', personNumber: '850709-9805' }),
  },
  'parties[].companyNumber': {
    accepted: company({ companyNumber: '5599990008' }),
    refused: party({ companyNumber: '5599990008' }),
  },
  'parties[].signingOrder': {
    accepted: party({ signingOrder: 3 }),
    refused: party({ signingOrder: 0 }),
  },
};

const partySettingCases: Cases = {
  'parties[].configurations': {
    accepted: partySetting({ type: 'NOTIFICATION' }),
    refused: party({ configurations: {} }),
  },
  'parties[].configurations[].type': {
    accepted: partySetting({ type: 'NOTIFICATION' }),
    refused: partySetting({ type: 'DEFAULT' }),
  },
  'parties[].configurations[].locale': {
    accepted: partySetting({ type: 'NOTIFICATION', locale: 'fi_FI' }),
    refused: partySetting({ type: 'NOTIFICATION', locale: ' ' }),
  },
  'parties[].configurations[].timeZone': {
    accepted: partySetting({ type: 'NOTIFICATION', timeZone: 'Europe/Helsinki' }),
    refused: partySetting({ type: 'NOTIFICATION', timeZone: 'Helsinki' }),
  },
  'parties[].configurations[].sendExpiryReminderOn': {
    accepted: partySetting({ type: 'NOTIFICATION', sendExpiryReminderOn: stamp(8) }, expiring),
    refused: partySetting({ type: 'NOTIFICATION', sendExpiryReminderOn: stamp(8) }),
  },
};

const at = 'parties[].signingConfigurations';
const methodCases: Cases = {
  [at]: { accepted: party({}), refused: party({ signingConfigurations: [] }) },
  [`${at}[].type`]: { accepted: method({ type: 'API' }), refused: method({ type: 'FAX' }) },
  [`${at}[].country`]: {
    accepted: method({ type: 'EID', country: 'NO' }),
    refused: method({ type: 'CLICK', country: 'NO' }),
  },
  [`${at}[].provider`]: { accepted: qualified({}), refused: qualified({ provider: undefined }) },
  [`${at}[].identifier`]: {
    accepted: method({ type: 'SMS_OTP', identifier: MOBILE }),
    refused: method({ type: 'SMS_OTP' }),
  },
  [`${at}[].actionType`]: {
    accepted: method({ type: 'EID', country: 'DK', actionType: 'AUTHENTICATION' }),
    refused: method({ type: 'EID', country: 'DK' }),
  },
  [`${at}[].tbs`]: {
    accepted: swedish({}),
    refused: method({ type: 'EID', country: 'FI', tbs: {} }),
  },
  [`${at}[].tbs.sender`]: {
    accepted: swedish({ sender: 'å'.repeat(25) }),
    refused: swedish({ sender: 'å'.repeat(26) }),
  },
  [`${at}[].tbs.description`]: {
    accepted: swedish({ description: 'å'.repeat(400) }),
    refused: swedish({ description: 'å'.repeat(401) }),
  },
};

const gates = 'parties[].identificationConfigurations';
const gateCases: Cases = {
  [gates]: {
    accepted: party({ identificationConfigurations: [] }),
    refused: party({ identificationConfigurations: {} }),
  },
  [`${gates}[].type`]: {
    accepted: gate({ type: 'SMS_OTP', identifier: MOBILE }),
    refused: gate({ type: 'CLICK' }),
  },
  [`${gates}[].country`]: {
    accepted: gate({ type: 'EID', country: 'SE' }),
    refused: gate({ type: 'EID', country: 'DK' }),
  },
  [`${gates}[].identifier`]: {
    accepted: gate({ type: 'EID', country: 'SE', identifier: '198507099805' }),
    refused: gate({ type: 'SMS_OTP' }),
  },
};

/** Test cases for every field of a party of v1. */
export const partyCases: Cases = {
  ...whoCases,
  ...partySettingCases,
  ...methodCases,
  ...gateCases,
  ...noticeCases('parties[].notifications', 'party', (notifications) => party({ notifications })),
};
