import { describe, expect, it } from 'vitest';
import type { PdfForm } from '../../../../shared/contract/templates.ts';
import { type Around, checkV2, FILE, lines, pdf, personV2 } from '../../../support/draft-checks.ts';

/**
 * Time of the checks (epoch ms): half past midnight in Sweden, which is still the day before in
 * UTC.
 */
const now = Date.UTC(2026, 6, 14, 22, 30);
const form: PdfForm = {
  pages: 1,
  fields: [
    {
      name: 'sign.here',
      type: 'text',
      page: 1,
      value: '',
      multiline: false,
      required: false,
      readOnly: false,
    },
  ],
  notices: [],
};
const withForm: Around = { files: [{ ...pdf, fieldCount: 1 }], form, now };
const withoutFields: Around = { files: [pdf], now };

const errors = (change: object, around = withForm) => lines(checkV2(change, around).errors);
const warnings = (change: object) => lines(checkV2(change, withForm).warnings);

describe('messages of a v2 draft', () => {
  const message = (change: object) => ({ notificationMessages: [{ type: 'posted', ...change }] });
  const at = 'notificationMessages.0';

  it.each([undefined, null, []])('may be %j, each a different request (T2-33)', (messages) => {
    expect(errors({ notificationMessages: messages })).toEqual([]);
  });

  it.each([
    ['x'.repeat(30_000), []],
    ['x'.repeat(30_001), [`${at}.additionalText: too-long`]],
    [`${'x'.repeat(29_999)}😀`, [`${at}.additionalText: too-long`]],
  ])('may have 30,000 characters at most (T2-34)', (additionalText, wanted) => {
    expect(errors(message({ additionalText }))).toEqual(wanted);
  });

  it.each([
    ['', 'email-needed'],
    ['bo@x', 'format'],
  ])('go to other recipients at an address, not to %j (T2-36)', (email, code) => {
    expect(errors(message({ additionalRecipients: [{ firstName: 'Bo', email }] }))).toEqual([
      `${at}.additionalRecipients.0.email: ${code}`,
    ]);
  });

  it('are reported if one kind is given twice', () => {
    const twice = { notificationMessages: [{ type: 'signed' }, { type: 'signed' }] };
    expect(warnings(twice)).toContain('notificationMessages.1.type: duplicate');
  });
});

describe('a reminder of a v2 draft', () => {
  const reminder = (change: object) => ({
    reminders: [{ date: '2026-07-15', emails: ['bo@example.com'], ...change }],
  });

  it.each([
    ['2026-07-15', []],
    ['2026-07-14', ['reminders.0.date: past-day']],
    ['15.7.2026', ['reminders.0.date: format']],
    ['2026-02-30', ['reminders.0.date: format']],
    ['', ['reminders.0.date: required']],
  ])('on %s uses the date in Sweden, the fifteenth (T2-37)', (date, wanted) => {
    expect(errors(reminder({ date }))).toEqual(wanted);
  });

  it('has a recipient, and is not too long (T2-34)', () => {
    expect(errors(reminder({ emails: [] }))).toEqual(['reminders.0.emails: email-needed']);
    expect(errors(reminder({ emails: ['bo'] }))).toEqual(['reminders.0.emails.0: format']);
    expect(errors(reminder({ message: 'x'.repeat(30_001) }))).toEqual([
      'reminders.0.message: too-long',
    ]);
  });
});

describe('a webhook', () => {
  it.each([
    [{ events: [], url: 'https://x.se' }, 'webhook.events: required'],
    [{ events: ['POSTED'], url: 'mailto:a@x.se' }, 'webhook.url: format'],
    [{ events: ['POSTED'], url: '' }, 'webhook.url: required'],
  ])('%j is refused (T2-55)', (webhook, wanted) => {
    expect(errors({ webhook })).toEqual([wanted]);
  });

  it('gets a warning when it is not encrypted (T2-55)', () => {
    const hook = (url: string) => ({ webhook: { events: ['POSTED'], url } });
    expect(errors(hook('http://x.se/hook'))).toEqual([]);
    expect(warnings(hook('http://x.se/hook'))).toEqual(['webhook.url: insecure']);
    expect(warnings(hook('https://x.se/hook'))).toEqual([]);
  });
});

describe('the place of a drawn signature', () => {
  const drawn = (signMetadata: object[], change: object = {}) => ({
    type: 'ATTACHED',
    text: undefined,
    drawSignature: true,
    attachments: [{ file: FILE }],
    parties: { privates: [{ ...personV2, signMetadata }], companies: [] },
    ...change,
  });
  const place = { attachmentIndex: 0, signatureFields: ['sign.here'] };
  const at = 'parties.privates.0.signMetadata.0';

  it('is a field of an existing document (T2-52)', () => {
    expect(errors(drawn([place]))).toEqual([]);
    expect(errors(drawn([{ ...place, attachmentIndex: 1 }]))).toEqual([
      `${at}.attachmentIndex: range`,
    ]);
    expect(errors(drawn([{ ...place, attachmentIndex: -1 }]))).toEqual([
      `${at}.attachmentIndex: range`,
    ]);
    expect(errors(drawn([{ ...place, signatureFields: [] }]))).toEqual([
      `${at}.signatureFields: required`,
    ]);
  });

  it('must name the field exactly as the PDF does, since the service checks that too late (T2-52)', () => {
    const wrong = { ...place, signatureFields: ['Sign.here'] };
    expect(errors(drawn([wrong]))).toEqual([`${at}.signatureFields.0: no-such-field`]);
    expect(errors(drawn([place]), withoutFields)).toEqual([
      `${at}.signatureFields.0: no-such-field`,
    ]);
  });

  it('is rejected without a drawn signature or documents (T2-52)', () => {
    expect(errors(drawn([place], { drawSignature: false }))).toEqual([`${at}: not-applicable`]);
    expect(errors(drawn([place], { type: 'FREE_TEXT', text: 'x' }))).toEqual([
      `${at}.attachmentIndex: range`,
    ]);
  });
});

describe('a template', () => {
  const template = (fields: object[]) => ({
    type: 'DYNAMIC_PDF',
    text: undefined,
    dynamicPdf: { templateId: '70001', fields },
  });

  it('accepts booleans for checkboxes, and warns about words that look like them (T2-46)', () => {
    expect(warnings(template([{ name: 'parking', value: true }]))).toEqual([]);
    for (const value of ['true', 'Ja', 'nej']) {
      expect(warnings(template([{ name: 'parking', value }]))).toEqual([
        'dynamicPdf.fields.0.value: looks-boolean',
      ]);
    }
  });

  it('needs a name for each field, and gets a warning for a repeated name (T2-47)', () => {
    expect(errors(template([{ name: '', value: 'x' }]))).toEqual([
      'dynamicPdf.fields.0.name: required',
    ]);
    const twice = [
      { name: 'tenant', value: 'a' },
      { name: 'tenant', value: 'b' },
    ];
    expect(warnings(template(twice))).toEqual(['dynamicPdf.fields.1.name: duplicate']);
  });
});

describe('a file', () => {
  const attached = (...attachments: object[]) => ({
    type: 'ATTACHED',
    text: undefined,
    attachments,
  });

  it('has the given name, or otherwise the name of the stored file (T2-45)', () => {
    expect(errors(attached({ file: FILE }))).toEqual([]);
    expect(errors(attached({ file: FILE, name: '' }))).toEqual(['attachments.0.name: required']);
  });

  it('that was uploaded is sent as its token only (T2-40)', () => {
    expect(errors(attached({ token: 'abc' }))).toEqual([]);
    expect(errors(attached({ token: 'abc', file: FILE }))).toEqual([
      'attachments.0.token: not-applicable',
    ]);
    expect(errors(attached({ token: '' }))).toEqual(['attachments.0.file: file-missing']);
  });
});

describe('parties of a v2 draft', () => {
  it('who are one person in two number forms get a warning (T2-48)', () => {
    const other = { ...personV2, personNo: '189001019802', email: 'b@example.com' };
    expect(warnings({ parties: { privates: [personV2, other], companies: [] } })).toEqual([
      'parties.privates.1.personNo: duplicate',
    ]);
  });

  it('can sign until midnight when no day is given (T2-31)', () => {
    expect(warnings({ expireIn: 0 })).toEqual(['expireIn: ends-today']);
    expect(warnings({ expireIn: 1 })).toEqual([]);
  });

  it('see a panel message of at most 120 characters (T2-32)', () => {
    const message = (signatureMessage: string) => errors({ drawSignature: true, signatureMessage });
    expect(message('x'.repeat(120))).toEqual([]);
    expect(message(`${'x'.repeat(119)}😀`)).toEqual(['signatureMessage: too-long']);
  });
});
