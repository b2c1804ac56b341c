// tier: quick, 25 s, because it proves many traps of foreign forms
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createPdfForms } from '../../../electron/adapters/pdf/forms.ts';
import { PDF_THREAD_LIMITS } from '../../../electron/adapters/pdf/kept-thread.ts';
import type { PdfValues } from '../../../shared/model/pdf-form.ts';
import {
  damagedList,
  FIELD,
  inheriting,
  linesForm,
  listsForm,
  namelessGroups,
  oddLetters,
  reusedNumber,
  sharedWidget,
  staleForm,
  statefulButton,
  utf8Form,
} from './mended-forms.ts';
import { throughTool } from './sample-pdfs.ts';

const pdf = createPdfForms();
/** PDF forms of a computer that has no fonts installed. */
const bare = createPdfForms(PDF_THREAD_LIMITS, []);
afterAll(() => Promise.all([pdf.close(), bare.close()]));

const FLAT_AND_OPEN = [true, false];
const textOf = (data: Uint8Array): string =>
  throughTool('pdftotext', data, ['-layout', 'in.pdf', '-']).said;
const qpdfSays = (data: Uint8Array): string => {
  const { status, said } = throughTool('qpdf', data, ['--check', 'in.pdf']);
  return status === 0 ? 'sound' : said;
};
const merged = async (form: Uint8Array, values: PdfValues, isFlat: boolean, by = pdf) => {
  const { data } = await by.merge(form, values, isFlat);
  expect(qpdfSays(data)).toBe('sound');
  return data;
};
const fieldsIn = async (form: Uint8Array) => {
  const { fields, notices } = await pdf.read(form);
  const values = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
  return { names: fields.map(({ name }) => name), values, fields, notices };
};
/** Returns the position at which poppler draws a word, in points from the upper left. */
const placeOf = (data: Uint8Array, word: string) => {
  const { said } = throughTool('pdftotext', data, ['-bbox', 'in.pdf', '-']);
  const found = said.split('\n').find((line) => line.includes(`>${word}<`)) ?? '';
  const numbers = [...found.matchAll(/="([\d.]+)"/g)].map(([, number]) => Number(number));
  const [left = Number.NaN, top = Number.NaN, right = Number.NaN] = numbers;
  return { left, top, right };
};
/** Returns the colour that poppler draws at a point of the first page, from the upper left. */
const colourAt = (data: Uint8Array, x: number, y: number): readonly number[] => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'desk-colour-'));
  try {
    writeFileSync(path.join(folder, 'in.pdf'), data);
    spawnSync('pdftoppm', ['-r', '72', '-f', '1', '-l', '1', 'in.pdf', 'page'], { cwd: folder });
    const file = readdirSync(folder).find((one) => one.endsWith('.ppm')) ?? '';
    const picture = readFileSync(path.join(folder, file));
    const [head = '', width = '0'] = /^P6\s+(\d+)\s+\d+\s+\d+\s/.exec(
      picture.toString('latin1', 0, 40),
    ) ?? [''];
    const at = head.length + (y * Number(width) + x) * 3;
    return [...picture.subarray(at, at + 3)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

describe('a form with NeedAppearances', () => {
  it.each(FLAT_AND_OPEN)(
    'is drawn from its values, filled or not, without its earlier appearance; flat: %j (IN-04)',
    async (isFlat) => {
      const form = await staleForm();
      expect(textOf(form)).not.toContain('missing');
      const data = await merged(form, { other: 'FILLED' }, isFlat);
      // A reader that does not redraw shows the pictures of the file.
      const text = textOf(data);
      expect(Buffer.from(data).toString('latin1')).not.toContain('NeedAppearances');
      for (const word of ['NEW TEXT', 'GREEN', 'NEW BARE', 'FILLED']) expect(text).toContain(word);
      expect(text).not.toContain('OLD');
      expect(text).not.toContain('EMPTIED');
      // The tick of a checkbox with an outdated state.
      const shades = [...'0123456789'].map((_, at) => colourAt(data, 241 + at * 2, 40)[0] ?? 255);
      expect(Math.min(...shades)).toBeLessThan(128);
    },
  );
});

describe('line ends in a value', () => {
  it.each([
    ['typed', 'one\r\ntwo\rthree\r\r\nfour', ''],
    ['stored in the form', '', 'one\r\ntwo\rthree\r\r\nfour'],
  ])('count as one line end in every notation; %s (IN-10)', async (_, typed, held) => {
    for (const isFlat of FLAT_AND_OPEN) {
      const data = await merged(await linesForm(held), { [FIELD]: typed }, isFlat);
      const tops = ['one', 'two', 'three', 'four'].map((word) => placeOf(data, word).top);
      const steps = tops.slice(1).map((top, at) => top - (tops[at] ?? 0));
      for (const step of steps) expect(step).toBeCloseTo(steps[0] ?? 0, 1);
      expect(steps[0]).toBeGreaterThan(8);
      expect(steps[0]).toBeLessThan(20);
    }
  });
});

describe('a widget that two pages share', () => {
  it.each(FLAT_AND_OPEN)('is drawn on both pages; flat: %j (IN-11)', async (isFlat) => {
    const form = await sharedWidget();
    expect((await fieldsIn(form)).fields[0]?.places?.map(({ page }) => page)).toEqual([1, 2]);
    const text = textOf(await merged(form, { [FIELD]: 'Twice' }, isFlat));
    expect(text.split('Twice')).toHaveLength(3);
  });
});

describe('a push button', () => {
  it.each(FLAT_AND_OPEN)(
    'keeps its picture and caption, also as states; flat: %j (IN-12)',
    async (isFlat) => {
      const form = await statefulButton();
      const data = await merged(form, { [FIELD]: 'Filled' }, isFlat);
      expect(textOf(data)).toContain('Its own caption');
      expect(colourAt(form, 70, 40)).toEqual([255, 0, 0]);
      expect(colourAt(data, 70, 40)).toEqual([255, 0, 0]);
    },
  );
});

describe('texts in UTF-8, as PDF 2.0 has them', () => {
  it('are read in names, values, labels and options, and drawn (IN-15)', async () => {
    const form = await utf8Form();
    const { values, fields } = await fieldsIn(form);
    expect(values).toEqual({ 'hyra-åäö': 'Växjö', list: '' });
    expect(fields[0]).toMatchObject({ label: 'Månadshyra' });
    expect(fields[1]?.options).toEqual(['Malmö', 'Łódź']);
    for (const isFlat of FLAT_AND_OPEN) {
      const text = textOf(await merged(form, { list: 'Łódź' }, isFlat));
      expect(text).toContain('Łódź');
      expect(text).not.toContain('ï»¿');
    }
  });
});

describe('groups without a name', () => {
  it('do not change the names by which their fields are filled (IN-18)', async () => {
    const form = await namelessGroups();
    expect((await fieldsIn(form)).names).toEqual(['first', 'veg.third']);
    for (const isFlat of FLAT_AND_OPEN) {
      const values = { first: 'By name', 'veg.third': 'Further down' };
      const text = textOf(await merged(form, values, isFlat));
      for (const value of Object.values(values)) expect(text).toContain(value);
    }
    const { said } = throughTool('qpdf', form, ['--json', '--json-key=acroform', 'in.pdf']);
    expect(said).toContain('"fullname": "first"');
    expect(said).toContain('"fullname": "veg.third"');
  });

  it('leave fields also fillable by the names of earlier versions of the program (IN-18)', async () => {
    const form = await namelessGroups();
    expect((await fieldsIn(form)).fields[0]).toMatchObject({ formerName: 'undefined.first' });
    for (const isFlat of FLAT_AND_OPEN) {
      expect(textOf(await merged(form, { 'undefined.first': 'By the old' }, isFlat))).toContain(
        'By the old',
      );
    }
  });
});

describe('a letter that no font has', () => {
  it.each(FLAT_AND_OPEN)(
    'keeps its picture in an unfilled field, and does not stop filling; flat: %j (IN-20)',
    async (isFlat) => {
      const form = await oddLetters(true);
      const text = textOf(await merged(form, { [FIELD]: 'Filled' }, isFlat, bare));
      expect(text).toContain('STAYS');
      expect(text).toContain('Filled');
      await merged(await oddLetters(false), { [FIELD]: 'Filled' }, isFlat, bare);
      await expect(bare.merge(form, { [FIELD]: '漢' }, isFlat)).rejects.toMatchObject({
        failure: { reason: 'pdf-letters', fields: { [FIELD]: 'U+6F22' } },
      });
    },
  );

  it('is rejected if a form with NeedAppearances is flattened, and otherwise left to viewers (IN-20)', async () => {
    const form = await oddLetters(true, true);
    await expect(bare.merge(form, { [FIELD]: 'Filled' }, true)).rejects.toMatchObject({
      failure: { reason: 'pdf-letters', fields: { odd: 'U+6F22' } },
    });
    expect(textOf(await merged(form, { odd: 'Latin now' }, true, bare))).toContain('Latin now');
    const open = await merged(form, { [FIELD]: 'Filled' }, false, bare);
    expect((await fieldsIn(open)).values).toEqual({ odd: '漢字', [FIELD]: 'Filled' });
    expect(textOf(open)).not.toContain('STAYS');
  });
});

describe('a damaged list of fields', () => {
  it.each([
    'null',
    'number',
    'no-list',
    'direct',
    'empty',
    'on-page',
    'unnamed',
    'kindless',
  ] as const)(
    'gives its readable fields, with a notice for each fault: %s (IN-23)',
    async (damage) => {
      const form = await damagedList(damage);
      const { names, notices } = await fieldsIn(form);
      expect(names.slice(0, 2).toSorted()).toEqual(['first', 'second']);
      expect(names.length).toBe(damage === 'direct' ? 3 : 2);
      expect(notices.includes('stray-fields')).toBe(damage !== 'direct');
      for (const isFlat of FLAT_AND_OPEN) {
        const text = textOf(await merged(form, { first: 'One', second: 'Two' }, isFlat));
        expect(text).toMatch(/One[^]*Two/);
      }
    },
  );
});

describe('inherited field properties', () => {
  it('apply from every level above the field: length, cells, alignment, size (IN-24)', async () => {
    const form = await inheriting();
    const { fields } = await fieldsIn(form);
    expect(fields[0]).toMatchObject({ name: 't.m.comb', maxLength: 7, comb: true });
    await expect(pdf.merge(form, { 't.m.comb': '12345678' }, true)).rejects.toMatchObject({
      failure: { reason: 'pdf-value-too-long' },
    });
    for (const isFlat of FLAT_AND_OPEN) {
      const data = await merged(form, { 'u.b.line': 'Right', 't.m.comb': 'A' }, isFlat);
      const { right, left } = placeOf(data, 'Right');
      expect(right).toBeGreaterThan(270);
      // Five letters of ten points.
      expect(right - left).toBeLessThan(30);
      expect(placeOf(data, 'A').left).toBeLessThan(20 + 260 / 7);
    }
  });
});

describe('lists with different export values', () => {
  it.each(['Pluto', '9'])(
    'accept the export value or the text, store the former and show the latter: %s (FE-D1)',
    async (planet) => {
      const form = await listsForm();
      const open = await merged(form, { planet, open: 'Mauve', cities: 'Umeå; Malmö' }, false);
      const { said } = throughTool('qpdf', open, [
        '--qdf',
        '--object-streams=disable',
        'in.pdf',
        '-',
      ]);
      expect(said).toMatch(/\/V <feff0039>|\/V \(9\)/i);
      expect((await fieldsIn(open)).values).toEqual({
        planet: 'Pluto',
        open: 'Mauve',
        cities: 'Umeå, Malmö',
      });
      for (const isFlat of FLAT_AND_OPEN) {
        const text = textOf(await merged(form, { planet, open: 'Mauve' }, isFlat));
        for (const shown of ['Pluto', 'Mauve']) expect(text).toContain(shown);
      }
    },
  );

  it('keep their content if no value is given, and are cleared on request (FE-D2)', async () => {
    const form = await listsForm();
    for (const isFlat of FLAT_AND_OPEN) {
      expect(textOf(await merged(form, { planet: '', open: 'Mauve' }, isFlat))).toContain('Pluto');
      const emptied = await merged(form, { planet: '<empty>' }, isFlat);
      expect(textOf(emptied)).not.toContain('Pluto');
    }
    await expect(pdf.merge(form, { planet: 'Atlantis' }, true)).rejects.toMatchObject({
      failure: {
        reason: 'pdf-no-such-option',
        fields: { planet: 'The field offers "Venus", "Pluto"' },
      },
    });
  });
});

describe('a form with a reused object number', () => {
  it('is written so that every reader finds every object; found by the corpus (TE-C1)', async () => {
    const form = await reusedNumber();
    expect(qpdfSays(form)).toBe('sound');
    expect((await fieldsIn(form)).names).toEqual([FIELD]);
    for (const isFlat of FLAT_AND_OPEN) {
      expect(textOf(await merged(form, {}, isFlat))).toContain('OLD');
      expect(textOf(await merged(form, { [FIELD]: 'NEW' }, isFlat))).toContain('NEW');
    }
  });
});
