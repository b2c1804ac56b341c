import { afterAll, describe, expect, it } from 'vitest';
import { createPdfForms } from '../../../electron/adapters/pdf/forms.ts';
import type { PdfValues } from '../../../shared/model/pdf-form.ts';
import { type HandMade, handMade, stream, textField } from './hand-made.ts';
import { throughTool } from './sample-pdfs.ts';

const pdf = createPdfForms();
afterAll(() => pdf.close());

const script = (kind: 'F' | 'C' | 'K' | 'V', text: string) =>
  `/${kind} << /S /JavaScript /JS (${text.replaceAll(/[()\\]/g, String.raw`\$&`)}) >>`;
const field = (name: string, at: number, ...actions: readonly string[]): HandMade => {
  const more = actions.length === 0 ? '' : `/AA << ${actions.join(' ')} >>`;
  return textField(name, [60, 700 - 30 * at, 300, 720 - 30 * at], more);
};
const formatIn = async (form: Uint8Array) => (await pdf.read(form)).fields[0]?.format;
const formatOf = (text: string) => formatIn(handMade([field('a', 0, script('F', text))]));
const calculationOf = async (text: string) =>
  (await pdf.read(handMade([field('a', 0, script('C', text))]))).fields[0]?.calculation;
const shown = (data: Uint8Array) =>
  throughTool('pdftotext', data, ['-layout', 'in.pdf', '-'])
    .said.split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const european = { group: '.', point: ',', negative: 'minus', before: '', after: '' };

describe('a script that formats a field', () => {
  it.each<[string, object]>([
    ['AFNumber_Format(2, 2, 0, 0, "", true);', { kind: 'number', places: 2, ...european }],
    [
      ' AFNumber_Format ( 0,1,2,0 , "\\u20ac ",true ) ;\n;',
      { places: 0, group: '', point: '.', negative: 'parentheses', before: '€ ', after: '' },
    ],
    ["AFNumber_Format(2, 3, 1, 0, ' kr', false)", { negative: 'colour', after: ' kr' }],
    ['AFDate_FormatEx("dd.mm.yyyy");', { kind: 'day', pattern: 'dd.mm.yyyy' }],
    ['AFDate_Format(2)', { kind: 'day', pattern: 'mm/dd/yy' }],
  ])('is recognised if it is one known call: %s (IN-F11)', async (text, wanted) => {
    expect(await formatOf(text)).toMatchObject(wanted);
  });

  it.each([
    'AFNumber_Format(2, 2, 0, 0, "", true); app.alert(1);',
    'AFNumber_Format(2, 2, 0, 0, name, true)',
    'AFNumber_Format(2, 9, 0, 0, "", true)',
    'AFNumber_Format(99, 2, 0, 0, "", true)',
    'AFNumber_Format(2, 2, 0, 0, "1", true)',
    'AFNumber_Format(2, 2, 0, 0, "- ", true)',
    'AFDate_FormatEx("dd.mm.yyyy HH:MM")',
    'AFDate_FormatEx("dddd")',
    'AFDate_Format(13)',
    'AFPercent_Format(2, 2)',
    'AFSpecial_Format(0)',
    'event.value = event.value.toUpperCase();',
  ])('is unknown if it is not one known call: %s (IN-F11)', async (text) => {
    expect(await formatOf(text)).toEqual({ kind: 'other' });
  });

  it('is unknown when it is too long for a simple call (IN-F11)', async () => {
    expect(await formatOf(`AFDate_Format(1)${' '.repeat(30_000)}`)).toEqual({ kind: 'other' });
  });

  it('is read from a stream and from a widget, but not from the keystroke action (IN-F11)', async () => {
    const held = '/AA << /F << /S /JavaScript /JS 6 0 R >> >>';
    const more = [stream('', 'AFDate_FormatEx("yy-mm-dd");\n')];
    const at = '/Rect [60 700 300 720]';
    const fields = [{ field: '/FT /Tx /T (a)', places: [`${at} ${held}`, at] }];
    expect(await formatIn(handMade(fields, '', { more }))).toEqual({
      kind: 'day',
      pattern: 'yy-mm-dd',
    });
    const keys = field('a', 0, script('K', 'AFNumber_Keystroke(2, 2, 0, 0, "", true);'));
    expect(await formatIn(handMade([keys]))).toBeUndefined();
    const next = '/AA << /F << /S /JavaScript /JS (AFDate_Format\\(1\\)) /Next << >> >> >>';
    const two = textField('a', [60, 700, 300, 720], next);
    expect(await formatIn(handMade([two]))).toEqual({ kind: 'other' });
  });
});

describe('a script that calculates a field', () => {
  it.each([
    'AFSimple_Calculate("SUM", "a, b");',
    'AFSimple_Calculate("SUM", new Array ("a", "b"));',
    "AFSimple_Calculate('SUM', ['a','b'])",
  ])('is recognised if it is one simple call: %s (IN-F11)', async (text) => {
    expect(await calculationOf(text)).toEqual({ how: 'SUM', of: ['a', 'b'], order: 0 });
  });

  it.each([
    'AFSimple_Calculate("SUM", new Array ("a" "b"));',
    'AFSimple_Calculate("SUM", new Array ("a", ));',
    'AFSimple_Calculate("SUM", "");',
    'AFSimple_Calculate("POW", "a");',
    'event.value = 3;',
  ])('is not applied if it is not one simple call: %s (IN-F11)', async (text) => {
    expect(await calculationOf(text)).toBeUndefined();
  });
});

/** Returns an invoice form whose total comes before the fields that it adds. */
const invoice = () => {
  const number = script('F', 'AFNumber_Format(2, 2, 0, 0, " kr", false);');
  return handMade(
    [
      field('total', 0, number, script('C', 'AFSimple_Calculate("SUM", "net, tax");')),
      field(
        'net',
        1,
        number,
        script('C', 'AFSimple_Calculate("PRD", new Array("price", "count"));'),
      ),
      field('price', 2, number),
      field('count', 3),
      field('tax', 4, number),
      field('due', 5, script('F', 'AFDate_FormatEx("dd.mm.yyyy");')),
    ],
    // Each handwritten form has the two checkbox pictures as objects 6 and 7.
    '/CO [9 0 R 8 0 R]',
  );
};

const everyWay = async (form: Uint8Array, values: PdfValues) => {
  const flat = await pdf.merge(form, values, true);
  const open = await pdf.merge(form, values, false);
  const compiled = await pdf.compile(form, []);
  return { flat, open, batch: await compiled.fill(values) };
};

describe('a form that formats and calculates', () => {
  it('shows amounts, dates and totals in its own format, flat, open and in a batch (IN-F11)', async () => {
    const values = { price: '10000.10', count: '3', tax: '7500.2', due: '2026-03-05' };
    const found = await everyWay(invoice(), values);
    const wanted = [
      ...['37.500,50 kr', '30.000,30 kr', '10.000,10 kr', '3'],
      ...['7.500,20 kr', '05.03.2026'],
    ];
    for (const { data, unfilled } of Object.values(found)) {
      expect(shown(data)).toEqual(wanted);
      expect(unfilled).toEqual([]);
    }
  });

  it('stores plain numbers if it stays a form, and viewers format them the same way (IN-F11)', async () => {
    const values = { price: '10000.10', count: '3', tax: '7500.2', due: '2026-03-05' };
    const open = await pdf.merge(invoice(), values, false);
    const held = (await pdf.read(open.data)).fields.map(({ value }) => value);
    expect(held).toEqual(['37500.5', '30000.3', '10000.1', '3', '7500.2', '05.03.2026']);
    // Later values are included in the calculation.
    const again = await pdf.merge(open.data, { tax: '1' }, true);
    expect(shown(again.data).slice(0, 2)).toEqual(['30.001,30 kr', '30.000,30 kr']);
  });

  it('keeps a total that the user gives, and does not change a total of fields without a number (IN-F11)', async () => {
    for (const { data } of Object.values(await everyWay(invoice(), { net: '5', tax: 'much' }))) {
      expect(shown(data)).toEqual(['5,00 kr', 'much']);
    }
  });
});

describe('a password field of a form', () => {
  const secret = (value = '') =>
    handMade([textField('pin', [60, 700, 300, 720], `/Ff 8192 ${value}`)], '/NeedAppearances true');

  it('is not filled, and is named, flat, open and in a batch, so that its text stays private (IN-P26)', async () => {
    const fields = { pin: expect.stringMatching(/Leave it empty/) };
    const wanted = { failure: { reason: 'pdf-password-field', fields } };
    for (const isFlat of [true, false]) {
      await expect(pdf.merge(secret(), { pin: '1234' }, isFlat)).rejects.toMatchObject(wanted);
    }
    const compiled = await pdf.compile(secret(), []);
    await expect(compiled.fill({ pin: '1234' })).rejects.toMatchObject(wanted);
  });

  it('does not show its existing content (IN-P26)', async () => {
    const form = secret('/V (hunter2)');
    expect((await pdf.read(form)).fields).toMatchObject([{ password: true, value: '' }]);
    for (const isFlat of [true, false]) {
      expect(shown((await pdf.merge(form, {}, isFlat)).data)).toEqual([]);
    }
  });
});

describe('a script that validates input', () => {
  const checkOf = async (...actions: readonly string[]) =>
    (await pdf.read(handMade([field('a', 0, ...actions)]))).fields[0]?.check;

  it('is recognised if it gives a range, and ignored if it only repeats a format (IN-Z8)', async () => {
    const range = script('V', 'AFRange_Validate(true, -0.5, true, "100");');
    expect(await checkOf(range)).toEqual({ kind: 'range', least: '-0.5', most: '100' });
    const least = script('V', 'AFRange_Validate(true, 1, false, 0)');
    expect(await checkOf(least)).toEqual({ kind: 'range', least: '1', most: null });
    const keys = script('K', 'AFNumber_Keystroke(2, 0, 0, 0, "\\u20ac ", true);');
    expect(await checkOf(keys)).toBeUndefined();
    expect(await checkOf(script('V', ' '))).toBeUndefined();
  });

  it.each([
    script('V', 'event.value = event.value.toUpperCase();'),
    script('V', 'AFRange_Validate(true, 0, true, 100); app.alert(1)'),
    script('K', 'event.change = event.change.toUpperCase();'),
    script('K', 'AFSpecial_KeystrokeEx("999-99");'),
    script('K', 'AFNumber_Keystroke(2, 0, 0, 0, "", true); event.rc = false;'),
  ])('is unknown if it is any other script: %s (IN-Z8)', async (action) => {
    expect(await checkOf(action)).toEqual({ kind: 'other' });
  });

  it('is found on a list that accepts texts, like a script that formats (IN-Z8)', async () => {
    const list = (action: string) => ({
      ...field('a', 0),
      field: `/FT /Ch /Ff 393216 /T (a) /Opt [(1) (2)] /AA << ${action} >>`,
    });
    const written = handMade([list(script('F', 'AFNumber_Format(2, 0, 0, 0, "", true);'))]);
    expect(await formatIn(written)).toEqual({ kind: 'other' });
    const { fields } = await pdf.read(handMade([list(script('V', 'event.value = "x"'))]));
    expect(fields[0]?.check).toEqual({ kind: 'other' });
  });
});

describe('two fields with the same name', () => {
  it('reject a value that is too long for one of them, with the field name and the limit (IN-R21)', async () => {
    const form = handMade([
      textField('code', [60, 700, 300, 720], '/MaxLen 12'),
      textField('code', [60, 660, 300, 680], '/MaxLen 4'),
    ]);
    for (const isFlat of [true, false]) {
      await expect(pdf.merge(form, { code: '12345' }, isFlat)).rejects.toMatchObject({
        failure: {
          reason: 'pdf-value-too-long',
          message: 'code: The field accepts at most 4 characters',
        },
      });
      expect(shown((await pdf.merge(form, { code: '1234' }, isFlat)).data)).toEqual([
        '1234',
        '1234',
      ]);
    }
  });
});
