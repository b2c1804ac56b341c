// tier: all
import { PDFDocument } from 'pdf-lib';
import { afterAll, describe, expect, it } from 'vitest';
import { fontFolders } from '../../../electron/adapters/pdf/fonts/font-folders.ts';
import { createPdfForms, type LimitedPdfForms } from '../../../electron/adapters/pdf/forms.ts';
import { PDF_THREAD_LIMITS } from '../../../electron/adapters/pdf/kept-thread.ts';
import type { PlacedField } from '../../../shared/model/placed-field.ts';
import { hasUnusualCharacters } from '../../../shared/rules/text/missing-letter.ts';
import {
  addFont,
  addHollow,
  addLicensed,
  alphabetForm,
  BOX,
  CELLS,
  type FieldKind,
  fontFolder,
  type FontName,
  hasFont,
  inkOf,
  piecesIn,
  removeFolders,
} from './alphabets.ts';
import { throughTool } from './sample-pdfs.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

const EVERYDAY: readonly FontName[] = [
  ...(['hebrew', 'arabic', 'devanagari', 'tamil', 'thai'] as const),
  ...(['chinese', 'emoji'] as const),
];
const opened: LimitedPdfForms[] = [];
const formsWith = (folder: string): LimitedPdfForms => {
  const forms = createPdfForms(PDF_THREAD_LIMITS, [folder]);
  opened.push(forms);
  return forms;
};
const pdf = formsWith(fontFolder(EVERYDAY));
const bare = formsWith(fontFolder([]));
afterAll(async () => {
  await Promise.all(opened.map((forms) => forms.close()));
  removeFolders();
});

const LINE: FieldKind = { kind: 'line' };
const byNumber = (texts: readonly string[]) =>
  Object.fromEntries(texts.map((text, at) => [String(at), text]));
const merged = async (
  fields: readonly FieldKind[],
  texts: readonly string[],
  isFlat = true,
  by = pdf,
): Promise<Uint8Array> => {
  const { data } = await by.merge(await alphabetForm(fields), byNumber(texts), isFlat);
  const { status, said } = throughTool('qpdf', data, ['--check', 'in.pdf']);
  expect(status === 0 ? 'sound' : said).toBe('sound');
  return data;
};
/** Returns the text that poppler reads, without direction marks. */
const textOf = (data: Uint8Array): string =>
  throughTool('pdftotext', data, ['in.pdf', '-']).said.replaceAll(/[\u202A-\u202E]/g, '');
const refusal = (by: LimitedPdfForms, text: string, isFlat = true): Promise<unknown> =>
  merged([LINE], [text], isFlat, by).then(
    () => null,
    (error: unknown) => error,
  );

/** Values that are read from left to right: poppler reads a whole page in one direction. */
const FROM_LEFT = [
  ...['中文名字 张伟', '日本語の名前', 'नमस्ते हिन्दी', 'கொடி', 'ชื่อ'],
  ...['Hi 👩‍💻 ok 👍🏽 ❤️', 'Åsa Łukasz 张伟'],
];
const FROM_RIGHT = ['שלום עולם 123 סוף', 'السلام عليكم محمد', 'می‌خواهم', 'דוד (ב) Łukasz'];

describe('a form value in any script', () => {
  it.each([
    [true, FROM_LEFT],
    [false, FROM_LEFT],
    [true, FROM_RIGHT],
    [false, FROM_RIGHT],
  ])(
    'is drawn, and pdf.js and poppler read it unchanged; flat: %j, %j',
    { timeout: MINUTE },
    async (isFlat, texts) => {
      const data = await merged(
        texts.map(() => LINE),
        texts,
        isFlat,
      );
      const { pieces, values } = await piecesIn(data);
      const read = pieces.map(({ text }) => text.replaceAll(' ', '')).join(' ');
      const said = textOf(data);
      for (const word of texts.flatMap((text) => text.split(' '))) {
        expect(said).toContain(word);
        // pdf.js omits joiners that join no letters, and reads halves around a letter separately.
        const isRead = isFlat && word !== 'கொடி' && word !== '(ב)';
        if (isRead) expect(read).toContain(word.replaceAll('\u200C', ''));
      }
      expect(data.length).toBeLessThan(90_000);
      if (!isFlat) expect(values).toEqual(texts);
      const fonts = throughTool('pdffonts', data, ['in.pdf']).said.split('\n').slice(2);
      const embedded = fonts.filter((line) => /CID|Type 3/.test(line));
      expect(embedded.length).toBeGreaterThan(2);
      for (const line of embedded) {
        expect(line).toMatch(/CID TrueType .* yes yes yes|Type 3 .* yes no {2}yes/);
      }
    },
  );

  it('runs from right to left, with its numbers and Latin words left to right', async () => {
    const { pieces } = await piecesIn(await merged([LINE], ['שלום abc 123 סוף']));
    const places = ['סוף', '123', 'abc', 'שלום'].map(
      (word) => pieces.find(({ text }) => text.includes(word))?.x ?? Number.NaN,
    );
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  });

  it('joins Arabic letters, except letters that must stay separate', async () => {
    const data = await merged([LINE, LINE], ['محمد', [...'محمد'].join('\u200C')]);
    expect(inkOf(data, 0).runs).toHaveLength(1);
    expect(inkOf(data, 1).runs).toHaveLength(4);
  });

  it('breaks Chinese lines between characters, and never before closing punctuation', async () => {
    // At one of these lengths, the comma would follow the last character that fits.
    for (const length of [24, 25, 26, 27]) {
      const text = `${'国'.repeat(length)}，北京。`;
      const data = await merged([{ kind: 'lines', size: 11 }], [text]);
      const { pieces } = await piecesIn(data);
      const lines = Map.groupBy(pieces, ({ y }) => Math.round(y));
      const texts = [...lines.values()].map((parts) => parts.map((part) => part.text).join(''));
      expect(texts.length).toBeGreaterThan(1);
      expect(texts.join('')).toBe(text);
      expect(texts.filter((line) => line.startsWith('，'))).toEqual([]);
      expect(inkOf(data, 0).runs.at(-1)?.to).toBeLessThan((BOX.x + BOX.width) * 2);
    }
  });

  it('starts right-to-left lines at the right', async () => {
    const text = 'זהו טקסט ארוך בעברית עם המספר 12345 ועם English words בתוכו, לבדיקה של השורות';
    const data = await merged([{ kind: 'lines', size: 9 }, LINE], [text, 'ab']);
    const right = (BOX.x + BOX.width) * 2;
    expect(right - (inkOf(data, 0).runs.at(-1)?.to ?? 0)).toBeLessThan(12);
    const { pieces } = await piecesIn(data);
    const lines = Map.groupBy(pieces, ({ y }) => Math.round(y));
    expect(lines.size).toBe(3);
    const [first = []] = [...lines.values()];
    expect(first.map((piece) => piece.text)).toContain('זהו');
  });

  it('has one letter per cell in a comb; right-to-left text starts at the right', async () => {
    const data = await merged([{ kind: 'comb' }, { kind: 'comb' }], ['שלם12', '张伟A']);
    const { pieces } = await piecesIn(data);
    const cell = (word: string): number => {
      const x = pieces.find(({ text }) => text === word)?.x ?? Number.NaN;
      return Math.floor((x - BOX.x) / (BOX.width / CELLS));
    };
    const letters = throughTool('pdftotext', data, ['-bbox', 'in.pdf', '-']).said;
    expect(letters).toContain('>张<');
    expect(['张', '伟', 'A'].map(cell)).toEqual([0, 1, 2]);
    const { runs } = inkOf(data, 0);
    expect(runs).toHaveLength(5);
    expect(runs[0]?.from).toBeGreaterThan((BOX.x + BOX.width / 2) * 2);
  });

  it.each([true, false])('is also shown in lists; flat: %j', async (isFlat) => {
    const options = ['One', '张伟', 'שלום'];
    const data = await merged(
      [
        { kind: 'choice', options },
        { kind: 'list', options, size: 9 },
      ],
      ['שלום', '张伟'],
      isFlat,
    );
    const said = textOf(data);
    expect(said.split('שלום')).toHaveLength(3);
    expect(said.split('张伟')).toHaveLength(2);
    expect(said).toContain('One');
    if (!isFlat) {
      const { fields } = await pdf.read(data);
      expect(fields.map(({ value }) => value)).toEqual(['שלום', '张伟']);
    }
  });

  it('is filled row by row, with fonts only where needed, and the same bytes for the same row', async () => {
    const rows = ['张伟', 'Łukasz', 'שלום', 'plain', '王芳'];
    const compiled = await pdf.compile(await alphabetForm([LINE]), rows);
    const files = new Map<string, Uint8Array>();
    for (const row of rows) files.set(row, (await compiled.fill({ 0: row })).data);
    for (const [row, data] of files) {
      expect(throughTool('qpdf', data, ['--check', 'in.pdf']).status).toBe(0);
      expect(textOf(data)).toContain(row);
    }
    expect(files.get('plain')?.length).toBeLessThan(2000);
    const again = await compiled.fill({ 0: '张伟' });
    expect(Buffer.from(again.data).equals(files.get('张伟') ?? Buffer.alloc(0))).toBe(true);
    expect(textOf((await compiled.fill({ 0: '新来的' })).data)).toContain('新来的');
    compiled.close();
  });

  it.each([true, false])(
    'is drawn in the font of the field, and in other fonts if that lacks the letters; flat: %j',
    async (isFlat) => {
      const document = await PDFDocument.create();
      document.addPage([400, 842]);
      const field = (name: string, y: number, value = ''): PlacedField => ({
        name,
        kind: 'text',
        label: '',
        required: false,
        maxLength: null,
        font: 'serif',
        fontSize: 12,
        align: 'left',
        options: [],
        value,
        places: [{ page: 1, box: { x: 20, y, width: 300, height: 30 } }],
      });
      const names = ['Latin', 'Polish', 'Hebrew', 'Again'];
      const fields = names.map((name, at) => field(name, 700 - at * 60, at === 3 ? 'שלום' : ''));
      const form = await pdf.place(await document.save(), fields);
      const fill = async (values: Readonly<Record<string, string>>) => {
        const { data } = await pdf.merge(form, values, isFlat);
        expect(throughTool('qpdf', data, ['--check', 'in.pdf']).status).toBe(0);
        return { said: textOf(data), pieces: (await piecesIn(data)).pieces, data };
      };
      const texts = { Latin: 'Ada', Polish: 'Łukasz', Hebrew: 'דוד', Again: 'Grace' };
      const { said, data } = await fill(texts);
      for (const text of Object.values(texts)) expect(said).toContain(text);
      const fonts = throughTool('pdffonts', data, ['in.pdf']).said;
      expect(fonts).toMatch(/Times-Roman[^]*LiberationSans[^]*\+T\d+ +CID TrueType/);
      // Times is narrower than Helvetica, even in the field with a Hebrew default.
      const bounds = throughTool('pdftotext', data, ['-bbox', 'in.pdf', '-']).said;
      for (const [word, width] of [
        ['Ada', 19.992],
        ['Grace', 28.644],
      ] as const) {
        const [, from, to] =
          new RegExp(`xMin="([\\d.]+)"[^>]*xMax="([\\d.]+)"[^>]*>${word}<`).exec(bounds) ?? [];
        expect(Number(to) - Number(from)).toBeCloseTo(width, 1);
      }
      // The default stays when the field is not filled.
      expect((await fill({ Latin: 'Ada' })).said).toContain('שלום');
    },
  );

  it('is drawn with the right glyphs in a font that numbers them itself', async ({ skip }) => {
    skip(!hasFont('cjk'), 'fonts-noto-cjk is not installed');
    const data = await merged([LINE, LINE], ['川', '一'], true, formsWith(fontFolder(['cjk'])));
    expect(inkOf(data, 0).runs).toHaveLength(3);
    const { top, bottom, runs } = inkOf(data, 1);
    expect(runs).toHaveLength(1);
    expect(bottom - top).toBeLessThan(((runs[0]?.to ?? 0) - (runs[0]?.from ?? 0)) / 4);
    expect(textOf(data)).toMatch(/川\s+一/);
  });
});

describe('an emoji', () => {
  it('is drawn as a coloured picture, and a sequence with joiners as one picture', async () => {
    const data = await merged([LINE, LINE], ['👩‍💻', '👩💻']);
    expect(inkOf(data, 0)).toMatchObject({ isColoured: true });
    const [one, two] = [inkOf(data, 0), inkOf(data, 1)];
    const width = ({ runs }: typeof one) => (runs.at(-1)?.to ?? 0) - (runs[0]?.from ?? 0);
    expect(width(two) / width(one)).toBeGreaterThan(1.8);
  });

  it('is drawn in black by a font without pictures, and is rejected when no font has it', async () => {
    const data = await merged([LINE], ['👍'], true, formsWith(fontFolder(['symbols'])));
    expect(inkOf(data, 0)).toMatchObject({ isColoured: false });
    expect(inkOf(data, 0).runs.length).toBeGreaterThan(0);
    expect(textOf(data)).toContain('👍');
    expect(await refusal(bare, '👍')).toMatchObject({
      failure: { letter: { field: '0', letter: '👍 (U+1F44D)', font: 'Noto Color Emoji' } },
    });
  });
});

describe('a letter missing from all fonts', () => {
  it.each([
    ['张伟', '张 (U+5F20)', 'Noto Sans CJK'],
    ['Hej שלום', 'ש (U+05E9)', 'Noto Sans Hebrew'],
    ['محمد', 'م (U+0645)', 'Noto Sans Arabic'],
    ['a\u0007', 'U+0007', null],
    ['\uE000', 'U+E000', null],
  ])('is rejected with the font to install: %s', async (text, letter, font) => {
    for (const isFlat of [true, false]) {
      expect(await refusal(bare, text, isFlat)).toMatchObject({
        message: expect.stringContaining(letter),
        failure: { code: 'invalid', reason: 'pdf-letters', letter: { field: '0', letter, font } },
      });
    }
    const said = await bare.missingLetters(['plain', text]);
    expect(said).toEqual([null, { letter, font }]);
  });

  it('is drawn once a font with it is installed, without a restart', async () => {
    const folder = fontFolder([]);
    const forms = formsWith(folder);
    expect(await forms.missingLetters(['שלום'])).toMatchObject([{ font: 'Noto Sans Hebrew' }]);
    addFont(folder, 'hebrew');
    expect(await forms.missingLetters(['שלום'])).toEqual([null]);
    expect(textOf(await merged([LINE], ['שלום'], true, forms))).toContain('שלום');
  });

  it('is drawn with another font if the tables of the first font are wrong', async () => {
    const folder = fontFolder([]);
    addHollow(folder, 'hebrew');
    const forms = formsWith(folder);
    expect(await forms.missingLetters(['שלום'])).toMatchObject([{ font: 'Noto Sans Hebrew' }]);
    addFont(folder, 'hebrew');
    expect(textOf(await merged([LINE], ['שלום'], true, forms))).toContain('שלום');
  });

  it.each([
    [0x0, true],
    [0x4, true],
    [0x8, true],
    [0x2, false],
    [0x100, false],
    [0x200, false],
  ])('remains missing if the licence of a font forbids embedding: fsType %i', async (type, may) => {
    const folder = fontFolder([]);
    addLicensed(folder, 'hebrew', type);
    const [missing] = await formsWith(folder).missingLetters(['שלום']);
    expect(missing === null).toBe(may);
  });

  it('is reported by the check before merging, with the result of merging', async () => {
    const some = formsWith(fontFolder(['hebrew']));
    const texts = ['שלום', '张伟', 'Ελλάδα', 'ש\u0007', '👍', 'ok'];
    const told = await some.missingLetters(texts);
    for (const [at, text] of texts.entries()) {
      expect((await refusal(some, text)) === null).toBe(told[at] === null);
    }
    expect(told.filter((one) => one !== null)).toHaveLength(3);
  });

  it('is not one of the usual letters', async () => {
    const points = Array.from({ length: 0x30_00 }, (_, at) => String.fromCodePoint(at));
    const usual = points.filter((letter) => !hasUnusualCharacters(letter) && !/\s/.test(letter));
    expect(usual.length).toBeGreaterThan(400);
    expect((await bare.missingLetters([usual.join('')]))[0]).toBe(null);
    expect(
      ['中', 'ש', '👍', '\u0007', '\u200F'].filter((text) => !hasUnusualCharacters(text)),
    ).toEqual([]);
  });
});

describe('fonts are searched', () => {
  it('where each system installs them', () => {
    expect(
      fontFolders({
        platform: 'linux',
        env: { XDG_DATA_DIRS: '/usr/share:/opt/share', XDG_DATA_HOME: '' },
        home: '/home/ada',
        fontconfig: '<dir>/srv/fonts</dir><dir prefix="xdg">fonts</dir><dir>~/.fonts</dir>',
      }),
    ).toEqual([
      ...['/usr/share/fonts', '/opt/share/fonts', '/srv/fonts', '/home/ada/.local/share/fonts'],
      ...['/home/ada/.fonts', '/run/host/fonts', '/run/host/user-fonts'],
    ]);
    expect(fontFolders({ platform: 'darwin', env: {}, home: '/Users/ada' })).toEqual([
      ...['/System/Library/Fonts', '/Library/Fonts', '/Users/ada/Library/Fonts'],
    ]);
    const env = { SystemRoot: 'C:\\Windows', LOCALAPPDATA: 'C:\\Users\\ada\\AppData\\Local' };
    expect(fontFolders({ platform: 'win32', env, home: 'C:\\Users\\ada' })).toEqual([
      ...['C:\\Windows\\Fonts', 'C:\\Users\\ada\\AppData\\Local\\Microsoft\\Windows\\Fonts'],
    ]);
  });
});
