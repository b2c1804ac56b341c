// tier: quick, 20 s, because the signed document has to show what the form showed
import { deflateSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { differingPages } from '../../../build/corpus/judge-pixels.ts';
import { createPdfForms } from '../../../electron/adapters/pdf/forms.ts';
import type { PdfValues } from '../../../shared/model/pdf-form.ts';
import type { PlacedField } from '../../../shared/model/placed-field.ts';
import { fitValue } from '../../../shared/rules/forms/field-values.ts';
import { handMade, stream, textField } from './hand-made.ts';
import type { GreyscalePage } from '../../../build/corpus/draw-pages.ts';
import { apart, byMuPdf, byPoppler } from './viewers.ts';

const pdf = createPdfForms();
afterAll(() => pdf.close());

const BOX = [60, 700, 260, 720] as const;
const NEW: Omit<PlacedField, 'name' | 'places'> = {
  kind: 'text',
  label: '',
  required: false,
  maxLength: null,
  fontSize: null,
  align: 'left',
  options: [],
  value: '',
};
const VALUES = { Namn: 'Ada Ek' };

async function copies(form: Uint8Array, values: PdfValues) {
  const [open, flat] = [await pdf.merge(form, values, false), await pdf.merge(form, values, true)];
  return { open: open.data, flat: flat.data };
}

/** Whether the drawings of two files look alike in each viewer. */
function looksLike(one: Uint8Array, other: Uint8Array): boolean {
  return [byMuPdf, byPoppler].every((viewer) => apart(viewer(one, 1), viewer(other, 1), 1) === 0);
}

const line = '0.5 w 40 640 m 300 640 l S';

describe('the flat copy looks like the filled form', () => {
  const layer = '<< /Type /OCG /Name (Draft) >>';
  const off = '/OCProperties << /OCGs [6 0 R] /D << /OFF [6 0 R] >> >>';
  it.each([
    ['saves its state twice and is scaled', `q 0.5 0 0 0.5 0 0 cm q ${line}`],
    ['saves its state and clips', `q 0 0 20 20 re W n q ${line}`],
    ['restores a state that it did not save', `0.5 0 0 0.5 0 0 cm ${line} Q Q`],
    ['ends within an invisible text', `q BT /Helv 10 Tf 3 Tr 40 600 Td (Q Q) Tj`],
    [
      'has the letters q and Q in texts and comments',
      `BT (\\) Q q Q) Tj ET % Q q q\n/Q q Q <51> Tj ${line}`,
    ],
    [
      'contains a picture whose bytes look like operators',
      `q 20 0 0 20 40 600 cm BI /W 4 /H 2 /BPC 8 /CS /G ID \x00Q Q EI\x01 EI Q q`,
    ],
  ])('when the page content %s (IN-F4)', async (_, content) => {
    const form = handMade([textField('Namn', BOX)], '', { content });
    const { open, flat } = await copies(form, VALUES);
    expect(differingPages(open, flat)).toEqual([]);
  });

  it.each([
    ['a string', 'q BT /Helv 10 Tf 40 600 Td (never (closed'],
    ['a string after a backslash', 'q BT (never closed \\'],
    ['a hexadecimal string', 'q BT <41'],
    ['a list of strings', 'q BT [(one) 2 (three'],
    ['a dictionary', '/Span << /Lang (en) /More [<< /A 1'],
    ['an inline image', 'q BI /W 1 /H 1 /BPC 8 /CS /G ID x'],
  ])('when the page content was truncated within %s (IN-Z4)', async (_, content) => {
    const form = handMade([textField('Namn', BOX)], '', { content });
    const { open, flat } = await copies(form, VALUES);
    expect(differingPages(open, flat)).toEqual([]);
  });

  it.each([
    ['a predictor', '/FlateDecode /DecodeParms << /Predictor 12 /Columns 16 >>', 'predicted'],
    [
      'a predictor in lists',
      '[/FlateDecode] /DecodeParms [<< /Predictor 12 /Columns 16 >>]',
      'predicted',
    ],
    ['a filter by its short name', '/AHx', 'hex'],
  ])(
    'when the page content has %s and leaves graphics states open (IN-Z13)',
    async (_, filter, kind) => {
      const plain = Buffer.from(`q 0.5 0 0 0.5 0 0 cm ${line} Q Q Q q q 2 0 0 2 0 0 cm`.padEnd(64));
      const rows = Buffer.concat([
        ...[0, 16, 32, 48].map((at) =>
          Buffer.from([
            2,
            ...plain.subarray(at, at + 16).map((byte, x) => byte - (plain[at - 16 + x] ?? 0)),
          ]),
        ),
      ]);
      const packed =
        kind === 'hex' ? `${plain.toString('hex')}>` : deflateSync(rows).toString('latin1');
      const own = handMade([textField('Namn', BOX)], '', { content: packed });
      const text = Buffer.from(own).toString('latin1');
      const filtered = text.replace(
        `<<  /Length ${packed.length}`,
        `<< /Filter ${filter} /Length ${packed.length}`,
      );
      expect(filtered).not.toBe(text);
      const { open, flat } = await copies(new Uint8Array(Buffer.from(filtered, 'latin1')), VALUES);
      expect(looksLike(open, flat)).toBe(true);
    },
  );

  it('when the page content ends within a hidden layer (IN-F4)', async () => {
    const resources = '/Properties << /Gone 6 0 R >>';
    const beneath = { content: '/OC /Gone BDC q', resources, catalog: off, more: [layer] };
    const { flat } = await copies(handMade([textField('Namn', BOX)], '', beneath), VALUES);
    const plain = await copies(handMade([textField('Namn', BOX)]), VALUES);
    expect(looksLike(flat, plain.open)).toBe(true);
  });

  it('when the user drew fields on a page that leaves graphics states open (IN-F4)', async () => {
    const form = handMade([], '', { content: 'q 0.5 0 0 0.5 0 0 cm q 0 0 9 9 re W n' });
    const [x, y, right, top] = BOX;
    const box = { x, y, width: right - x, height: top - y };
    const drawn = { ...NEW, name: 'Namn', places: [{ page: 1, box }] };
    const { open, flat } = await copies(await pdf.place(form, [drawn]), VALUES);
    expect(differingPages(open, flat)).toEqual([]);
  });

  it.each([
    ['from the right', [260, 700, 60, 720]],
    ['from the top', [60, 720, 260, 700]],
    ['from the upper right', [260, 720, 60, 700]],
  ] as const)('when the rectangle of a field is written %s (IN-F6)', async (_, box) => {
    const usual = await copies(handMade([textField('Namn', BOX)]), VALUES);
    const { open, flat } = await copies(handMade([textField('Namn', box)]), VALUES);
    expect(looksLike(open, usual.open)).toBe(true);
    expect(looksLike(flat, usual.open)).toBe(true);
  });

  it.each([
    ['is off', off],
    ['is on', '/OCProperties << /OCGs [6 0 R] /D << /ON [6 0 R] >> >>'],
  ])('when a field belongs to a layer that %s (IN-F10)', async (_, catalog) => {
    const held = textField('Namn', BOX, '/OC 6 0 R /V (English) /DA (/Helv 12 Tf 0 g)');
    const other = textField('Ort', [60, 660, 260, 680]);
    const form = handMade([held, other], '', { catalog, more: [layer] });
    for (const values of [{ Ort: 'Umeå' }, { Ort: 'Umeå', Namn: 'Ada Ek' }]) {
      const { open, flat } = await copies(form, values);
      expect(differingPages(open, flat)).toEqual([]);
    }
  });

  it('when page pictures have the names used for fields', async () => {
    const picture = stream('/Type /XObject /Subtype /Form /BBox [0 0 90 90]', '0 0 90 90 re f');
    const resources = '/XObject << /Field1 6 0 R >>';
    const beneath = { content: '/Field1 Do', resources, more: [picture] };
    const form = handMade([textField('Namn', BOX)], '', beneath);
    const { open, flat } = await copies(form, VALUES);
    expect(differingPages(open, flat)).toEqual([]);
  });

  it('when fields are on a stamp of the page, and on each other (IN-F4)', async () => {
    const dark = stream('/Type /XObject /Subtype /Form /BBox [0 0 200 60]', '0 0 200 60 re f');
    const stamp =
      '<< /Type /Annot /Subtype /Stamp /F 4 /Rect [50 680 250 740] /AP << /N 6 0 R >> >>';
    const light = '/MK << /BG [1 1 1] >>';
    const fields = [textField('Namn', BOX, light), textField('Ort', [60, 700, 160, 720], light)];
    const form = handMade(fields, '', { more: [dark, stamp], annotations: '7 0 R' });
    const { open, flat } = await copies(form, { Namn: 'Ada Ek', Ort: 'Umeå' });
    expect(differingPages(open, flat)).toEqual([]);
    expect(looksLike(flat, (await copies(handMade(fields), VALUES)).flat)).toBe(false);
  });

  it('when the font of a text has a size and no name (IN-F4)', async () => {
    const more = '/Ff 4096 /DA (/ 8 Tf 0 g)';
    const form = handMade([textField('Namn', [60, 660, 260, 720], more)]);
    const { open, flat } = await copies(form, VALUES);
    expect(differingPages(open, flat)).toEqual([]);
    const usual = handMade([
      textField('Namn', [60, 660, 260, 720], more.replace('/ 8', '/Helv 8')),
    ]);
    expect(looksLike(flat, (await copies(usual, VALUES)).flat)).toBe(true);
  });

  it('when the tick of a box is an invisible picture without a size (IN-F4)', async () => {
    const tick = stream('/Type /XObject /Subtype /Form', '0 0 14 14 re f');
    const box = {
      field: '/FT /Btn /T (Ja)',
      places: ['/Rect [60 700 74 714] /AS /Off /AP << /N << /Yes 6 0 R >> >>'],
    };
    const { open, flat } = await copies(handMade([box], '', { more: [tick] }), { Ja: true });
    expect(differingPages(open, flat)).toEqual([]);
    expect(runsOfInk(byMuPdf(flat, 1))).toBeGreaterThan(0);
    expect(runsOfInk(byPoppler(flat, 1))).toBeGreaterThan(0);
  });

  describe('when a field is a barcode', () => {
    /** A glyph of two bars: low bars for the digit 1, high bars for 2. */
    const bar = (height: number) =>
      stream('', `500 0 d0 0 0 100 ${height} re 250 0 100 ${height} re f`);
    const code = (widths: string, names: string) =>
      `<< /Type /Font /Subtype /Type3 /Name /Code39 /FontBBox [0 0 500 900] /FontMatrix [0.001 0 0 0.001 0 0] /CharProcs << /low 6 0 R /high 7 0 R >> /Encoding << /Differences [${names}] >> /FirstChar 49 /LastChar 50 /Widths [${widths}] >>`;
    const barField = (name: string) => textField(name, BOX, '/DA (/Code39 12 Tf 0 g)');
    const formWith = (font: string) =>
      handMade([barField('Kod')], '', {
        fonts: '/Code39 8 0 R',
        more: [bar(200), bar(900), font],
      });
    const named = code('500 500', '49 /one /two');
    // The glyphs have the names of digits, as in barcode fonts.
    const digits = named.replace('/low 6', '/one 6').replace('/high 7', '/two 7');

    it('the field stays a barcode in the flat and in the open copy (IN-F12)', async () => {
      const { open, flat } = await copies(formWith(digits), { Kod: '1212' });
      expect(differingPages(open, flat)).toEqual([]);
      expect(runsOfInk(byMuPdf(flat, 1))).toBe(8);
    });

    it.each([
      ['a letter that is missing from the barcode font', digits, '1213'],
      ['any letter in a barcode font with unknown codes', code('500 500', '49 /low /high'), '12'],
    ])('%s is rejected with the name of the field (IN-F12)', async (_, font, value) => {
      const form = formWith(font);
      for (const isFlat of [true, false]) {
        await expect(pdf.merge(form, { Kod: value }, isFlat)).rejects.toMatchObject({
          failure: {
            reason: 'pdf-no-such-option',
            fields: { Kod: expect.stringContaining('its own font') },
          },
        });
      }
      const [field] = (await pdf.read(form)).fields;
      expect(fitValue(field, value).problem?.code).toBe('not-offered');
    });
  });
});

/** Returns the number of separate inked areas of a picture from left to right. */
function runsOfInk({ width, height, pixels }: GreyscalePage): number {
  let [runs, wasInk] = [0, false];
  for (let x = 0; x < width; x += 1) {
    let isInk = false;
    for (let y = 0; y < height; y += 1) isInk ||= (pixels[y * width + x] ?? 255) < 96;
    if (isInk && !wasInk) runs += 1;
    wasInk = isInk;
  }
  return runs;
}
