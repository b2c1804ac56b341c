import { describe, expect, it } from 'vitest';
import type { ApiName } from '../../shared/model/ids.ts';
import { countryCodes } from '../../shared/rules/identifiers/countries.ts';
import { openDemo } from '../demo/support.ts';
import {
  attached,
  companies,
  fileV1,
  gate,
  method,
  MOBILE,
  party,
  personV1,
  personV2,
  privates,
  setting,
  stamp,
  v1,
  v2,
  value,
} from './bodies.ts';
import { judgedByService, judgedHere } from './judges.ts';

const eid = (change: object) => method({ type: 'EID', country: 'SE', ...change });
const us = (change: object) =>
  v1({ parties: [{ type: 'MY_COMPANY', signingConfigurations: [{ type: 'API' }], ...change }] });
const number = (country: string, personNumber: string) => party({ country, personNumber });
const tag = (key: string, text = 'x') => v1({ tags: { [key]: text } });
const reminded = (sendExpiryReminderOn: string) =>
  setting({ type: 'NOTIFICATION', sendExpiryReminderOn }, { expireOn: stamp(9) });
const drawing = { parties: [{ ...personV1, signingConfigurations: [{ type: 'DRAW' }] }] };

type Rule = readonly [body: object, isTaken: boolean, about: string];

const rulesV1: readonly Rule[] = [
  [v1({ expireOn: stamp(0) }), false, 'an expiry that is now'],
  [v1({ expireOn: stamp(3), deleteOn: stamp(2) }), false, 'an expiry after deletion'],
  [reminded(stamp(8)), true, 'a reminder a whole day before'],
  [reminded(stamp(-1)), false, 'a reminder in the past'],
  [us({}), true, 'our own company'],
  [us({ name: 'Vi' }), false, 'our own company by name'],
  [us({ country: 'SE' }), false, 'our own company by country'],
  [us({ companyNumber: '5599990008' }), false, 'our own company by number'],
  [us({ signingConfigurations: [{ type: 'EID', country: 'SE' }] }), true, 'our e-identity'],
  [party({ country: 'EU' }), false, 'a union for a country'],
  [party({ country: 'se' }), false, 'a country in small letters'],
  [party({ personNumber: '198507099805' }), false, 'a number without a country'],
  [number('SE', '198507699805'), true, 'a co-ordination number'],
  [number('SE', '198513099805'), false, 'a thirteenth month'],
  [number('FI', '131052-308T'), true, 'a Finnish number'],
  [number('FI', '131052Y308T'), true, 'a Finnish number of the new kind'],
  [number('FI', '131052 308T'), false, 'a Finnish number without its sign'],
  [party({ mobile: '+46701234567890123' }), false, 'more than 15 digits'],
  [party({ mobile: '+46 701234567' }), false, 'a mobile with a space'],
  [party({ email: 'a@b.se,c@d.se' }), false, 'two addresses in one'],
  [party({ email: ' a@b.se' }), false, 'an address behind a space'],
  [eid({ country: 'PL' }), false, 'an e-identity of another country'],
  [eid({ provider: 'P' }), false, 'an e-identity with a provider'],
  [eid({ actionType: 'AUTHENTICATION' }), false, 'an action type beside Denmark'],
  [eid({ identifier: '198507099805' }), true, 'an e-identity of one person'],
  [eid({ identifier: '19850709-9805' }), false, 'a number with a hyphen'],
  [method({ type: 'CLICK', identifier: MOBILE }), false, 'a click with a number'],
  [method({ type: 'QES', provider: 'P' }), false, 'a qualified signature without number'],
  [gate({ type: 'SMS_OTP', identifier: MOBILE, country: 'SE' }), false, 'a country for a code'],
  [gate({ type: 'EID' }), false, 'an e-identity of nowhere'],
  [v1({ attachments: [{ ...fileV1, token: 'x' }] }), false, 'data and token at once'],
  [value('tenant', '{{@agr.parties[0].signature}}'), false, 'no drawn signature there'],
  [tag('Härad 1.2:3/4_5', 'Żółw +1 -2 =3'), true, 'letters of any language'],
  [tag('k'.repeat(128), 'v'.repeat(256)), true, 'a tag as long as can be'],
  [tag('k'.repeat(129)), false, 'a longer key'],
  [tag('k', 'v'.repeat(257)), false, 'a longer value'],
  [tag('EGR:x'), false, 'the prefix of the service'],
  [tag('k', 'a#b'), false, 'another character'],
  [tag('k', 'x '), false, 'space at the end'],
  [tag('k', ''), true, 'a tag without a value'],
];

const rulesV2: readonly Rule[] = [
  [v2({ expireIn: 99 }), true, '99 days'],
  [v2({ expireIn: -1 }), false, 'a day too few'],
  [v2({ expireIn: 1.5 }), false, 'half a day'],
  [v2({ text: undefined }), false, 'a text without text'],
  [v2(attached({ attachments: undefined })), false, 'files without files'],
  [v2({ signatureMessage: 'x' }), false, 'a message where nobody draws'],
  [v2({ notificationMessages: [] }), true, 'no messages at all'],
  [privates({ personNo: '198507099805' }), true, 'twelve digits'],
  [privates({ personNo: '8507099805' }), true, 'ten digits'],
  [privates({ personNo: '850709 9805' }), false, 'a space in a number'],
  [companies({ orgNo: '55999-90008' }), false, 'a hyphen elsewhere'],
  [privates({ signMethods: ['SMS_OTP'] }), false, 'a code without a mobile'],
  [privates({ mobile: '+46 701 234 567' }), false, 'more than one space'],
  [privates({ signMethods: [] }), false, 'no method at all'],
  [privates({ signMethods: undefined }), true, 'the usual method'],
  [v2({ parties: { privates: [personV2], companies: [] } }), true, 'persons only'],
  [companies({}), true, 'companies only'],
];

const rowsOf = (rules: readonly Rule[]) =>
  rules.map(([body, isTaken, about]) => ({ body, isTaken, about }));
const rowsV1 = rowsOf(rulesV1);
const rowsV2 = rowsOf(rulesV2);

describe('in the program as on the service, a request to v1', () => {
  it.each(rowsV1)(
    'with $about is accepted: $isTaken (T1-32, T1-36, T1-39, T1-41, T1-42, T1-43, T1-44, T1-46, T1-48, T1-49)',
    async ({ body, isTaken }) => {
      expect(await judged('v1', body)).toEqual({ isTakenHere: isTaken, isTakenThere: isTaken });
    },
  );
});

describe('in the program as on the service, a request to v2', () => {
  it.each(rowsV2)(
    'with $about is accepted: $isTaken (T2-30, T2-31, T2-32, T2-33, T2-48, T2-49, T2-50, T2-51, T2-53)',
    async ({ body, isTaken }) => {
      expect(await judged('v2', body)).toEqual({ isTakenHere: isTaken, isTakenThere: isTaken });
    },
  );
});

it('the 249 countries of the program are all accepted by the service', async () => {
  const client = await openDemo();
  const parties = countryCodes.map((country) => ({ ...personV1, country }));
  expect(await judgedByService(client, 'v1', v1({ parties }))).toEqual([]);
  expect(countryCodes).toHaveLength(249);
});

/** Requests that the service would accept, but with a result that the user does not intend. */
const strict = [
  {
    about: 'a language that falls back to another',
    body: setting({ type: 'DEFAULT', locale: 'sv' }),
    field: 'configurations[].locale',
  },
  {
    about: 'a signature in the middle of a text',
    body: value('tenant', 'Hyra {{@agr.parties[0].signature}}', drawing),
    field: 'attachments[].fields[].value',
  },
  { about: 'a tag that hides our own mark', body: tag('desk.ref'), field: 'tags.desk.ref' },
  {
    about: 'tags that leave no room for our own mark',
    body: v1({ tags: Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`t${at}`, 'x'])) }),
    field: 'tags',
  },
];

it.each(strict)(
  '$about is rejected by the program, though the service accepts it (T1-38, T1-48, T1-55)',
  async ({ body, field }) => {
    expect(await judgedByService(await openDemo(), 'v1', body)).toEqual([]);
    expect(await judgedHere('v1', body)).toEqual([field]);
  },
);

async function judged(api: ApiName, body: object) {
  const there = await judgedByService(await openDemo(), api, body);
  const here = await judgedHere(api, body);
  return { isTakenHere: here.length === 0, isTakenThere: there.length === 0 };
}
