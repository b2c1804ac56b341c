import { describe, expect, it } from 'vitest';
import { checkV1, documentV1, lines, personV1 } from '../../../support/draft-checks.ts';

const ID = 'a0e7c1de-5c10-11f0-8d35-03d35ce00001';

const errors = (change: object) => lines(checkV1(change).errors);
const warnings = (change: object) => lines(checkV1(change).warnings);
const withParty = (change: object) => ({ parties: [{ ...personV1, ...change }] });

describe('a configuration', () => {
  const at = 'configurations.0';
  const found = (one: object) => errors({ configurations: [one] });

  it.each([
    { type: 'DEFAULT', locale: 'sv_SE', timeZone: 'Europe/Helsinki' },
    { type: 'NOTIFICATION', locale: 'nb_NO', sendExpiryReminderOn: '20261201T120000Z' },
    { type: 'CONTAINER', timeZone: 'UTC' },
    { type: 'REVIEW_DETAILS', enabled: false, visible: false },
    { type: 'WATERMARK', x: 0, y: 1.5, rotation: -45 },
    { type: 'OWNER_DETAILS', companyName: 'Berg & Co', companyShortName: 'Berg and Co' },
    { type: 'PDF_SEALING', enabled: true },
    { type: 'REJECTION', enabled: false },
  ])('%j is accepted, because each of its fields belongs to its type', (one) => {
    expect(found(one)).toEqual([]);
  });

  it.each([
    [{ type: 'DEFAULT', sendExpiryReminderOn: '20261201T120000Z' }, 'sendExpiryReminderOn'],
    [{ type: 'CONTAINER', enabled: false }, 'enabled'],
    [{ type: 'REVIEW_DETAILS', x: 0 }, 'x'],
    [{ type: 'WATERMARK', locale: 'sv_SE' }, 'locale'],
    [{ type: 'OWNER_DETAILS', visible: true }, 'visible'],
    [{ type: 'PDF_SEALING', companyName: 'Berg' }, 'companyName'],
    [{ type: 'REJECTION', timeZone: 'UTC' }, 'timeZone'],
  ])('%j is rejected, because its field %s belongs to another type', (one, field) => {
    expect(found(one)).toEqual([`${at}.${field}: not-applicable`]);
  });

  it('names the sender of text messages in 11 characters, however they are counted (T1-47)', () => {
    const sender = (companyShortName: string) => found({ type: 'OWNER_DETAILS', companyShortName });
    const tooLong = [`${at}.companyShortName: too-long`];
    expect(sender('å'.repeat(11))).toEqual([]);
    expect(sender('å'.repeat(12))).toEqual(tooLong);
    // The name has 11 code points, but 12 UTF-16 units.
    expect(sender(`${'a'.repeat(10)}😀`)).toEqual(tooLong);
  });

  it.each(['sv', 'sv-SE', 'SV_SE', 'sv_FI', 'en_GB'])(
    'rejects the language %s, which would fall back without a notice (T1-55)',
    (locale) => {
      expect(found({ type: 'DEFAULT', locale })).toEqual([`${at}.locale: format`]);
    },
  );

  it('has a time zone that names a place', () => {
    const zone = (timeZone: string) => ({ configurations: [{ type: 'DEFAULT', timeZone }] });
    for (const name of ['Stockholm', 'europe/stockholm', '+02:00', 'Europe/Lund']) {
      expect(errors(zone(name)), name).toEqual([`${at}.timeZone: format`]);
    }
    expect(warnings(zone('CET'))).toEqual([`${at}.timeZone: format`]);
  });

  it('of a party reminds a whole day before the signing time ends, and needs that end (T1-49)', () => {
    const reminder = (sendExpiryReminderOn: string, change: object = {}) =>
      errors({
        ...withParty({ configurations: [{ type: 'NOTIFICATION', sendExpiryReminderOn }] }),
        ...change,
      });
    const place = 'parties.0.configurations.0.sendExpiryReminderOn';
    expect(reminder('20261231T120000Z')).toEqual([]);
    expect(reminder('20261231T120001Z')).toEqual([`${place}: range`]);
    expect(reminder('20261231T120000Z', { expireOn: undefined })).toEqual([`${place}: range`]);
    expect(reminder('20261121T120000Z')).toEqual([`${place}: not-future`]);
    expect(reminder('2026-12-31')).toEqual([`${place}: format`]);
  });

  it('that is given twice is reported, because it is unknown which one counts', () => {
    const twice = [
      { type: 'DEFAULT', locale: 'sv_SE' },
      { type: 'DEFAULT', locale: 'fi_FI' },
    ];
    expect(warnings({ configurations: twice })).toContain('configurations.1.type: duplicate');
    const party = withParty({
      configurations: [{ type: 'NOTIFICATION' }, { type: 'NOTIFICATION' }],
    });
    expect(warnings(party)).toContain('parties.0.configurations.1.type: duplicate');
  });

  it('of a party uses one of eleven languages (T1-55)', () => {
    const configurations = [{ type: 'NOTIFICATION', locale: 'sv', timeZone: 'x' }];
    expect(errors(withParty({ configurations }))).toEqual([
      'parties.0.configurations.0.locale: format',
      'parties.0.configurations.0.timeZone: format',
    ]);
  });
});

describe('the end of the signing time', () => {
  const soon = '20261122T115959Z';
  const silent = { notifications: [], ...withParty({ notifications: [] }) };

  it('is reported within a day, which leaves no time for the usual reminder (T1-94)', () => {
    expect(warnings({ expireOn: soon })).toEqual(['expireOn: no-reminder']);
    expect(warnings({ expireOn: '20261122T120000Z' })).toEqual([]);
  });

  it('may be immediate when no reminder would be sent (T1-94)', () => {
    expect(warnings({ ...silent, expireOn: soon })).not.toContain('expireOn: no-reminder');
    const reminded = { ...silent, notifications: [{ type: 'EXPIRY_REMINDER' }] };
    expect(warnings({ ...reminded, expireOn: soon })).toContain('expireOn: no-reminder');
  });
});

describe('a document of a v1 draft', () => {
  const withFile = (change: object) => ({ attachments: [{ ...documentV1, ...change }] });

  it('needs a name, and may have a time only in the v1 form', () => {
    expect(errors(withFile({ name: '' }))).toEqual(['attachments.0.name: required']);
    expect(errors(withFile({ lastModifiedOn: '2026-05-01' }))).toEqual([
      'attachments.0.lastModifiedOn: format',
    ]);
    expect(errors(withFile({ name: 'a.pdf', lastModifiedOn: '20260501T102030Z' }))).toEqual([]);
  });

  it('with an unknown upload token gets a warning (T1-62)', () => {
    const token = (text: string) =>
      warnings({ attachments: [{ type: 'TOKEN', token: text, category: 'AGREEMENT' }] });
    expect(token(ID)).toEqual([]);
    // This is an upload token of API v2.
    expect(token('8c9a3c0e-6c43-4b8e-9d0a-0d7b6a4f3d11')).toEqual(['attachments.0.token: format']);
  });
});

describe('identification before reading', () => {
  const at = 'parties.0.identificationConfigurations.0';
  it.each([
    [{ type: 'SMS_OTP', identifier: '+46701234567' }, []],
    [{ type: 'SMS_OTP' }, [`${at}.identifier: mobile-needed`]],
    [
      { type: 'SMS_OTP', identifier: '+46701234567', country: 'SE' },
      [`${at}.country: not-applicable`],
    ],
    [{ type: 'EID', country: 'SE' }, []],
    [{ type: 'EID', country: 'SE', identifier: '198507099805' }, []],
    [{ type: 'EID', country: 'SE', identifier: '19850709' }, [`${at}.identifier: format`]],
    [{ type: 'EID' }, [`${at}.country: country-needed`]],
    [{ type: 'EID', country: 'FI' }, [`${at}.country: range`]],
  ])('with %j has the errors %j', (one, wanted) => {
    expect(errors(withParty({ identificationConfigurations: [one] }))).toEqual(wanted);
  });

  it('by a code to a number other than the party’s is reported (T1-96)', () => {
    const mobile = '+46701234567';
    const code = (identifier: string) => ({
      mobile,
      signingConfigurations: [{ type: 'SMS_OTP', identifier }],
      identificationConfigurations: [{ type: 'SMS_OTP', identifier }],
    });
    expect(warnings(withParty(code(mobile)))).toEqual([]);
    expect(warnings(withParty(code('+46701234568')))).toEqual([
      'parties.0.signingConfigurations.0.identifier: other-mobile',
      `${at}.identifier: other-mobile`,
    ]);
  });
});

it('a person who is two parties of a draft is reported, in every form of the personal number', () => {
  const other = {
    ...personV1,
    email: 'b@example.com',
    country: 'SE',
    personNumber: '189001019802',
  };
  const first = { ...personV1, country: 'SE', personNumber: '189001019802' };
  expect(warnings({ parties: [first, other] })).toEqual(['parties.1.personNumber: duplicate']);
});

describe('a notification', () => {
  const notified = (block: object) => ({ notifications: [{ type: 'SIGNED', ...block }] });
  const hook = { medium: 'WEBHOOK', address: 'https://example.com/hook' };

  it.each([
    [{ medium: 'EMAIL', address: '' }, 'required'],
    [{ medium: 'EMAIL', address: 'a@b' }, 'format'],
    [{ medium: 'SMS', address: 'a@example.com' }, 'format'],
    [{ medium: 'SMS', address: '070-1234567' }, 'format'],
    [{ medium: 'WEBHOOK', address: 'ftp://example.com' }, 'format'],
    [{ medium: 'WEBHOOK', address: 'example.com' }, 'format'],
  ])('is not sent to %j (T1-53)', (recipient, code) => {
    expect(errors(notified({ recipients: [recipient] }))).toEqual([
      `notifications.0.recipients.0.address: ${code}`,
    ]);
  });

  it('by webhook uses English in every language (T1-53)', () => {
    expect(warnings(notified({ locale: 'sv_SE', recipients: [hook] }))).toEqual([
      'notifications.0.locale: not-applicable',
    ]);
  });

  it.each([
    [{ message: '' }, ['notifications.0.placeholders.message: blank']],
    [{ message: 'Dear {{name}}' }, ['notifications.0.placeholders.message: blank']],
    [{ message: 'Dear {{name}}', name: 'Åsa' }, []],
  ])('with the placeholders %j gets the warnings %j (T1-56)', (placeholders, wanted) => {
    expect(warnings(notified({ placeholders }))).toEqual(wanted);
  });

  it.each([true, false])('attaches the PDF, %s, only to the final message (T1-54)', (attachPdf) => {
    expect(errors({ notifications: [{ type: 'SIGNED_BY_ALL', attachPdf }] })).toEqual([]);
    expect(errors({ notifications: [{ type: 'SIGNED', attachPdf }] })).toEqual([
      'notifications.0.attachPdf: not-applicable',
    ]);
    expect(errors({ notifications: [{ type: 'SIGNED', attachPdf: null }] })).toEqual([]);
  });
});

describe('an access right', () => {
  const right = (change: object) => ({ accessRights: [{ action: 'read', ...change }] });
  const named = { type: 'GRANT_BY_NAME', actorType: 'group', actorName: 'Sales' };
  const byId = { type: 'GRANT_BY_ID', actorType: 'user', actorId: ID };

  it.each([
    [{ ...byId, actorId: undefined }, 'accessRights.0.actorId: required'],
    [{ ...named, actorName: ' ' }, 'accessRights.0.actorName: required'],
    [{ ...named, actorType: 'user' }, 'accessRights.0.actorType: not-applicable'],
    [{ ...named, actorType: 'account' }, 'accessRights.0.actorType: not-applicable'],
  ])('%j is refused (T1-57)', (change, wanted) => {
    expect(errors(right(change))).toEqual([wanted]);
  });

  it('by name may create a new group, which is reported (T1-57)', () => {
    expect(warnings(right(named))).toEqual(['accessRights.0.actorName: new-group']);
    expect(warnings(right(byId))).toEqual([]);
  });

  it('has one entry for each action, and a repeated action is reported (T1-57)', () => {
    const entry = (action: string) => ({ ...byId, action });
    expect(checkV1({ accessRights: [entry('read'), entry('update')] }).warnings).toEqual([]);
    expect(warnings({ accessRights: [entry('read'), entry('read')] })).toEqual([
      'accessRights.1.action: duplicate',
    ]);
  });

  it('omits fields that its type does not use', () => {
    expect(warnings(right({ ...byId, description: 'x' }))).toEqual([
      'accessRights.0.description: not-applicable',
    ]);
  });
});

describe('a return link', () => {
  const link = (href: string) => ({ links: [{ type: 'WEBFLOW_SIGNING_SUCCEEDED', href }] });

  it.each(['javascript:alert(1)', 'file:///etc/passwd', 'example.com', 'https://', 'https://a b'])(
    'to %s is refused (T1-58)',
    (href) => {
      expect(errors(link(href))).toEqual(['links.0.href: format']);
    },
  );

  it('gets a warning when it is not encrypted (T1-58)', () => {
    expect(checkV1(link('https://example.com/thanks?a=1#b'))).toMatchObject({
      errors: [],
      warnings: [],
    });
    expect(warnings(link('http://example.com'))).toEqual(['links.0.href: insecure']);
  });
});

it('a draft text of spaces only is rejected in visible texts, and kept in field values', () => {
  const attachments = [{ ...documentV1, title: ' ', fields: [{ name: 'a', value: ' ' }] }];
  expect(errors({ attachments, ...withParty({ companyNumber: undefined, name: '\t' }) })).toEqual([
    'attachments.0.title: blank',
    'parties.0.name: blank',
  ]);
});
