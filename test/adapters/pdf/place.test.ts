import { degrees, PDFDocument, StandardFonts } from 'pdf-lib';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { describe, expect, it } from 'vitest';
import { createPdfForms } from '../../../electron/adapters/pdf/forms.ts';
import type { PlacedField } from '../../../shared/model/placed-field.ts';
import { realForm, sampleForm, signedForm, throughTool } from './sample-pdfs.ts';

const pdf = createPdfForms();
const failsWith = (reason: string) => ({ failure: { code: 'invalid', reason } });

const plain: Omit<PlacedField, 'name' | 'places'> = {
  kind: 'text',
  label: '',
  required: false,
  maxLength: null,
  fontSize: null,
  align: 'left',
  options: [],
  value: '',
};

const at = (x: number, y: number, width = 160, height = 20, page = 1) => ({
  page,
  box: { x, y, width, height },
});

/** One field of each kind. */
const each: readonly PlacedField[] = [
  { ...plain, name: 'Tenant', label: 'Full name of the tenant', places: [at(80, 700)] },
  { ...plain, name: 'Notes', kind: 'lines', places: [at(80, 600, 200, 60)] },
  { ...plain, name: 'From', kind: 'date', format: 'dd.MM.yyyy', places: [at(300, 700, 90)] },
  { ...plain, name: 'Rent', kind: 'number', align: 'right', maxLength: 9, places: [at(80, 560)] },
  { ...plain, name: 'Pets', kind: 'checkbox', places: [at(80, 520, 14, 14), at(80, 490, 14, 14)] },
  { ...plain, name: 'Pays', kind: 'choice', options: ['Card', 'Faktura'], places: [at(80, 450)] },
  { ...plain, name: 'Signs', kind: 'signature', required: true, places: [at(80, 300, 200, 50)] },
  { ...plain, name: 'Initials', kind: 'initials', places: [at(500, 20, 60, 30)] },
];

/** Returns a text page without a form, with a cross-reference table or stream. */
async function flatPdf({ isTurned = false, hasStreams = false } = {}): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const page = document.addPage([595, 842]);
  const font = await document.embedFont(StandardFonts.TimesRoman);
  page.drawText('Lease of a flat', { x: 80, y: 780, size: 18, font });
  if (isTurned) page.setRotation(degrees(90));
  return document.save({ useObjectStreams: hasStreams });
}

const isBeneath = (data: Uint8Array, whole: Uint8Array): boolean =>
  Buffer.from(whole.subarray(0, data.length)).equals(Buffer.from(data));

describe('fields drawn on a PDF', () => {
  it.each([
    ['a table', false],
    ['a stream', true],
  ])(
    'become a form after the unchanged original file, whose index is %s',
    async (_, hasStreams) => {
      const data = await flatPdf({ hasStreams });
      const whole = await pdf.place(data, each);
      expect(isBeneath(data, whole)).toBe(true);
      const { fields, placed } = await pdf.read(whole);
      expect(placed).toEqual(each);
      expect(fields.map(({ name, type }) => [name, type])).toEqual([
        ['Tenant', 'text'],
        ['Notes', 'text'],
        ['From', 'text'],
        ['Rent', 'text'],
        ['Pets', 'checkbox'],
        ['Pays', 'choice'],
        ['Signs', 'signature'],
        ['Initials', 'signature'],
      ]);
      expect(fields[0]).toMatchObject({ label: 'Full name of the tenant', page: 1 });
      expect(fields.flatMap(({ name, day }) => (day === undefined ? [] : [[name, day]]))).toEqual([
        ['From', 'dd.MM.yyyy'],
      ]);
      expect(fields[1]).toMatchObject({ multiline: true });
      expect(fields[3]).toMatchObject({ maxLength: 9 });
      expect(fields[4]?.places).toHaveLength(2);
      expect(fields[5]).toMatchObject({ options: ['Card', 'Faktura'] });
      expect(fields[6]).toMatchObject({ required: true });
      expect(throughTool('qpdf', whole, ['--check', 'in.pdf'])).toMatchObject({ status: 0 });
    },
  );

  it('are listed alike by qpdf and pdf.js', async () => {
    const whole = await pdf.place(await flatPdf(), each);
    const { said } = throughTool('qpdf', whole, ['--json', '--json-key=acroform', 'in.pdf']);
    const listed = JSON.parse(said) as { acroform: { fields: { fullname: string }[] } };
    const names = [...new Set(listed.acroform.fields.map(({ fullname }) => fullname))];
    expect(names.toSorted()).toEqual(each.map(({ name }) => name).toSorted());
    const task = getDocument({ data: whole.slice(), verbosity: 0 });
    const annotations = await (await (await task.promise).getPage(1)).getAnnotations();
    const shown = annotations as { fieldName: string; fieldType: string; rect: number[] }[];
    const rectOf = (name: string) => shown.find(({ fieldName }) => fieldName === name)?.rect;
    expect(rectOf('Rent')).toEqual([80, 560, 240, 580]);
    expect(new Set(shown.map(({ fieldType }) => fieldType))).toEqual(
      new Set(['Tx', 'Btn', 'Ch', 'Sig']),
    );
    await task.destroy();
  });

  it('are filled and flattened like the fields of any form', async () => {
    const whole = await pdf.place(await flatPdf(), each);
    const values = {
      Tenant: 'Åsa Öst',
      Rent: '9500',
      Pets: true,
      Pays: 'Faktura',
      Notes: 'Two\nlines',
    };
    const { data, filled, unfilled } = await pdf.merge(whole, values, true);
    expect({ filled, unfilled }).toEqual({ filled: 5, unfilled: ['From'] });
    const { said } = throughTool('pdftotext', data, ['in.pdf', '-']);
    for (const text of ['Lease of a flat', 'Åsa Öst', '9500', 'Faktura', 'Two', 'lines']) {
      expect(said).toContain(text);
    }
  });

  it('have the chosen font, size and direction, flat or not', async () => {
    const box = (y: number) => [at(80, y, 240)];
    const fields: PlacedField[] = [
      { ...plain, name: 'Sans', places: box(700) },
      { ...plain, name: 'Serif', font: 'serif', fontSize: 11, places: box(660) },
      { ...plain, name: 'Mono', font: 'mono', value: 'Łódź', places: box(620) },
      { ...plain, name: 'Rent', kind: 'number', number: '1 234,50', places: box(580) },
      { ...plain, name: 'From', kind: 'date', format: 'dd.MM.yyyy', places: box(540) },
      {
        ...plain,
        name: 'Deposit',
        kind: 'number',
        number: '1 234',
        value: '9500',
        places: box(500),
      },
    ];
    const whole = await pdf.place(await flatPdf(), fields);
    const { said: drawn } = throughTool('pdftotext', whole, ['in.pdf', '-']);
    for (const text of ['Łódź', '9 500']) expect(drawn).toContain(text);
    const values = { Sans: 'sans', Serif: 'serif', Mono: 'mono', Rent: '9500', From: '2026-12-01' };
    for (const isFlat of [true, false]) {
      const { data } = await pdf.merge(whole, values, isFlat);
      const { said: fonts } = throughTool('pdffonts', data, ['in.pdf']);
      for (const font of ['Helvetica', 'Times-Roman', 'Courier']) expect(fonts).toContain(font);
      const { said } = throughTool('pdftotext', data, ['-bbox', 'in.pdf', '-']);
      const [left = 0, right = 0] = (
        /xMin="([\d.]+)"[^>]*xMax="([\d.]+)"[^>]*>serif</u.exec(said) ?? []
      )
        .slice(1)
        .map(Number);
      // Width in Times; Helvetica would need a point more.
      expect(right - left).toBeCloseTo(11 * 1.777, 0);
      const { said: text } = throughTool('pdftotext', data, ['in.pdf', '-']);
      for (const part of ['9 500,00', '01.12.2026', 'mono']) expect(text).toContain(part);
    }
  });

  it('keep their initial values, in any script', async () => {
    const [first, ...rest] = each;
    if (first === undefined) expect.unreachable();
    const pets: PlacedField = {
      ...plain,
      name: 'Pets',
      kind: 'checkbox',
      value: 'true',
      places: [at(80, 520, 14, 14)],
    };
    const whole = await pdf.place(await flatPdf(), [
      { ...first, value: 'Łucja' },
      ...rest.filter(({ name }) => name !== 'Pets'),
      pets,
    ]);
    const { fields } = await pdf.read(whole);
    const held = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
    expect(held).toMatchObject({ Tenant: 'Łucja', Pets: 'true', Notes: '' });
    expect(throughTool('pdftotext', whole, ['in.pdf', '-']).said).toContain('Łucja');
  });

  it('are upright on a rotated page', async () => {
    const [field] = each;
    if (field === undefined) expect.unreachable();
    const whole = await pdf.place(await flatPdf({ isTurned: true }), [
      { ...field, value: 'Upright', places: [at(80, 300, 20, 160)] },
    ]);
    const { said } = throughTool('pdftotext', whole, ['-bbox', 'in.pdf', '-']);
    const box = /xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">Upright/u;
    const [xMin = 0, yMin = 0, xMax = 0, yMax = 0] = (box.exec(said) ?? []).slice(1).map(Number);
    expect(xMax - xMin).toBeGreaterThan(yMax - yMin);
  });

  it('replace fields drawn earlier; without fields, the original file is restored', async () => {
    const data = await flatPdf();
    const once = await pdf.place(data, each);
    const twice = await pdf.place(once, each.slice(0, 2));
    expect((await pdf.read(twice)).fields.map(({ name }) => name)).toEqual(['Tenant', 'Notes']);
    expect(isBeneath(data, twice)).toBe(true);
    expect(twice.length).toBeLessThan(once.length);
    expect(Buffer.from(await pdf.place(twice, [])).equals(Buffer.from(data))).toBe(true);
    expect((await pdf.read(data)).placed).toBeUndefined();
  });

  it('are added to the fields of an existing form', async () => {
    const form = realForm('form_to_flatten.pdf');
    const before = (await pdf.read(form)).fields.map(({ name }) => name);
    const whole = await pdf.place(form, [
      { ...plain, name: 'Case number', places: [at(300, 760)] },
    ]);
    const { fields, placed } = await pdf.read(whole);
    expect(fields.map(({ name }) => name)).toEqual([...before, 'Case number']);
    expect(placed).toHaveLength(1);
    expect(throughTool('qpdf', whole, ['--check', 'in.pdf']).status).toBe(0);
  });

  it('become ordinary fields after another program saved the file', async () => {
    const whole = await pdf.place(await flatPdf(), each);
    const { out } = throughTool('qpdf', whole, ['in.pdf', 'out.pdf']);
    const { fields, placed } = await pdf.read(out ?? expect.unreachable());
    expect(fields).toHaveLength(each.length);
    expect(placed).toBeUndefined();
  });
});

describe('invalid drawn fields', () => {
  const one = (changed: Partial<PlacedField>): PlacedField[] => [
    { ...plain, name: 'One', places: [at(80, 700)], ...changed },
  ];

  it.each<[string, PlacedField[]]>([
    ['placed-outside', one({ places: [at(590, 700)] })],
    ['placed-outside', one({ places: [at(80, 700, 160, 20, 2)] })],
    ['placed-outside', one({ places: [at(80, 700, 160, 1)] })],
    ['placed-options', one({ kind: 'choice' })],
    ['placed-name', [...one({}), ...one({})]],
    ['pdf-value-too-long', one({ maxLength: 2, value: 'three' })],
    ['pdf-no-such-option', one({ kind: 'choice', options: ['A'], value: 'B' })],
  ])('are rejected by name: %s', async (reason, fields) => {
    const refused = {
      failure: { code: 'invalid', reason, fields: { One: expect.any(String) as string } },
    };
    await expect(pdf.place(await flatPdf(), fields)).rejects.toMatchObject(refused);
  });

  it('are rejected on a protected PDF, and on a PDF that cannot be extended', async () => {
    await expect(pdf.place(await signedForm(), one({}))).rejects.toMatchObject(
      failsWith('pdf-signed'),
    );
    await expect(pdf.place(realForm('with_xfa_fields.pdf'), one({}))).rejects.toMatchObject(
      failsWith('pdf-xfa'),
    );
    const text = Buffer.from(await flatPdf()).toString('latin1');
    const lost = Buffer.from(text.replace(/startxref\s+\d+/u, 'startxref\n7'), 'latin1');
    await expect(pdf.place(new Uint8Array(lost), one({}))).rejects.toMatchObject(
      failsWith('pdf-not-appendable'),
    );
    const named = [{ ...plain, name: 'notes', places: [at(80, 700)] }];
    await expect(pdf.place(await sampleForm(), named)).rejects.toMatchObject(
      failsWith('placed-name'),
    );
  });
});
