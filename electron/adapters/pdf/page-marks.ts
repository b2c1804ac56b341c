/// <reference path="./pdfjs-worker.d.ts" />
import './pdfjs-globals.ts';
import {
  getDocument,
  OPS,
  VerbosityLevel,
  type PDFPageProxy,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import * as reader from 'pdfjs-dist/legacy/build/pdf.worker.mjs';
import type {
  PageCharacter,
  PageMarks,
  ShadedArea,
  PageStroke,
} from '../../../shared/model/page-marks.ts';
import {
  turnedBox,
  turningMatrix,
  type TurnedMarks,
} from '../../../shared/rules/forms/turned-places.ts';

// pdf.js would load its worker by a path that does not exist if it is bundled with the program into
// a single file.
Object.assign(globalThis, { pdfjsWorker: reader });

/** Matrix [a b c d e f] as in the PDF format (PDF 1.7, 8.3.4). */
type Matrix = readonly [number, number, number, number, number, number];

const IDENTITY_MATRIX: Matrix = [1, 0, 0, 1, 0, 0];
/** Units of glyph widths, which are in thousandths of the font size. */
const GLYPH_UNITS = 1000;
/** Maximum thickness of a line in points, however it was drawn. */
const MAX_LINE_THICKNESS = 2;
/** Maximum height in points; a higher box is the background of a picture or a table. */
const MAX_BOX_HEIGHT = 80;
/** Maximum number of marks; more add nothing to a form. */
const MAX_MARKS = 20_000;
/** Path commands of pdf.js, and the number of coordinates after each. */
const PATH_STEPS = { moveTo: 0, lineTo: 1, curveTo: 2, quadraticCurveTo: 3, closePath: 4 } as const;
const NUMBERS_PER_PATH_STEP = [2, 2, 6, 4, 0] as const;
const INVISIBLE_TEXT_MODE = 3;

/**
 * Returns the marks on each page, in points of the stored page: characters with their positions,
 * and straight lines. Curves, pictures and pattern fills are ignored.
 */
export async function marksOf(data: Uint8Array): Promise<PageMarks[]> {
  return await readEachPage(data, () => {}, storedMarks);
}

/**
 * Returns the marks on each page, in points of the page as read: rotated by `/Rotate` if its texts
 * are.
 */
export async function turnedMarksOf(data: Uint8Array, report: ReportDone): Promise<TurnedMarks[]> {
  return await readEachPage(data, report, turnedMarks);
}

type ReportDone = (done: number, total: number) => void;

async function readEachPage<Marks>(
  data: Uint8Array,
  report: ReportDone,
  read: (page: PDFPageProxy, number: number) => Promise<Marks>,
): Promise<Marks[]> {
  // pdf.js takes ownership of the bytes.
  const task = getDocument({
    data: data.slice(),
    verbosity: VerbosityLevel.ERRORS,
    useSystemFonts: false,
    disableFontFace: true,
  });
  try {
    const document = await task.promise;
    const pages: Marks[] = [];
    for (let number = 1; number <= document.numPages; number += 1) {
      const page = await document.getPage(number);
      pages.push(await read(page, number));
      page.cleanup();
      report(number, document.numPages);
    }
    return pages;
  } finally {
    await task.destroy();
  }
}

async function storedMarks(page: PDFPageProxy, number: number): Promise<PageMarks> {
  return marksIn(await page.getOperatorList(), page, { number, turn: 0 });
}

/**
 * Returns the marks of a page, rotated if its texts are: landscape forms have their texts along the
 * rotated page, a few others are only displayed rotated.
 */
async function turnedMarks(page: PDFPageProxy, number: number): Promise<TurnedMarks> {
  const drawn = await page.getOperatorList();
  const stored = marksIn(drawn, page, { number, turn: 0 });
  const turn = ((page.rotate % 360) + 360) % 360;
  if (turn === 0) return { marks: stored, stored: stored.box, turn };
  const seen = marksIn(drawn, page, { number, turn });
  return seen.letters.length >= stored.letters.length
    ? { marks: seen, stored: stored.box, turn }
    : { marks: stored, stored: stored.box, turn: 0 };
}

type DrawnOperators = Pick<
  Awaited<ReturnType<PDFPageProxy['getOperatorList']>>,
  'fnArray' | 'argsArray'
>;

function marksIn(
  { fnArray, argsArray }: DrawnOperators,
  { view, rotate }: PDFPageProxy,
  { number, turn }: { readonly number: number; readonly turn: number },
): PageMarks {
  const [x = 0, y = 0, right = 0, top = 0] = view;
  const box = { x, y, width: right - x, height: top - y };
  const reader = new PageMarkReader(turningMatrix(box, turn));
  for (const [at, operator] of fnArray.entries()) {
    reader.take(operator, listIn(argsArray[at]));
    if (reader.letters.length + reader.strokes.length > MAX_MARKS) break;
  }
  const { letters, strokes, shades } = reader;
  return { page: number, box: turnedBox(box, turn), rotate, letters, strokes, shades };
}

interface GraphicsState {
  matrix: Matrix;
  size: number;
  letterSpace: number;
  wordSpace: number;
  scale: number;
  leading: number;
  rise: number;
  mode: number;
  /** Kind of background that the current fill colour marks. */
  shade: ShadedArea['as'] | null;
}

/** Tracks how operators change positions; draws nothing. */
class PageMarkReader {
  readonly letters: PageCharacter[] = [];
  readonly strokes: PageStroke[] = [];
  readonly shades: ShadedArea[] = [];
  #now: GraphicsState = {
    matrix: IDENTITY_MATRIX,
    size: 0,
    letterSpace: 0,
    wordSpace: 0,
    scale: 1,
    leading: 0,
    rise: 0,
    mode: 0,
    shade: null,
  };
  readonly #kept: GraphicsState[] = [];
  #text: Matrix = IDENTITY_MATRIX;
  #line: Matrix = IDENTITY_MATRIX;

  /** `matrix` maps points of the stored page to points of the marks. */
  constructor(matrix: Matrix) {
    this.#now.matrix = matrix;
  }

  take(operator: number, args: readonly unknown[]): void {
    const numbers = numbersIn(args);
    const [first, second] = [numberIn(args[0]), numberIn(args[1])];
    switch (operator) {
      case OPS.save:
        this.#kept.push({ ...this.#now });
        break;
      case OPS.restore:
        this.#now = this.#kept.pop() ?? this.#now;
        break;
      case OPS.transform:
        this.#now.matrix = multiplyMatrices(asMatrix(numbers), this.#now.matrix);
        break;
      case OPS.paintFormXObjectBegin: {
        this.#kept.push({ ...this.#now });
        const matrix = numbersIn(args[0]);
        if (matrix.length > 0)
          this.#now.matrix = multiplyMatrices(asMatrix(matrix), this.#now.matrix);
        break;
      }
      case OPS.paintFormXObjectEnd:
        this.#now = this.#kept.pop() ?? this.#now;
        break;
      case OPS.beginText:
        this.#begin(IDENTITY_MATRIX);
        break;
      case OPS.setFont:
        this.#now.size = second;
        break;
      case OPS.setCharSpacing:
        this.#now.letterSpace = first;
        break;
      case OPS.setWordSpacing:
        this.#now.wordSpace = first;
        break;
      case OPS.setHScale:
        this.#now.scale = first / 100;
        break;
      case OPS.setLeading:
        this.#now.leading = -first;
        break;
      case OPS.setTextRise:
        this.#now.rise = first;
        break;
      case OPS.setTextRenderingMode:
        this.#now.mode = first;
        break;
      case OPS.setTextMatrix:
        // Some versions pass the six numbers as one array.
        this.#begin(asMatrix(numbers.length > 0 ? numbers : numbersIn(args[0])));
        break;
      case OPS.moveText:
        this.#move(first, second);
        break;
      case OPS.setLeadingMoveText:
        this.#now.leading = second;
        this.#move(first, second);
        break;
      case OPS.nextLine:
        this.#move(0, this.#now.leading);
        break;
      case OPS.showText:
        this.#show(listIn(args[0]));
        break;
      case OPS.setFillRGBColor:
        this.#now.shade = shadeOf(args[0]);
        break;
      case OPS.setFillColorN:
        this.#now.shade = args[0] === 'TilingPattern' ? 'struck' : null;
        break;
      case OPS.constructPath:
        this.#path(args);
        break;
    }
  }

  #begin(matrix: Matrix): void {
    this.#text = matrix;
    this.#line = matrix;
  }

  #move(x: number, y: number): void {
    this.#begin(multiplyMatrices([1, 0, 0, 1, x, y], this.#line));
  }

  #show(glyphs: readonly unknown[]): void {
    const { size, scale, letterSpace, wordSpace, rise, mode, matrix } = this.#now;
    for (const glyph of glyphs) {
      if (typeof glyph === 'number') this.#advance((-glyph / GLYPH_UNITS) * size * scale);
      if (!isGlyph(glyph)) continue;
      const width = (glyph.width / GLYPH_UNITS) * size * scale;
      const whole = multiplyMatrices(this.#text, matrix);
      const [x, y] = pointOf(whole, 0, rise);
      const [right, top] = pointOf(whole, width, rise);
      const length = Math.hypot(right - x, top - y);
      const height = size * Math.hypot(whole[2], whole[3]);
      // Only horizontal text is read: watermarks across a page are not labels.
      const isLevel = Math.abs(top - y) <= Math.abs(right - x) / 20 || length === 0;
      if (isLevel && right >= x && mode !== INVISIBLE_TEXT_MODE) {
        this.letters.push({ text: glyph.unicode, x, y, width: right - x, height });
      }
      this.#advance(width + (letterSpace + (glyph.isSpace ? wordSpace : 0)) * scale);
    }
  }

  #advance(by: number): void {
    this.#text = multiplyMatrices([1, 0, 0, 1, by, 0], this.#text);
  }

  #path([paint, data]: readonly unknown[]): void {
    if (paint === OPS.endPath || paint === OPS.clip || paint === OPS.eoClip) return;
    const path = numbersIn(listIn(data)[0]);
    const isFilled = typeof paint === 'number' && FILL_OPERATORS.has(paint);
    for (const points of subpathsOf(path)) {
      const placed = points.map(([x, y]) => pointOf(this.#now.matrix, x, y));
      if (isFilled) this.#fill(placed);
      else for (let at = 1; at < placed.length; at += 1) this.#stroke(placed[at - 1], placed[at]);
    }
  }

  /** Adds a filled shape: a line if it is thin enough, a box if it is not too large. */
  #fill(points: readonly Point[]): void {
    const xs = points.map(([x]) => x);
    const ys = points.map(([, y]) => y);
    const [left, right] = [Math.min(...xs), Math.max(...xs)];
    const [bottom, top] = [Math.min(...ys), Math.max(...ys)];
    if (top - bottom <= MAX_LINE_THICKNESS && right - left > MAX_LINE_THICKNESS) {
      const y = (top + bottom) / 2;
      this.strokes.push({ x: left, y, right, top: y });
    } else if (right - left <= MAX_LINE_THICKNESS && top - bottom > MAX_LINE_THICKNESS) {
      const x = (left + right) / 2;
      this.strokes.push({ x, y: bottom, right: x, top });
      return;
    }
    const { shade } = this.#now;
    if (shade !== null) this.shades.push({ as: shade, x: left, y: bottom, right, top });
    if (top - bottom <= MAX_BOX_HEIGHT && isUprightBox(points)) {
      for (const y of [bottom, top]) this.strokes.push({ x: left, y, right, top: y });
      for (const x of [left, right]) this.strokes.push({ x, y: bottom, right: x, top });
    }
  }

  #stroke([x, y]: Point = [0, 0], [right, top]: Point = [0, 0]): void {
    const isLevel = Math.abs(top - y) <= 0.5;
    const isUpright = Math.abs(right - x) <= 0.5;
    if (isLevel === isUpright) return;
    this.strokes.push({
      x: Math.min(x, right),
      y: Math.min(y, top),
      right: Math.max(x, right),
      top: Math.max(y, top),
    });
  }
}

/**
 * Returns the kind of background that a colour marks. Grey such as `#bfbfbf` marks struck-out
 * fields; a light colour, such as blue, marks the background of a field.
 */
function shadeOf(color: unknown): ShadedArea['as'] | null {
  const [, ...parts] = /^#(..)(..)(..)$/u.exec(typeof color === 'string' ? color : '') ?? [];
  const [red = 0, green = 0, blue = 0] = parts.map((part) => Number.parseInt(part, 16));
  const [least, most] = [Math.min(red, green, blue), Math.max(red, green, blue)];
  if (most - least < 12) return least > 0x50 && most < 0xdc ? 'struck' : null;
  return least > 0xa0 ? 'tint' : null;
}

function isUprightBox(points: readonly Point[]): boolean {
  const corners = points.length === 5 ? points.slice(1) : points;
  return (
    corners.length === 4 &&
    new Set(corners.map(([x]) => Math.round(x))).size === 2 &&
    new Set(corners.map(([, y]) => Math.round(y))).size === 2
  );
}

interface Glyph {
  readonly unicode: string;
  readonly width: number;
  readonly isSpace: boolean;
}

const isGlyph = (value: unknown): value is Glyph =>
  typeof value === 'object' && value !== null && 'unicode' in value && 'width' in value;

const numberIn = (value: unknown): number => (typeof value === 'number' ? value : 0);

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns the numbers of an array or a buffer; empty if it contains anything else. */
function numbersIn(value: unknown): readonly number[] {
  if (value instanceof Float32Array) return [...value];
  const list = listIn(value);
  return list.every((one) => typeof one === 'number') ? list : [];
}

type Point = readonly [x: number, y: number];

const FILL_OPERATORS: ReadonlySet<number> = new Set([
  OPS.fill,
  OPS.eoFill,
  OPS.fillStroke,
  OPS.eoFillStroke,
  OPS.closeFillStroke,
  OPS.closeEOFillStroke,
]);

/** Returns the corners of each subpath; a curve is replaced by a line to its end. */
function subpathsOf(path: readonly number[]): readonly (readonly Point[])[] {
  const parts: Point[][] = [];
  for (let at = 0; at < path.length;) {
    const kind = path[at] ?? 0;
    const count = NUMBERS_PER_PATH_STEP[kind] ?? 0;
    const last: Point = [path[at + count - 1] ?? 0, path[at + count] ?? 0];
    const part = parts.at(-1);
    if (kind === PATH_STEPS.moveTo) parts.push([last]);
    else if (kind === PATH_STEPS.closePath) {
      const [begin] = part ?? [];
      if (begin !== undefined) part?.push(begin);
    } else part?.push(last);
    at += count + 1;
  }
  return parts;
}

function asMatrix([a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: readonly number[]): Matrix {
  return [a, b, c, d, e, f];
}

/** Applies `first`, and then `second`. */
function multiplyMatrices(first: Matrix, second: Matrix): Matrix {
  const [a, b, c, d, e, f] = first;
  const [k, l, m, n, o, p] = second;
  return [
    a * k + b * m,
    a * l + b * n,
    c * k + d * m,
    c * l + d * n,
    e * k + f * m + o,
    e * l + f * n + p,
  ];
}

const pointOf = ([a, b, c, d, e, f]: Matrix, x: number, y: number): Point => [
  a * x + c * y + e,
  b * x + d * y + f,
];
