// tier: all
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDocumentConverter } from '../../../electron/adapters/documents/convert.ts';
import { findOffice } from '../../../electron/adapters/documents/office/find.ts';
import { createPdfForms, type LimitedPdfForms } from '../../../electron/adapters/pdf/forms.ts';
import { PDF_THREAD_LIMITS } from '../../../electron/adapters/pdf/kept-thread.ts';
import { run, wordFile } from '../../support/documents.ts';
import { alphabetForm, BOX, fontFolder, type FontName, removeFolders } from './alphabets.ts';
import { throughTool } from './sample-pdfs.ts';
import type { GreyscalePage } from '../../../build/corpus/draw-pages.ts';
import { apart, byPoppler, DPI } from './viewers.ts';

const SIZE = 20;
const fonts = {
  hebrew: 'Noto Sans Hebrew',
  arabic: 'Noto Sans Arabic',
  chinese: 'WenQuanYi Micro Hei',
  latin: 'Liberation Sans',
} as const;

const SCALE = DPI / 72;
/** Margin (points), less than the space between the letters and the frame of the field. */
const BESIDE = 0.5;
/** Range of LibreOffice's page with only the line (points from the top). */
const THEIR_ROWS = [40, 130] as const;
const OUR_ROWS = [842 - BOX.top - BOX.height + 3, 842 - BOX.top - 3] as const;
/**
 * Maximum share of a word's ink without any ink near it in the other picture. The two pictures use
 * the same outlines. Poppler places them at different parts of a pixel, so that an edge moves by at
 * most one pixel.
 */
const MAX_DIFFERENCE = 0.005;

let folder = '';
let pdf: LimitedPdfForms;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'desk-lines-'));
  const names: readonly FontName[] = ['hebrew', 'arabic', 'chinese'];
  pdf = createPdfForms(PDF_THREAD_LIMITS, [fontFolder(names)]);
});
afterAll(async () => {
  await pdf.close();
  removeFolders();
  await rm(folder, { recursive: true, force: true });
});

type Part = readonly [font: keyof typeof fonts, text: string];

const hebrew = (text: string): Part => ['hebrew', text];
const arabic = (text: string): Part => ['arabic', text];
const chinese = (text: string): Part => ['chinese', text];
const latin = (text: string): Part => ['latin', text];

/** Returns LibreOffice's PDF of a line of these texts, each in the font found by the program. */
async function byOffice(parts: readonly Part[], isRight: boolean): Promise<Uint8Array> {
  const runs = parts.map(([font, text]) => {
    const name = fonts[font];
    const about =
      `<w:rFonts w:ascii="${name}" w:hAnsi="${name}" w:cs="${name}" w:eastAsia="${name}"/>` +
      `<w:sz w:val="${SIZE * 2}"/><w:szCs w:val="${SIZE * 2}"/>` +
      (font === 'hebrew' || font === 'arabic' ? '<w:rtl/>' : '');
    return run(text, about);
  });
  const about = isRight ? '<w:pPr><w:bidi/></w:pPr>' : '';
  const lock = { take: () => true, free: () => {} };
  const converter = createDocumentConverter({ folder: path.join(folder, 'work'), lock });
  const made = await converter.convert(await wordFile([`${about}${runs.join('')}`]), {
    codes: false,
  });
  return made?.data ?? expect.unreachable();
}

/** A word of a page, with the edges of its letters in points from the left. */
interface Word {
  readonly text: string;
  readonly left: number;
  readonly right: number;
}

/** Returns the words of a page from left to right, in every script direction. */
function wordsOf(data: Uint8Array): readonly Word[] {
  const { said } = throughTool('pdftotext', data, ['-bbox', 'in.pdf', '-']);
  return [...said.matchAll(/xMin="([\d.]+)"[^>]*xMax="([\d.]+)"[^>]*>([^<]+)</g)]
    .map(([, left, right, text = '']) => ({ text, left: Number(left), right: Number(right) }))
    .toSorted((one, other) => one.left - other.left);
}

/** Sorted characters of a word: a ligature may be reported as one character or as its letters. */
const charactersOf = ({ text }: Word): string => [...text].toSorted().join('');

/** Returns the ink of a word, without the rest of its page. */
function inkOf(
  page: GreyscalePage,
  { left, right }: Word,
  rows: readonly [from: number, to: number],
): GreyscalePage {
  const [from, to] = rows.map((points) => Math.round(points * SCALE));
  // The smoothed edge of a letter may be outside its box.
  const columns = [Math.round((left - BESIDE) * SCALE), Math.round((right + BESIDE) * SCALE)];
  return trimmed(cut(page, columns[0] ?? 0, from ?? 0, columns[1] ?? 0, to ?? 0));
}

function cut(
  page: GreyscalePage,
  left: number,
  top: number,
  right: number,
  bottom: number,
): GreyscalePage {
  const [width, height] = [right - left, bottom - top];
  const pixels = new Uint8Array(width * height);
  for (let row = 0; row < height; row += 1) {
    const at = (top + row) * page.width + left;
    pixels.set(page.pixels.subarray(at, at + width), row * width);
  }
  return { width, height, pixels };
}

/** Removes the paper around a word: the two programs start a line at different positions. */
function trimmed(picture: GreyscalePage): GreyscalePage {
  const { width, pixels } = picture;
  const ink = [...pixels.keys()].filter((at) => (pixels[at] ?? 255) < 128);
  const rows = ink.map((at) => Math.floor(at / width));
  const columns = ink.map((at) => at % width);
  return cut(
    picture,
    Math.min(...columns),
    Math.min(...rows),
    Math.max(...columns) + 1,
    Math.max(...rows) + 1,
  );
}

// The programs use different word spaces, so words are compared.
describe.skipIf(findOffice() === null)('a line in a field', () => {
  it.each<[what: string, isRight: boolean, parts: readonly Part[]]>([
    ['Hebrew around a number', true, [hebrew('שלום '), latin('123'), hebrew(' סוף')]],
    ['Hebrew around a Latin word', true, [hebrew('שלום '), latin('Ada'), hebrew(' עולם')]],
    ['Latin around Hebrew', false, [latin('Ada '), hebrew('שלום עולם'), latin(' Byron')]],
    ['Arabic, whose letters join', true, [arabic('السلام عليكم محمد')]],
    ['Persian with a separate letter', true, [arabic('می\u200Cخواهم بروم')]],
    ['Chinese with its own punctuation', false, [chinese('中文名字，张伟。')]],
    ['Japanese', false, [chinese('日本語の名前')]],
    ['Chinese between Latin words', false, [latin('Ada '), chinese('张伟'), latin(' Byron')]],
  ])('is drawn as LibreOffice draws the line: %s', async (_what, isRight, parts) => {
    const text = parts.map(([, one]) => one).join('');
    const form = await alphabetForm([{ kind: 'line', size: SIZE }]);
    const [theirs, { data: ours }] = [
      await byOffice(parts, isRight),
      await pdf.merge(form, { 0: text }, true),
    ];
    const [wanted, drawn] = [wordsOf(theirs), wordsOf(ours)];
    expect(drawn.map(charactersOf)).toEqual(wanted.map(charactersOf));
    expect(drawn.length).toBe(text.split(' ').length);
    const pages = [byPoppler(theirs, 1), byPoppler(ours, 1)] as const;
    for (const [at, word] of wanted.entries()) {
      const own = drawn[at] ?? expect.unreachable();
      expect(Math.abs(own.right - own.left - word.right + word.left)).toBeLessThan(0.2);
      const one = inkOf(pages[0], word, THEIR_ROWS);
      const other = inkOf(pages[1], own, OUR_ROWS);
      expect(Math.abs(one.width - other.width)).toBeLessThanOrEqual(1);
      expect(Math.abs(one.height - other.height)).toBeLessThanOrEqual(1);
      expect(apart(one, other, 1)).toBeLessThan(MAX_DIFFERENCE);
    }
  });
});
