import { PDFDocument } from 'pdf-lib';
import { describe, expect, it } from 'vitest';
import { createPdfForms } from '../../../electron/adapters/pdf/forms.ts';
import { isThere, MEASURED, readForm } from './real-forms.ts';
import { cyclicForm, realForm, sampleForm, signedForm, throughTool } from './sample-pdfs.ts';

const pdf = createPdfForms();
const failsWith = (reason: string) => ({ failure: { code: 'invalid', reason } });
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('a file that is not a valid PDF', () => {
  it.each([
    ['an empty file', '', 'file-empty'],
    ['one byte', '%', 'not-a-pdf'],
    ['a web page', '<!doctype html><p>%PDF', 'not-a-pdf'],
    ['only a header', '%PDF-1.7', 'pdf-damaged'],
    ['a header and an end without content', '%PDF-1.7\nstartxref\n0\n%%EOF', 'pdf-damaged'],
    [
      'a header that comes too late',
      `${' '.repeat(1030)}%PDF-1.7\nstartxref\n0\n%%EOF`,
      'not-a-pdf',
    ],
  ])('is rejected by its content: %s', async (_, text, reason) => {
    await expect(pdf.read(bytes(text))).rejects.toMatchObject(failsWith(reason));
    await expect(pdf.merge(bytes(text), {}, false)).rejects.toMatchObject(failsWith(reason));
  });

  it.each([0.1, 0.5, 0.99])('is rejected when it ends after %f of its length', async (part) => {
    const whole = realForm('form_to_flatten.pdf');
    const cut = whole.subarray(0, Math.floor(whole.length * part));
    await expect(pdf.read(cut)).rejects.toMatchObject(failsWith('pdf-damaged'));
  });

  it.each([
    ['a password', ['--encrypt', 'user', 'owner', '256', '--'], 'pdf-encrypted'],
    ['its owner', ['--encrypt', '', 'owner', '256', '--modify=none', '--'], 'pdf-restricted'],
  ])('is rejected when it is protected by %s (TX-31, IN-Q15)', async (_, options, reason) => {
    const { out } = throughTool('qpdf', await sampleForm(), [...options, 'in.pdf', 'out.pdf']);
    await expect(pdf.read(out ?? bytes(''))).rejects.toMatchObject(failsWith(reason));
  });
});

describe('the fields of a form', () => {
  it('are listed with their kind, page, options and limits (TX-30)', async () => {
    const { pages, fields, notices } = await pdf.read(await sampleForm());
    const plain = { multiline: false, required: false, readOnly: false, page: 1, value: '' };
    expect(pages).toBe(2);
    expect(notices).toEqual([]);
    const whole = fields.map(({ places: _places, ...field }) => field);
    expect(whole).toEqual([
      { ...plain, name: 'party.name', type: 'text' },
      { ...plain, name: 'party.country', type: 'text', page: 2, maxLength: 2, required: true },
      { ...plain, name: 'notes', type: 'text', page: 2, multiline: true },
      { ...plain, name: 'number', type: 'text', value: 'A-17', readOnly: true },
      { ...plain, name: 'accepted', type: 'checkbox', value: 'false', options: ['Yes'] },
      { ...plain, name: 'pay', type: 'radio', options: ['Card', 'Invoice'] },
      { ...plain, name: 'unit', type: 'choice', options: ['Hours', 'Days'] },
      { ...plain, name: 'city', type: 'choice', options: ['Umeå', 'Lund'] },
    ]);
  });

  it.for([...MEASURED, 'textfields.pdf'])(
    'have the same names as in pdf-lib in %s, each once',
    async (name, { skip }) => {
      skip(!isThere(name), 'SIGNING_DESK_FORMS does not hold it');
      const data = readForm(name);
      const fields = (await PDFDocument.load(data)).getForm().getFields();
      const names = (await pdf.read(data)).fields.map((field) => field.name);
      expect(names).toEqual([...new Set(fields.map((field) => field.getName()))]);
    },
  );

  it.each([
    ['create_form.pdf', ['checkbox', 'choice', 'radio', 'text'], 8],
    ['form_to_flatten.pdf', ['checkbox', 'choice', 'radio', 'text'], 9],
    ['textfields.pdf', ['text'], 9],
    ['with_xfa_fields.pdf', ['checkbox', 'text'], 116],
  ])('are found in %s, which another program made', async (name, types, count) => {
    const { fields } = await pdf.read(realForm(name));
    expect(fields).toHaveLength(count);
    expect([...new Set(fields.map(({ type }) => type))].sort()).toEqual(types);
  });
});

describe('the form of a PDF', () => {
  it('is empty if the PDF has no fields', async () => {
    const document = await PDFDocument.create();
    document.addPage();
    expect(await pdf.read(await document.save())).toMatchObject({ notices: ['no-fields'] });
  });

  it('is empty if its fields are circular', async () => {
    const data = await cyclicForm();
    expect(await pdf.read(data)).toMatchObject({ notices: ['no-fields'] });
    await expect(pdf.merge(data, { a: 'x' }, false)).rejects.toMatchObject(
      failsWith('pdf-no-such-field'),
    );
  });

  it('is listed but never rewritten if it is an XFA form (TX-31)', async () => {
    const data = realForm('with_xfa_fields.pdf');
    const before = data.slice();
    const { fields, notices } = await pdf.read(data);
    expect(notices).toContain('xfa');
    expect(fields).not.toHaveLength(0);
    await expect(pdf.merge(data, {}, false)).rejects.toMatchObject(failsWith('pdf-xfa'));
    expect(data).toEqual(before);
  });

  it('is never rewritten if the PDF is already signed (TX-31)', async () => {
    const data = await signedForm();
    expect(await pdf.read(data)).toMatchObject({ notices: ['already-signed'] });
    await expect(pdf.merge(data, {}, true)).rejects.toMatchObject(failsWith('pdf-signed'));
  });
});
