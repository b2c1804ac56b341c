import { describe, expect, it } from 'vitest';
import type { DraftFile } from '../../../../shared/contract/drafts.ts';
import { FileId } from '../../../../shared/model/ids.ts';
import { checkV2, lines, pdf, personV2 } from '../../../support/draft-checks.ts';

const fileOf = (number: number, bytes: number): DraftFile => ({
  ...pdf,
  id: FileId.parse(`00000000-0000-4000-8000-00000000000${number}`),
  name: `${number}.pdf`,
  bytes,
});

const errors = (change: object, files: readonly DraftFile[] = []) =>
  lines(checkV2(change, { files }).errors);
const withPerson = (change: object) => ({
  parties: { privates: [{ ...personV2, ...change }], companies: [] },
});
const withCompany = (change: object) => ({
  parties: { privates: [], companies: [{ ...personV2, personNo: undefined, ...change }] },
});

it('a complete draft has neither errors nor warnings', () => {
  expect(checkV2({})).toMatchObject({ errors: [], warnings: [] });
});

describe('the content of a v2 draft', () => {
  it.each([
    [{ text: ' ' }, 'text: required'],
    [{ text: 'å'.repeat(30_001) }, 'text: too-long'],
    [{ type: 'ATTACHED', text: undefined }, 'attachments: no-agreement-document'],
    [{ type: 'DYNAMIC_PDF', text: undefined }, 'dynamicPdf.templateId: required'],
    [{ name: '' }, 'name: required'],
    [{ signatureMessage: 'x' }, 'signatureMessage: not-applicable'],
    [{ drawSignature: true, signatureMessage: 'x'.repeat(121) }, 'signatureMessage: too-long'],
  ])('%j is refused (T2-30, T2-32, T2-34)', (change, wanted) => {
    expect(errors(change)).toContain(wanted);
  });

  it('that does not belong to the draft’s type is not sent, with a notice (T2-30)', () => {
    const { warnings } = checkV2({ attachments: [{ name: 'left.pdf' }] });
    expect(warnings).toMatchObject([{ field: 'attachments', code: 'content-mismatch' }]);
  });

  it.each([
    [-1, false],
    [0, true],
    [99, true],
    [100, false],
    [1.5, false],
  ])('may have %d days for signing: %s (T2-31)', (expireIn, isAllowed) => {
    expect(errors({ expireIn })).toEqual(isAllowed ? [] : ['expireIn: range']);
  });

  it.each([
    [[3_999_999], true],
    [[4_000_000], true],
    [[11_999_999], true],
    [[12_000_000], false],
    [[6_000_000, 5_999_999], true],
    [[6_000_000, 6_000_000], false],
  ])('may have files of %j bytes: %s (T2-38)', (sizes, isAllowed) => {
    const files = sizes.map((bytes, index) => fileOf(index + 1, bytes));
    const attachments = files.map(({ id, name }) => ({ name, file: id }));
    const change = { type: 'ATTACHED', text: undefined, attachments };
    expect(errors(change, files)).toEqual(isAllowed ? [] : ['attachments: too-large']);
  });

  it('adds no field values to a file that is already signed', () => {
    const file: DraftFile = { ...fileOf(1, 10), notices: ['already-signed'] };
    const attachments = [{ file: file.id, fields: [{ name: 'a', value: 'b' }] }];
    const change = { type: 'ATTACHED', text: undefined, attachments };
    expect(errors(change, [file])).toEqual(['attachments.0.fields: already-signed']);
  });
});

describe('parties of a v2 draft', () => {
  it('are required, in either group (T2-53)', () => {
    expect(errors({ parties: { privates: [], companies: [] } })).toEqual(['parties: no-party']);
    expect(errors(withCompany({ orgNo: '556036-0793' }))).toEqual([]);
  });

  it.each(['189001019802', '18900101-9802', '9001019802', '900101-9802'])(
    'may have the number %s, in one of the four forms (T2-48)',
    (personNo) => {
      expect(errors(withPerson({ personNo }))).toEqual([]);
    },
  );

  it.each(['900101+9802', '19 900101 9802', '900133-9802', '90010198021', 'x'])(
    'may not have the number %s, in another form than the four (T2-48)',
    (personNo) => {
      expect(errors(withPerson({ personNo }))).toEqual(['parties.privates.0.personNo: format']);
    },
  );

  it.each(['165560360793', '556036 0793', '55603607'])(
    'may not have the company number %s (T2-49)',
    (orgNo) => {
      expect(errors(withCompany({ orgNo }))).toEqual(['parties.companies.0.orgNo: format']);
    },
  );

  it.each([
    [[], 'one-method'],
    [['EID', 'EMAIL'], 'one-method'],
  ])('the methods %j are refused (T2-51)', (signMethods, code) => {
    expect(errors(withPerson({ signMethods }))).toEqual([
      `parties.privates.0.signMethods: ${code}`,
    ]);
  });

  it('that sign by a code need a mobile number, written with a space (T2-50)', () => {
    const field = 'parties.privates.0.mobile';
    const methods = { signMethods: ['SMS_OTP'] };
    expect(errors(withPerson(methods))).toEqual([`${field}: mobile-needed`]);
    expect(errors(withPerson({ ...methods, mobile: '+46701234567' }))).toEqual([
      `${field}: format`,
    ]);
    expect(errors(withPerson({ ...methods, mobile: '+46 701234567' }))).toEqual([]);
  });

  it('need a name and an address', () => {
    const nobody = { firstName: '', lastName: ' ', email: undefined };
    expect(errors(withPerson(nobody))).toEqual([
      'parties.privates.0.firstName: required',
      'parties.privates.0.lastName: required',
      'parties.privates.0.email: email-needed',
    ]);
  });

  it('may be limited to persons with valid numbers', () => {
    const allowedPersons = [{ personNo: 'x' }, {}];
    expect(errors(withCompany({ orgNo: '5560360793', allowedPersons }))).toEqual([
      'parties.companies.0.allowedPersons.0.personNo: format',
      'parties.companies.0.allowedPersons.1.personNo: required',
    ]);
  });
});
