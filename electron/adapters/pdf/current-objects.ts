import { inflateSync } from 'node:zlib';
import { PDFCatalog, type PDFContext, type PDFObject, PDFObjectParser, PDFRef } from 'pdf-lib';
import { headerOffset, lastTableOffset, pdfTail } from '../../../shared/rules/files/pdf-shape.ts';
import { withoutPredictor } from './predictor.ts';

const HEAD_BYTES = 1024;
const HEADER = /(?<!\d)(\d{1,10})\s{1,9}(\d{1,5})\s{1,9}obj(?![a-z])/g;
const HEADER_AT_POSITION = /\s{0,9}(\d{1,10})\s{1,9}(\d{1,5})\s{1,9}obj(?![a-z])/y;
const ROW = /(\d{10})\s(\d{5})\s([fn])/;
/**
 * Number of bytes of a table row, and maximum bytes of a dictionary that follows a table or begins
 * a stream.
 */
const ROW_BYTES = 20;
const MAX_DICTIONARY = 4096;
const MAX_UNPACKED = 64 * 1024 * 1024;
/** Maximum revisions of a file; older ones keep what the parser read. */
const MAX_TABLES = 200;
const ENTRY_IN_FILE = 1;
/** Position of an object that is deleted, or that is in an object stream. */
const ENTRY_NOT_IN_FILE = -1;

/** Parses the object at the start of these bytes. */
type ObjectReader = (bytes: Uint8Array, ref: PDFRef) => PDFObject;

interface Section {
  readonly places: ReadonlyMap<string, number>;
  readonly dictionary: string;
}

/**
 * Removes objects that viewers do not use. pdf-lib reads a file from start to end, and keeps the
 * last object of each number. Viewers follow the cross-references: an object later in the file
 * without a cross-reference is dead. It would put a text into the document that people do not see
 * in their viewer.
 */
export function keepCurrentObjects(
  context: PDFContext,
  data: Uint8Array,
  objectIn: ObjectReader = (bytes, ref) =>
    PDFObjectParser.forBytes(bytes, context).parseObject(ref),
): void {
  const text = Buffer.from(data.buffer, data.byteOffset, data.length).toString('latin1');
  const last = new Map<string, number>();
  const repeated = new Set<string>();
  for (const { 1: number, 2: generation, index } of text.matchAll(HEADER)) {
    const tag = `${Number(number)} ${Number(generation)} R`;
    if (last.has(tag)) repeated.add(tag);
    last.set(tag, index);
  }
  const base = headerOffset(data.subarray(0, HEAD_BYTES));
  if (repeated.size === 0) return;
  const sections = sectionsOf(text, data, base);
  for (const tag of repeated) {
    const place = sections.find(({ places }) => places.has(tag))?.places.get(tag);
    if (place === undefined || place === ENTRY_NOT_IN_FILE) continue;
    const start = readBehindHeader(text, place + base, tag);
    if (start === null || start.at === last.get(tag)) continue;
    const [number = 0, generation = 0] = tag.split(' ').map(Number);
    const ref = PDFRef.of(number, generation);
    context.assign(ref, objectIn(data.subarray(start.end), ref));
  }
  keepNewestRoot(context, sections[0]);
}

/**
 * Uses the catalog that the newest trailer names; a different catalog later in the file is dead.
 */
function keepNewestRoot(context: PDFContext, newest: Section | undefined): void {
  const named = /\/Root\s+(\d{1,10})\s+(\d{1,5})\s+R/.exec(newest?.dictionary ?? '');
  if (named === null) return;
  const ref = PDFRef.of(Number(named[1]), Number(named[2]));
  if (context.lookup(ref) instanceof PDFCatalog) context.trailerInfo.Root = ref;
}

/**
 * Returns the start of the object with this name, and the end of its header; null if the object is
 * not at `place`.
 */
function readBehindHeader(
  text: string,
  place: number,
  tag: string,
): { readonly at: number; readonly end: number } | null {
  HEADER_AT_POSITION.lastIndex = place;
  const found = HEADER_AT_POSITION.exec(text);
  if (found === null || `${Number(found[1])} ${Number(found[2])} R` !== tag) return null;
  const end = HEADER_AT_POSITION.lastIndex;
  return { at: end - found[0].trimStart().length, end };
}

/**
 * Returns the cross-references of a file, newest first (PDF 1.7, 7.5.4 and 7.5.8), as far as
 * readable.
 */
function sectionsOf(text: string, data: Uint8Array, base: number): readonly Section[] {
  const sections: Section[] = [];
  const waiting = [lastTableOffset(pdfTail(data))];
  const seen = new Set<number>();
  while (sections.length < MAX_TABLES) {
    const place = waiting.shift();
    if (place === undefined) break;
    if (place === null || seen.has(place)) continue;
    seen.add(place);
    const at = place + base;
    const section = text.startsWith('xref', at) ? tableAt(text, at) : streamAt(text, data, at);
    if (section === null) continue;
    sections.push(section);
    waiting.push(numberIn(section, 'XRefStm'), numberIn(section, 'Prev'));
  }
  return sections;
}

function numberIn({ dictionary }: Section, key: string): number | null {
  const found = new RegExp(String.raw`/${key}\s+(\d{1,15})`).exec(dictionary);
  return found === null ? null : Number(found[1]);
}

function tableAt(text: string, from: number): Section | null {
  const places = new Map<string, number>();
  const begin = /\s{0,9}(\d{1,10})\s(\d{1,10})\s{1,9}(?=\d{10})/y;
  let at = from + 'xref'.length;
  for (;;) {
    begin.lastIndex = at;
    const head = begin.exec(text);
    if (head === null) break;
    const [, first, count] = head.map(Number);
    at = begin.lastIndex;
    for (let row = 0; row < (count ?? 0); row += 1, at += ROW_BYTES) {
      const [, place, generation, kind] = ROW.exec(text.slice(at, at + ROW_BYTES)) ?? [];
      if (kind === undefined) return null;
      const tag = `${(first ?? 0) + row} ${Number(generation)} R`;
      places.set(tag, kind === 'n' ? Number(place) : ENTRY_NOT_IN_FILE);
    }
  }
  const trailer = text.slice(at, at + MAX_DICTIONARY);
  return /^\s*trailer/.test(trailer) ? { places, dictionary: trailer } : null;
}

function streamAt(text: string, data: Uint8Array, at: number): Section | null {
  const head = /^\s*\d+\s+\d+\s+obj\s*(<<[^]*?)stream\r?\n/.exec(
    text.slice(at, at + MAX_DICTIONARY),
  );
  const [whole = '', dictionary = ''] = head ?? [];
  const section = { places: new Map<string, number>(), dictionary };
  const length = numberIn(section, 'Length');
  const widths = listIn(dictionary, 'W');
  if (!/\/Type\s*\/XRef/.test(dictionary) || length === null || widths.length !== 3) return null;
  const start = at + whole.length;
  const rows = rowsOf(data.subarray(start, start + length), section);
  const size = widths.reduce((sum, width) => sum + width, 0);
  const index = listIn(dictionary, 'Index');
  const runs = index.length > 0 ? index : [0, numberIn(section, 'Size') ?? 0];
  if (rows === null || size === 0 || size > 32) return null;
  let row = 0;
  for (let run = 0; run + 1 < runs.length; run += 2) {
    for (let more = 0; more < (runs[run + 1] ?? 0) && row + size <= rows.length; more += 1) {
      const [kind, place, generation] = columnsOf(rows.subarray(row, row + size), widths);
      const isHere = kind === ENTRY_IN_FILE;
      const tag = `${(runs[run] ?? 0) + more} ${isHere ? generation : 0} R`;
      section.places.set(tag, isHere ? place : ENTRY_NOT_IN_FILE);
      row += size;
    }
  }
  return section;
}

function listIn(dictionary: string, key: string): readonly number[] {
  const found = new RegExp(String.raw`/${key}\s*\[([\d\s]*)\]`).exec(dictionary);
  return (found?.[1] ?? '')
    .split(/\s+/)
    .filter((one) => one !== '')
    .map(Number);
}

function columnsOf(
  row: Uint8Array,
  widths: readonly number[],
): readonly [kind: number, place: number, generation: number] {
  let at = 0;
  const [kind = 0, place = 0, generation = 0] = widths.map((width) => {
    const bytes = row.subarray(at, at + width);
    at += width;
    return bytes.reduce((sum, byte) => sum * 256 + byte, 0);
  });
  // Without a type column, every object is in the file.
  return [widths[0] === 0 ? ENTRY_IN_FILE : kind, place, generation];
}

/**
 * Returns the rows of a cross-reference stream; null for encodings that no writer uses for them.
 */
function rowsOf(packed: Uint8Array, section: Section): Uint8Array | null {
  const { dictionary } = section;
  if (!dictionary.includes('/Filter')) return packed;
  if (!/\/Filter[\s[]{0,9}\/FlateDecode\s{0,9}[\]/>]/.test(dictionary)) return null;
  try {
    const rows = inflateSync(packed, { maxOutputLength: MAX_UNPACKED });
    const columns = numberIn(section, 'Columns') ?? 1;
    return (numberIn(section, 'Predictor') ?? 1) < 10 ? rows : withoutPredictor(rows, columns);
  } catch {
    return null;
  }
}
