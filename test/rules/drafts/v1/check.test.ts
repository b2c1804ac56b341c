import { describe, expect, it } from 'vitest';
import { DraftBodyV1, type DraftFile } from '../../../../shared/contract/drafts.ts';
import { FileId } from '../../../../shared/model/ids.ts';
import type { PdfField, PdfForm } from '../../../../shared/contract/templates.ts';
import { checkDraft } from '../../../../shared/rules/drafts/check.ts';
import {
  type Around,
  checkV1,
  documentV1,
  lines,
  NOW,
  pdf,
  personV1,
} from '../../../support/draft-checks.ts';

const errors = (change: object, around?: Around) => lines(checkV1(change, around).errors);
const warnings = (change: object, around?: Around) => lines(checkV1(change, around).warnings);
const withParty = (change: object) => ({ parties: [{ ...personV1, ...change }] });
const withMethod = (method: object) => withParty({ signingConfigurations: [method] });

it('a complete draft has neither errors nor warnings', () => {
  expect(checkV1({})).toMatchObject({ errors: [], warnings: [] });
});

it('an empty draft reports everything that is missing', () => {
  expect(errors({ title: ' ', attachments: [], parties: [] })).toEqual([
    'title: required',
    'attachments: no-agreement-document',
    'parties: no-party',
  ]);
});

describe('times of a v1 draft', () => {
  it.each([
    [{ expireOn: '20261121T120000Z' }, 'expireOn: not-future'],
    [{ expireOn: '2027-01-01T12:00:00Z' }, 'expireOn: format'],
    [{ expireOn: '20270230T120000Z' }, 'expireOn: format'],
    [{ deleteOn: '20261120T000000Z' }, 'deleteOn: not-future'],
    [{ deleteOn: '20270101T120000Z' }, 'expireOn: expiry-after-deletion'],
  ])('%j is refused (T1-49)', (change, wanted) => {
    expect(errors(change)).toContain(wanted);
  });

  it('that were valid when written are checked again on sending (T1-50)', () => {
    expect(errors({ expireOn: '20261121T120001Z' })).toEqual([]);
    const body = DraftBodyV1.parse({
      title: 'x',
      attachments: [],
      parties: [],
      expireOn: '20261121T120001Z',
    });
    const later = checkDraft({ api: 'v1', body }, { files: [], forms: new Map() }, NOW + 2000);
    expect(later.errors.map(({ code }) => code)).toContain('not-future');
  });

  it('give a warning when missing', () => {
    expect(warnings({ expireOn: undefined })).toEqual(['expireOn: no-expiry']);
  });

  it('of a reminder must be a whole day before the expiry (T1-49)', () => {
    const reminder = (sendExpiryReminderOn: string) =>
      errors({ configurations: [{ type: 'NOTIFICATION', sendExpiryReminderOn }] });
    expect(reminder('20261231T120000Z')).toEqual([]);
    expect(reminder('20261231T120001Z')).toEqual(['configurations.0.sendExpiryReminderOn: range']);
  });
});

describe('parties of a v1 draft', () => {
  it.each([
    [{ firstName: ' ' }, 'parties.0.firstName: required'],
    [{ lastName: undefined }, 'parties.0.lastName: required'],
    [{ type: 'COMPANY' }, 'parties.0.name: required'],
    [{ companyNumber: '556036-0793' }, 'parties.0.companyNumber: not-applicable'],
  ])('%j is refused (T1-40)', (change, wanted) => {
    expect(errors(withParty(change))).toContain(wanted);
  });

  it('from our own company have no company data (T1-39)', () => {
    const own = { type: 'MY_COMPANY', name: 'We', companyNumber: '1', country: 'SE' };
    expect(errors(withParty(own))).toEqual([
      'parties.0.name: not-applicable',
      'parties.0.companyNumber: not-applicable',
      'parties.0.country: not-applicable',
    ]);
    const eid = { type: 'MY_COMPANY', signingConfigurations: [{ type: 'EID', country: 'SE' }] };
    expect(errors(withParty(eid))).toEqual([]);
  });

  it.each(['asa', 'a@b', 'a@b.c', 'a b@x.se', 'a@x.se,b@x.se', 'mailto:a@x.se', 'a@x.se.', ' '])(
    'with the email %j are rejected (T1-44)',
    (email) => {
      expect(errors(withParty({ email }))).toContain('parties.0.email: format');
    },
  );

  it.each([
    '070-123 45 67',
    '0046701234567',
    '+46 701234567',
    '+467012345678901234',
    '46701234567',
  ])('with the mobile %j are rejected (T1-43)', (mobile) => {
    expect(errors(withParty({ mobile }))).toEqual(['parties.0.mobile: format']);
  });

  it('with a personal number need its country (T1-41)', () => {
    expect(errors(withParty({ personNumber: '189001019802' }))).toEqual([
      'parties.0.country: country-needed',
    ]);
  });

  it.each([
    ['SE', '189001019802', 'ok'],
    ['SE', '18900101-9802', 'wrong'],
    ['SE', '9001019802', 'wrong'],
    ['SE', '191500882392', 'ok'],
    ['SE', '198513019802', 'wrong'],
    ['SE', '189001019803', 'doubtful'],
    ['FI', '131052-308T', 'ok'],
    ['FI', '131052Y308T', 'ok'],
    ['FI', '131005F308N', 'ok'],
    ['FI', '131052-308t', 'wrong'],
    ['FI', '320152-308T', 'wrong'],
    ['FI', '131052-308X', 'doubtful'],
    ['NO', 'anything', 'doubtful'],
    ['PL', 'anything', 'ok'],
  ])('with the number %s %s are %s (T1-41, T1-42)', (country, personNumber, wanted) => {
    const { errors: found, warnings: warned } = checkV1(withParty({ country, personNumber }));
    const field = 'parties.0.personNumber';
    expect(found.some((one) => one.field === field)).toBe(wanted === 'wrong');
    expect(warned.some((one) => one.field === field)).toBe(wanted === 'doubtful');
  });

  it.each([0, -1, 1.5])(
    'with the order %d are rejected, but gaps are not (T1-45)',
    (signingOrder) => {
      expect(errors(withParty({ signingOrder }))).toEqual(['parties.0.signingOrder: order']);
      const gap = { parties: [personV1, { ...personV1, email: 'b@example.com', signingOrder: 3 }] };
      expect(errors(gap)).toEqual([]);
    },
  );

  it('that share an address get a warning', () => {
    const other = { ...personV1, email: 'ASA@example.com' };
    expect(warnings({ parties: [personV1, other] })).toEqual(['parties.1.email: email-shared']);
  });

  it('use English for a webhook in every language (T1-93)', () => {
    const recipients = [{ medium: 'WEBHOOK', address: 'https://example.com/hook' }];
    const hook = { type: 'SIGNED', recipients };
    expect(warnings({ notifications: [{ ...hook, locale: 'sv_SE' }] })).toContain(
      'notifications.0.locale: not-applicable',
    );
    expect(warnings({ notifications: [hook] })).not.toContain(
      'notifications.0.locale: not-applicable',
    );
  });
});

describe('signing methods', () => {
  it('are required (T1-45)', () => {
    expect(errors(withParty({ signingConfigurations: [] }))).toEqual([
      'parties.0.signingConfigurations: no-method',
    ]);
  });

  const at = 'parties.0.signingConfigurations.0';
  it.each([
    [{ type: 'EID' }, [`${at}.country: country-needed`]],
    [{ type: 'EID', country: 'UK' }, [`${at}.country: format`]],
    [{ type: 'EID', country: 'DK' }, [`${at}.actionType: required`]],
    [{ type: 'EID', country: 'DK', actionType: 'AUTHENTICATION' }, []],
    [
      { type: 'EID', country: 'SE', actionType: 'AUTHENTICATION' },
      [`${at}.actionType: not-applicable`],
    ],
    [{ type: 'EID', country: 'NO', tbs: { sender: 'x' } }, [`${at}.tbs: not-applicable`]],
    [
      { type: 'EID', country: 'SE', tbs: { sender: 'å'.repeat(26) } },
      [`${at}.tbs.sender: too-long`],
    ],
    [{ type: 'EID', country: 'SE', tbs: { sender: 'å'.repeat(25) } }, []],
    [
      // The text has 25 code points, but 26 UTF-16 units: the service may count either.
      { type: 'EID', country: 'SE', tbs: { sender: `${'å'.repeat(24)}😀` } },
      [`${at}.tbs.sender: too-long`],
    ],
    [{ type: 'EID', country: 'SE', tbs: { description: 'å'.repeat(400) } }, []],
    [
      { type: 'EID', country: 'SE', tbs: { description: 'å'.repeat(401) } },
      [`${at}.tbs.description: too-long`],
    ],
    [{ type: 'EID', country: 'PL' }, [`${at}.country: range`]],
    [{ type: 'EID', country: 'FI', identifier: '131052-308T' }, []],
    [
      { type: 'QES', provider: 'p', country: 'SE', identifier: '+46701234567' },
      [`${at}.country: not-applicable`],
    ],
    [{ type: 'SMS_OTP', identifier: '+46701234567', tbs: {} }, [`${at}.tbs: not-applicable`]],
    [{ type: 'DRAW', provider: 'p' }, [`${at}.provider: not-applicable`]],
    [{ type: 'CLICK', country: 'SE' }, [`${at}.country: not-applicable`]],
    [{ type: 'QES' }, [`${at}.provider: required`, `${at}.identifier: mobile-needed`]],
    [{ type: 'QES', provider: 'p', identifier: '+46701234567' }, []],
    [{ type: 'SMS_OTP' }, [`${at}.identifier: mobile-needed`]],
    [{ type: 'SMS_OTP', identifier: '070' }, [`${at}.identifier: format`]],
    [{ type: 'API', identifier: 'x' }, [`${at}.identifier: not-applicable`]],
  ])('with %j have the errors %j (T1-46, T1-47)', (method, wanted) => {
    expect(errors(withMethod(method))).toEqual(wanted);
  });

  it('for Norway get a notice that the number is not shown', () => {
    const method = { type: 'EID', country: 'NO', identifier: '01010112345' };
    expect(warnings(withMethod(method))).toContain(`${at}.identifier: not-applicable`);
  });
});

describe('documents of a v1 draft', () => {
  it('include at least one part of the agreement (T1-30)', () => {
    const reference = { ...documentV1, category: 'REF_DOC' };
    expect(errors({ attachments: [reference] })).toEqual(['attachments: no-agreement-document']);
  });

  it.each([
    [{ file: undefined }, 'attachments.0.file: file-missing'],
    [{ file: '00000000-0000-4000-8000-000000000009' }, 'attachments.0.file: file-missing'],
    [{ token: 't' }, 'attachments.0.token: not-applicable'],
    [{ type: 'TOKEN', file: undefined }, 'attachments.0.token: required'],
    [{ type: 'TOKEN', token: 't' }, 'attachments.0.file: not-applicable'],
  ])('%j is refused (T1-32)', (change, wanted) => {
    expect(errors({ attachments: [{ ...documentV1, ...change }] })).toContain(wanted);
  });

  it('can be other than PDF only as references', () => {
    const docx = { ...pdf, mimeType: 'application/msword' };
    expect(errors({}, { files: [docx] })).toEqual(['attachments.0.category: content-mismatch']);
  });

  it('that are already signed get a warning', () => {
    const signed: DraftFile = { ...pdf, notices: ['already-signed'] };
    expect(warnings({}, { files: [signed] })).toEqual(['attachments.0.file: already-signed']);
  });
});

describe('two files of a draft', () => {
  const other = FileId.parse('00000000-0000-4000-8000-000000000002');
  const called = (first: string, second: string) => ({
    attachments: [
      { ...documentV1, name: first },
      { ...documentV1, name: second, file: other },
    ],
  });
  const around = (one: string, two: string) => ({
    files: [
      { ...pdf, sha256: one },
      { ...pdf, id: other, sha256: two },
    ],
  });

  it('with the same content are reported, with any names', () => {
    expect(warnings(called('a.pdf', 'b.pdf'), around('h1', 'h1'))).toEqual([
      'attachments.1.file: duplicate',
    ]);
  });

  it('with the same name are reported, and others are not', () => {
    expect(warnings(called('Avtal.pdf', 'avtal.PDF'), around('h1', 'h2'))).toEqual([
      'attachments.1.name: duplicate',
    ]);
    expect(warnings(called('a.pdf', 'b.pdf'), around('h1', 'h2'))).toEqual([]);
  });
});

describe('field values', () => {
  const field: PdfField = {
    name: 'rent.amount',
    type: 'text',
    page: 1,
    value: '',
    maxLength: 3,
    multiline: false,
    required: false,
    readOnly: false,
  };
  const form: PdfForm = { pages: 1, fields: [field], notices: [] };
  const withValue = (name: string, value: string) => ({
    attachments: [{ ...documentV1, fields: [{ name, value }] }],
  });

  it('must name existing PDF fields, and fit in them (T1-35)', () => {
    expect(errors(withValue('rent.amount', '900'), { form })).toEqual([]);
    expect(errors(withValue('Rent.amount', '9'), { form })).toEqual([
      'attachments.0.fields.0.name: no-such-field',
    ]);
    expect(errors(withValue('rent.amount', '9000'), { form })).toEqual([
      'attachments.0.fields.0.value: value-too-long',
    ]);
  });

  it('are only allowed for an attached PDF (T1-34)', () => {
    const token = { type: 'TOKEN', token: 't', category: 'AGREEMENT' };
    const fields = [{ name: 'a', value: 'b' }];
    expect(errors({ attachments: [{ ...token, fields }] })).toEqual([
      'attachments.0.fields: not-applicable',
    ]);
  });

  const place = 'attachments.0.fields.0.value: placeholder';
  const sign = (index: number) => `{{@agr.parties[${index}].signature}}`;
  it('that would become a signature are reported (T1-38)', () => {
    expect(errors(withValue('a', `Rent ${sign(0)}`))).toEqual([place]);
    expect(errors(withValue('a', '{{ @AGR.parties[0].signature }}'))).toEqual([place]);
    const drawing = withMethod({ type: 'DRAW' });
    expect(errors({ ...drawing, ...withValue('a', sign(0)) })).toEqual([]);
    expect(warnings({ ...drawing, ...withValue('a', sign(0)) })).toContain(place);
  });

  it('place the signature of an existing party that draws (T1-36)', () => {
    expect(errors(withValue('a', sign(0)))).toEqual([place]);
    const drawing = withMethod({ type: 'DRAW' });
    expect(errors({ ...drawing, ...withValue('a', sign(1)) })).toEqual([place]);
  });

  it('place no signature when they are written into the PDF locally (TX-33)', () => {
    const [attachment] = withValue('a', sign(0)).attachments;
    const drawing = withMethod({ type: 'DRAW' });
    expect(errors({ ...drawing, attachments: [{ ...attachment, merge: 'here' }] })).toEqual([
      'attachments.0.fields.0.value: not-applicable',
    ]);
  });

  it('are not written into a signed PDF, which would break the signature', () => {
    const signed = { ...pdf, notices: ['already-signed' as const] };
    const attachments = [{ ...documentV1, merge: 'here', fields: [{ name: 'a', value: 'b' }] }];
    expect(errors({ attachments }, { files: [signed] })).toEqual([
      'attachments.0.fields: already-signed',
    ]);
  });
});

describe('tags', () => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));

  it('leave room for the tag that identifies a lost reply (T1-48)', () => {
    expect(errors({ tags: many(99) })).toEqual([]);
    expect(errors({ tags: many(100) })).toEqual(['tags: too-many']);
  });

  it.each([
    [{ 'EGR:x': 'v' }, 'tags.EGR:x: reserved'],
    [{ 'desk.ref': 'v' }, 'tags.desk.ref: reserved'],
    [{ ['k'.repeat(129)]: 'v' }, `tags.${'k'.repeat(129)}: too-long`],
    [{ k: 'v'.repeat(257) }, 'tags.k: too-long'],
    [{ k: 'a,b' }, 'tags.k: format'],
    [{ k: '😀' }, 'tags.k: format'],
    [{ k: ' v' }, 'tags.k: format'],
    [{ '': 'v' }, 'tags.: required'],
    [{ a: '1', 'a ': '2' }, 'tags.a : duplicate'],
    [{ ' egr:x': 'v' }, 'tags. egr:x: reserved'],
    [{ 'a#b': 'v' }, 'tags.a#b: format'],
    [{ ['😀'.repeat(65)]: 'v' }, `tags.${'😀'.repeat(65)}: too-long`],
  ])('%j are refused (T1-48)', (tags, wanted) => {
    expect(errors({ tags })).toContain(wanted);
  });

  it('may have letters of any language, digits and + - = . _ : / (T1-48)', () => {
    expect(errors({ tags: { 'Härad_1.2:3/4': 'Żółw +1 -2 =3' } })).toEqual([]);
    expect(errors({ tags: { ['k'.repeat(128)]: 'v'.repeat(256) } })).toEqual([]);
  });

  it('without a value get a warning (T1-48)', () => {
    expect(warnings({ tags: { k: '' } })).toEqual(['tags.k: blank']);
  });
});

describe('notifications', () => {
  const block = (change: object) => ({ notifications: [{ type: 'READY_TO_SIGN', ...change }] });
  const mail = { medium: 'EMAIL', address: 'a@example.com' };
  const hook = { medium: 'WEBHOOK', address: 'https://example.com/hook' };

  it('of different media need separate blocks, and parties have no webhooks (T1-53)', () => {
    expect(errors(block({ recipients: [mail, hook] }))).toEqual([
      'notifications.0.recipients: content-mismatch',
    ]);
    expect(errors(block({ recipients: [hook] }))).toEqual([]);
    expect(errors(withParty(block({ recipients: [hook] })))).toEqual([
      'parties.0.notifications.0.recipients.0.medium: not-applicable',
    ]);
  });

  it('attach the PDF only to the final message (T1-54)', () => {
    expect(errors(block({ attachPdf: false }))).toEqual([
      'notifications.0.attachPdf: not-applicable',
    ]);
    expect(errors({ notifications: [{ type: 'SIGNED_BY_ALL', attachPdf: false }] })).toEqual([]);
  });

  it('use one of eleven languages (T1-55)', () => {
    expect(errors(block({ locale: 'sv' }))).toEqual(['notifications.0.locale: format']);
    expect(errors(block({ locale: 'sv_SE' }))).toEqual([]);
  });
});
