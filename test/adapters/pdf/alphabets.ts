import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PDFDocument, PDFHexString } from 'pdf-lib';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

const FONTS = '/usr/share/fonts';
const FILES = {
  hebrew: 'truetype/noto/NotoSansHebrew-Regular.ttf',
  arabic: 'truetype/noto/NotoSansArabic-Regular.ttf',
  devanagari: 'truetype/noto/NotoSansDevanagari-Regular.ttf',
  tamil: 'truetype/noto/NotoSansTamil-Regular.ttf',
  thai: 'truetype/noto/NotoSansThai-Regular.ttf',
  emoji: 'truetype/noto/NotoColorEmoji.ttf',
  symbols: 'truetype/noto/NotoSansSymbols2-Regular.ttf',
  chinese: 'truetype/wqy/wqy-microhei.ttc',
  /** A CID font with its own glyph numbers. It has ninety megabytes and is not installed everywhere. */
  cjk: 'opentype/noto/NotoSansCJK-Regular.ttc',
} as const;
export type FontName = keyof typeof FILES;

export const fontFile = (name: FontName): string => path.join(FONTS, FILES[name]);
export const hasFont = (name: FontName): boolean => existsSync(fontFile(name));

const folders: string[] = [];

/** Creates a folder with these fonts, as on a computer, and two other files. */
export function fontFolder(names: readonly FontName[]): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'desk-fonts-'));
  folders.push(folder);
  writeFileSync(path.join(folder, 'broken.ttf'), 'no font at all');
  writeFileSync(path.join(folder, 'cut.ttf'), readFileSync(fontFile('hebrew')).subarray(0, 300));
  for (const name of names) addFont(folder, name);
  return folder;
}

export function addFont(folder: string, name: FontName): void {
  if (!hasFont(name)) throw new Error(`These tests need ${fontFile(name)}: node build/prepare.ts`);
  symlinkSync(fontFile(name), path.join(folder, path.basename(fontFile(name))));
}

/** Adds a font that lists letters, but is truncated before their outlines. */
export function addHollow(folder: string, name: FontName): void {
  const bytes = readFileSync(fontFile(name));
  const at = rowOf(bytes, 'glyf');
  bytes.writeUInt32BE(bytes.length - 8, at + 8);
  bytes.writeUInt32BE(bytes.length, at + 12);
  writeFileSync(path.join(folder, 'hollow.ttf'), bytes);
}

/** Adds the font with another licence flag (OS/2, fsType). */
export function addLicensed(folder: string, name: FontName, type: number): void {
  const file = path.join(folder, `licensed-${type}.ttf`);
  copyFileSync(fontFile(name), file);
  const bytes = readFileSync(file);
  bytes.writeUInt16BE(type, bytes.readUInt32BE(rowOf(bytes, 'OS/2') + 8) + 8);
  writeFileSync(file, bytes);
}

/** Returns the offset of a table's entry in the table directory. */
function rowOf(bytes: Buffer, tag: string): number {
  const rows = Array.from({ length: bytes.readUInt16BE(4) }, (_, at) => 12 + at * 16);
  const row = rows.find((at) => bytes.toString('latin1', at, at + 4) === tag);
  if (row === undefined) throw new Error(`The font has no table ${tag}`);
  return row;
}

export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
}

export interface FieldKind {
  readonly kind: 'line' | 'lines' | 'comb' | 'choice' | 'list';
  readonly options?: readonly string[];
  readonly size?: number;
}

/** Left edge, width and height of the fields of `alphabetForm`, and their distance (points). */
export const BOX = { x: 20, width: 300, height: 40, step: 60, top: 780 };
export const CELLS = 10;

/** Creates a form of fields below each other, named by their number from 0. */
export async function alphabetForm(fields: readonly FieldKind[]): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const page = document.addPage([400, 842]);
  const form = document.getForm();
  for (const [at, { kind, options = [], size = 12 }] of fields.entries()) {
    const { x, width, height, step, top } = BOX;
    const place = { x, y: top - at * step, width, height };
    if (kind === 'choice' || kind === 'list') {
      const name = String(at);
      const field = kind === 'list' ? form.createOptionList(name) : form.createDropdown(name);
      field.addToPage(page, place);
      field.acroField.setOptions(
        options.map((option) => ({
          value: PDFHexString.fromText(option),
          display: PDFHexString.fromText(option),
        })),
      );
      field.setFontSize(size);
      continue;
    }
    const field = form.createTextField(String(at));
    if (kind === 'lines') field.enableMultiline();
    if (kind === 'comb') {
      field.setMaxLength(CELLS);
      field.enableCombing();
    }
    field.addToPage(page, place);
    field.setFontSize(size);
  }
  return document.save({ updateFieldAppearances: false });
}

/** Returns the text runs of the first page in pdf.js, with their positions. */
export async function piecesIn(data: Uint8Array) {
  const loading = getDocument({ data: data.slice(), verbosity: 0 });
  const document = await loading.promise;
  const page = await document.getPage(1);
  const { items } = await page.getTextContent();
  const values = await page.getAnnotations();
  await loading.destroy();
  return {
    pieces: items.flatMap((item) =>
      'str' in item && item.str.trim() !== ''
        ? [{ text: item.str, x: Number(item.transform[4]), y: Number(item.transform[5]) }]
        : [],
    ),
    values: values.map(({ fieldValue }): unknown => fieldValue),
  };
}

export interface Ink {
  /** Ranges of columns with ink, within the field. */
  readonly runs: readonly { readonly from: number; readonly to: number }[];
  readonly isColoured: boolean;
  readonly top: number;
  readonly bottom: number;
}

const DPI = 144;
const SCALE = DPI / 72;
const INSET = 3;
const DARK = 128;

/** Returns the ink of the field with this number of `alphabetForm` in Poppler, without its frame. */
export function inkOf(data: Uint8Array, at: number): Ink {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'desk-ink-'));
  try {
    writeFileSync(path.join(folder, 'in.pdf'), data);
    spawnSync('pdftoppm', ['-r', String(DPI), '-l', '1', 'in.pdf', 'page'], { cwd: folder });
    const file = readdirSync(folder).find((one) => one.endsWith('.ppm')) ?? '';
    return inkIn(readFileSync(path.join(folder, file)), at);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function inkIn(picture: Buffer, at: number): Ink {
  const head = /^P6\s+(\d+)\s+(\d+)\s+\d+\s/.exec(picture.toString('latin1', 0, 40));
  const [all = '', width = '0'] = head ?? [];
  const pixel = (x: number, y: number) =>
    picture.subarray(all.length + (y * Number(width) + x) * 3).subarray(0, 3);
  const { x, top, step, height, width: wide } = BOX;
  const left = Math.round((x + INSET) * SCALE);
  const right = Math.round((x + wide - INSET) * SCALE);
  const low = Math.round((842 - (top - at * step) - INSET) * SCALE);
  const high = Math.round((842 - (top - at * step) - height + INSET) * SCALE);
  const runs: { from: number; to: number }[] = [];
  const rows: number[] = [];
  let isColoured = false;
  for (let column = left; column < right; column += 1) {
    let hasInk = false;
    for (let row = high; row < low; row += 1) {
      const [red = 255, green = 255, blue = 255] = pixel(column, row);
      if (Math.min(red, green, blue) >= DARK) continue;
      hasInk = true;
      rows.push(row);
      isColoured ||= Math.max(red, green, blue) - Math.min(red, green, blue) > 40;
    }
    const last = runs.at(-1);
    if (hasInk && last?.to === column) last.to += 1;
    else if (hasInk) runs.push({ from: column, to: column + 1 });
  }
  return { runs, isColoured, top: Math.min(...rows), bottom: Math.max(...rows) };
}
