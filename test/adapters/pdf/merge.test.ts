// tier: quick, 20 s, because a filled form is what people sign
import { PDFDocument } from 'pdf-lib';
import { describe, expect, it } from 'vitest';
import { createPdfForms } from '../../../electron/adapters/pdf/forms.ts';
import { PDF_THREAD_LIMITS } from '../../../electron/adapters/pdf/kept-thread.ts';
import type { PdfValues } from '../../../shared/contract/templates.ts';
import { realForm, sampleForm, throughTool } from './sample-pdfs.ts';

const pdf = createPdfForms();
/** PDF forms of a computer that has no fonts installed. */
const bare = createPdfForms(PDF_THREAD_LIMITS, []);
const VALUES: PdfValues = {
  'party.name': 'Åsa Öberg €',
  'party.country': 'SE',
  notes: 'one\ntwo',
  accepted: true,
  pay: 'Invoice',
  unit: 'Days',
  city: 'Lund',
};

const check = (data: Uint8Array): string => {
  const { status, said } = throughTool('qpdf', data, ['--check', 'in.pdf']);
  return status === 0 ? 'sound' : said;
};
const textOf = (data: Uint8Array): string =>
  throughTool('pdftotext', data, ['-layout', 'in.pdf', '-']).said;
const valuesOf = async (data: Uint8Array): Promise<Record<string, string>> => {
  const { fields } = await pdf.read(data);
  return Object.fromEntries(fields.map(({ name, value }) => [name, value]));
};

describe('filling a form', () => {
  it('sets every kind of field, and the file is valid (TX-30)', async () => {
    const { data, filled, unfilled } = await pdf.merge(await sampleForm(), VALUES, false);
    expect(check(data)).toBe('sound');
    expect({ filled, unfilled }).toEqual({ filled: 7, unfilled: [] });
    expect(await valuesOf(data)).toEqual({ ...VALUES, accepted: 'true', number: 'A-17' });
    expect(textOf(data)).toMatch(/Åsa Öberg €[^]*A-17[^]*one\s+two/);
  });

  it('draws the values into the pages when it flattens, and leaves no form', async () => {
    const { data } = await pdf.merge(await sampleForm(), VALUES, true);
    expect(check(data)).toBe('sound');
    expect(await pdf.read(data)).toMatchObject({ pages: 2, fields: [], notices: ['no-fields'] });
    expect(textOf(data)).toMatch(/Åsa Öberg €[^]*A-17[^]*Days[^]*one\s+two/);
  });

  it.each([true, false])(
    'draws a short text in a large box no larger than a viewer does (flattened: %j)',
    async (flatten) => {
      const document = await PDFDocument.load(await sampleForm());
      const { acroField } = document.getForm().getTextField('notes');
      for (const holder of [acroField, ...acroField.getWidgets()]) {
        if (holder.getDefaultAppearance()) holder.setDefaultAppearance('/Helv 0 Tf 0 g');
      }
      const form = await document.save({ updateFieldAppearances: false });
      const { data } = await pdf.merge(form, { notes: 'None' }, flatten);
      const { said } = throughTool('pdftotext', data, ['-bbox', 'in.pdf', '-']);
      const [, top, bottom] = /yMin="([\d.]+)"[^>]*yMax="([\d.]+)">None</.exec(said) ?? [];
      expect(Number(bottom) - Number(top)).toBeGreaterThan(6);
      expect(Number(bottom) - Number(top)).toBeLessThan(16);
    },
  );

  it('lists the fields that stay empty', async () => {
    const { filled, unfilled } = await pdf.merge(await sampleForm(), { unit: 'Days' }, false);
    expect({ filled, unfilled }).toEqual({
      filled: 1,
      unfilled: ['party.name', 'party.country', 'notes', 'pay', 'city'],
    });
  });

  it.each([
    [true, 'true'],
    ['true', 'true'],
    ['Yes', 'true'],
    [false, 'false'],
    ['false', 'false'],
  ])('accepts %j for a checkbox (TX-30)', async (value, read) => {
    const { data } = await pdf.merge(await sampleForm(), { accepted: value }, false);
    expect(await valuesOf(data)).toMatchObject({ accepted: read });
  });

  it('does not change the input file', async () => {
    const data = await sampleForm();
    const before = data.slice();
    await pdf.merge(data, VALUES, true);
    expect(data).toEqual(before);
  });

  it.each(['create_form.pdf', 'form_to_flatten.pdf', 'textfields.pdf'])(
    'works with %s, which another program made',
    async (name) => {
      const form = realForm(name);
      const { fields } = await pdf.read(form);
      const values = Object.fromEntries(
        fields.map(({ name: field, type, options, maxLength }) => [
          field,
          type === 'checkbox' || (options?.[0] ?? 'Łukasz'.slice(0, maxLength)),
        ]),
      );
      for (const flatten of [false, true]) {
        const { data, filled } = await pdf.merge(form, values, flatten);
        expect(check(data)).toBe('sound');
        expect(filled).toBe(fields.length);
        expect(textOf(data)).toContain('Łuk');
      }
    },
  );
});

describe('letters in a form value', () => {
  it.each(['Łukasz Žižek', 'Ελλάδα', 'Дмитрий', 'Şahin', 'Čapek ő'])(
    '%s is written unchanged (TX-32)',
    async (name) => {
      for (const flatten of [false, true]) {
        const { data } = await pdf.merge(await sampleForm(), { 'party.name': name }, flatten);
        expect(check(data)).toBe('sound');
        expect(textOf(data)).toContain(name);
      }
    },
  );

  it.each([
    ['中文', 'U+4E2D'],
    ['ok 👍', 'U+1F44D'],
    ['a\u0007', 'U+0007'],
  ])(
    'are rejected, never replaced, if they are missing from all fonts: %s (TX-32)',
    async (name, point) => {
      const merging = bare.merge(await sampleForm(), { 'party.name': name }, false);
      await expect(merging).rejects.toMatchObject({
        failure: { code: 'invalid', reason: 'pdf-letters', fields: { 'party.name': point } },
      });
    },
  );

  it('are composed if they are decomposed', async () => {
    const { data } = await pdf.merge(await sampleForm(), { 'party.name': 'A\u030asa' }, false);
    expect(await valuesOf(data)).toMatchObject({ 'party.name': 'Åsa' });
  });
});

describe('a value that the form does not accept', () => {
  it.each([
    ['party.country', 'SWE', 'pdf-value-too-long'],
    ['nobody', 'x', 'pdf-no-such-field'],
    ['toString', 'x', 'pdf-no-such-field'],
    ['pay', 'Cash', 'pdf-no-such-option'],
    ['unit', 'weeks', 'pdf-no-such-option'],
    ['city', 'Oslo', 'pdf-no-such-option'],
    ['accepted', 'maybe', 'pdf-no-such-option'],
  ])('is rejected with its field: %s = %s (TX-32)', async (field, value, reason) => {
    const merging = pdf.merge(await sampleForm(), { [field]: value }, false);
    await expect(merging).rejects.toMatchObject({ failure: { code: 'invalid', reason } });
    await expect(merging).rejects.toHaveProperty(['failure', 'fields', field]);
  });
});
