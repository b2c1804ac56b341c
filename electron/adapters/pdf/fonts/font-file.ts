import { closeSync, openSync, readSync } from 'node:fs';

/*
 * Reads the tables of fonts (OpenType 1.9). The files are untrusted: an offset outside the file, or
 * a truncated table, ends the reading of that font.
 */

/** A font of a file, which may be a collection of several. */
export interface Face {
  readonly file: string;
  readonly tables: ReadonlyMap<string, TablePlace>;
  /** Outlines in one colour; null if there are none that a PDF can contain. */
  readonly outlines: OutlineTable | null;
  readonly hasPictures: boolean;
  /** Whether the font's own rules join and position glyphs. */
  readonly hasRules: boolean;
  readonly family: string;
  readonly style: Style;
  /** Whether its licence allows embedding a subset in a document (OS/2, fsType). */
  readonly mayBeEmbedded: boolean;
}

const OUTLINE_TABLES = ['glyf', 'CFF '] as const;
type OutlineTable = (typeof OUTLINE_TABLES)[number];

interface Style {
  readonly weight: number;
  readonly width: number;
  readonly isItalic: boolean;
  readonly isSerif: boolean;
  readonly isMonospaced: boolean;
}

interface TablePlace {
  readonly at: number;
  readonly length: number;
}

const COLLECTION = 'ttcf';
const FONT_TAGS = new Set(['\u0000\u0001\u0000\u0000', 'OTTO', 'true']);
const TABLE_RECORD_BYTES = 16;
const FONT_HEADER_BYTES = 12;
/** A collection has a few dozen fonts; a larger number from a damaged file is limited. */
const MAX_FACES = 64;
const MAX_TABLES = 128;
/** Maximum bytes of a table; Chinese, Japanese and Korean fonts need less than half of it. */
const MAX_BYTES = 80 * 1024 * 1024;

/** Returns the fonts of a file; empty if it is not a font file, or damaged. */
export function facesOf(file: string): readonly Face[] {
  return withFile(file, (read) => {
    const start = read(0, FONT_HEADER_BYTES);
    if (start.toString('latin1', 0, 4) !== COLLECTION) return [faceAt(file, 0, read)];
    const count = Math.min(start.readUInt32BE(8), MAX_FACES);
    const places = read(FONT_HEADER_BYTES, count * 4);
    return Array.from({ length: count }, (_, at) =>
      faceAt(file, places.readUInt32BE(at * 4), read),
    );
  }).flatMap((face) => face ?? []);
}

type Read = (at: number, length: number) => Buffer;

function withFile<Result>(file: string, use: (read: Read) => readonly Result[]): readonly Result[] {
  let handle: number | null = null;
  try {
    const opened = openSync(file, 'r');
    handle = opened;
    return use((at, length) => {
      if (length > MAX_BYTES) throw new RangeError('The table is too large');
      const bytes = Buffer.alloc(length);
      const got = readSync(opened, bytes, 0, length, at);
      if (got < length) throw new RangeError('The file ends before its table');
      return bytes;
    });
  } catch {
    return [];
  } finally {
    if (handle !== null) closeSync(handle);
  }
}

function faceAt(file: string, at: number, read: Read): Face | null {
  const head = read(at, FONT_HEADER_BYTES);
  if (!FONT_TAGS.has(head.toString('latin1', 0, 4))) return null;
  const count = head.readUInt16BE(4);
  if (count > MAX_TABLES) return null;
  const rows = read(at + FONT_HEADER_BYTES, count * TABLE_RECORD_BYTES);
  const tables = new Map(
    Array.from({ length: count }, (_, row) => {
      const from = row * TABLE_RECORD_BYTES;
      const place = { at: rows.readUInt32BE(from + 8), length: rows.readUInt32BE(from + 12) };
      return [rows.toString('latin1', from, from + 4), place] as const;
    }),
  );
  const described = tables.get('OS/2');
  const names = tables.get('name');
  // A font that does not state its licence is not embedded.
  if (described === undefined || described.length < 64 || !tables.has('cmap')) return null;
  const os2 = read(described.at, 64);
  const isPainted = isPaintedOnly(tables.get('COLR'), read);
  return {
    file,
    tables,
    outlines: isPainted ? null : (OUTLINE_TABLES.find((tag) => tables.has(tag)) ?? null),
    hasPictures: tables.has('CBDT') || tables.has('sbix'),
    hasRules: tables.has('GSUB'),
    family: names === undefined ? '' : familyIn(read(names.at, names.length)),
    style: styleIn(os2),
    mayBeEmbedded: mayBeEmbedded(os2.readUInt16BE(8)),
  };
}

/**
 * Whether a layered colour font has outlines only of its layers. Every font whose colour table has
 * a version above 0 counts as such a font.
 */
function isPaintedOnly(colours: TablePlace | undefined, read: Read): boolean {
  return colours !== undefined && read(colours.at, 2).readUInt16BE(0) > 0;
}

const USAGE_MASK = 0xf;
const RESTRICTED_USAGE = 0x2;
const WHOLE_FONT_USAGE = 0x100;
const BITMAPS_ONLY_USAGE = 0x200;

/** Whether the font's licence flags allow embedding. */
function mayBeEmbedded(type: number): boolean {
  if ((type & USAGE_MASK) === RESTRICTED_USAGE) return false;
  return (type & (WHOLE_FONT_USAGE | BITMAPS_ONLY_USAGE)) === 0;
}

/** Panose, the first two of ten digits: text, and the kind of serifs. */
const TEXT_FAMILY_KIND = 2;
const SERIF_STYLES = { first: 2, last: 10 };
const MONOSPACED_PROPORTION = 9;

function styleIn(os2: Buffer): Style {
  const isText = os2.readUInt8(32) === TEXT_FAMILY_KIND;
  const ends = os2.readUInt8(33);
  return {
    weight: os2.readUInt16BE(4),
    width: os2.readUInt16BE(6),
    isItalic: (os2.readUInt16BE(62) & 1) === 1,
    isSerif: isText && ends >= SERIF_STYLES.first && ends <= SERIF_STYLES.last,
    isMonospaced: isText && os2.readUInt8(35) === MONOSPACED_PROPORTION,
  };
}

const FAMILY = 1;
const WINDOWS = 3;
const ENGLISH = 0x409;

/** Returns the English name of the family; '' if there is none. */
function familyIn(table: Buffer): string {
  const count = table.readUInt16BE(2);
  const texts = table.readUInt16BE(4);
  for (let row = 0; row < count; row += 1) {
    const at = 6 + row * 12;
    const isIt =
      table.readUInt16BE(at) === WINDOWS &&
      table.readUInt16BE(at + 4) === ENGLISH &&
      table.readUInt16BE(at + 6) === FAMILY;
    if (!isIt) continue;
    const from = texts + table.readUInt16BE(at + 10);
    const letters = Math.floor(table.readUInt16BE(at + 8) / 2);
    return Array.from({ length: letters }, (_, place) =>
      String.fromCharCode(table.readUInt16BE(from + place * 2)),
    ).join('');
  }
  return '';
}

/** Code points that a font has a glyph for. */
export type Coverage = ReadonlySet<number>;

/** Returns the code points of a font; empty if they cannot be read. */
export function coverageOf({ file, tables }: Face): Coverage {
  const place = tables.get('cmap');
  if (place === undefined) return new Set();
  const [found] = withFile(file, (read) => [charactersIn(read(place.at, place.length))]);
  return found ?? new Set();
}

/** Preferred cmap tables: full Unicode before the basic plane; symbol tables are ignored. */
const PREFERRED_ENCODINGS = [
  [3, 10],
  [0, 6],
  [0, 4],
  [3, 1],
  [0, 3],
] as const;

function charactersIn(cmap: Buffer): Coverage {
  const count = cmap.readUInt16BE(2);
  const at = new Map<string, number>();
  for (let row = 0; row < count; row += 1) {
    const from = 4 + row * 8;
    const key = `${cmap.readUInt16BE(from)} ${cmap.readUInt16BE(from + 2)}`;
    at.set(key, cmap.readUInt32BE(from + 4));
  }
  for (const [platform, encoding] of PREFERRED_ENCODINGS) {
    const from = at.get(`${platform} ${encoding}`);
    if (from === undefined) continue;
    const table = cmap.subarray(from);
    const format = table.readUInt16BE(0);
    if (format === 12) return codesInGroups(table);
    if (format === 4) return codesInSegments(table);
  }
  return new Set();
}

const MAX_CODE_POINT = 0x10_ff_ff;

function codesInGroups(table: Buffer): Coverage {
  const letters = new Set<number>();
  const count = table.readUInt32BE(12);
  for (let group = 0; group < count; group += 1) {
    const at = 16 + group * 12;
    const last = Math.min(table.readUInt32BE(at + 4), MAX_CODE_POINT);
    const glyph = table.readUInt32BE(at + 8);
    const first = table.readUInt32BE(at);
    for (let letter = first; letter <= last; letter += 1) {
      if (glyph + letter - first !== 0) letters.add(letter);
    }
  }
  return letters;
}

function codesInSegments(table: Buffer): Coverage {
  const letters = new Set<number>();
  const doubled = table.readUInt16BE(6);
  const ends = 14;
  const starts = ends + doubled + 2;
  const deltas = starts + doubled;
  const ranges = deltas + doubled;
  for (let at = 0; at < doubled; at += 2) {
    const last = table.readUInt16BE(ends + at);
    const first = table.readUInt16BE(starts + at);
    const delta = table.readUInt16BE(deltas + at);
    const range = table.readUInt16BE(ranges + at);
    for (let letter = first; letter <= last && letter < 0xffff; letter += 1) {
      const listed = range === 0 ? letter : glyphInList(table, ranges + at + range, letter - first);
      if (listed !== 0 && (range !== 0 || ((letter + delta) & 0xffff) !== 0)) letters.add(letter);
    }
  }
  return letters;
}

function glyphInList(table: Buffer, list: number, place: number): number {
  const at = list + place * 2;
  return at + 2 > table.length ? 0 : table.readUInt16BE(at);
}

/** Returns one font as a separate file, extracted from its collection; null if the file is gone. */
export function readWholeFace(face: Face): Buffer | null {
  const [whole] = withFile(face.file, (read) => {
    const tables = [...face.tables].map(
      ([tag, { at, length }]) => [tag, read(at, length)] as const,
    );
    return [buildFontFile(new Map(tables), false)];
  });
  return whole ?? null;
}

/** Returns the tables of a single-font file. */
export function tablesIn(font: Buffer): ReadonlyMap<string, Buffer> {
  const count = font.readUInt16BE(4);
  return new Map(
    Array.from({ length: count }, (_, row) => {
      const from = FONT_HEADER_BYTES + row * TABLE_RECORD_BYTES;
      const at = font.readUInt32BE(from + 8);
      const bytes = font.subarray(at, at + font.readUInt32BE(from + 12));
      return [font.toString('latin1', from, from + 4), bytes] as const;
    }),
  );
}

/**
 * Builds a font file from tables (OpenType 1.9, "Organization of an OpenType font"). Fonts that
 * stay in this program skip the checksums over their millions of bytes.
 */
export function buildFontFile(tables: ReadonlyMap<string, Buffer>, hasSums = true): Buffer {
  const ordered = [...tables].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const head = Buffer.alloc(FONT_HEADER_BYTES + ordered.length * TABLE_RECORD_BYTES);
  const power = Math.floor(Math.log2(Math.max(1, ordered.length)));
  head.write(tables.has('CFF ') ? 'OTTO' : '\u0000\u0001\u0000\u0000', 0, 'latin1');
  head.writeUInt16BE(ordered.length, 4);
  head.writeUInt16BE(TABLE_RECORD_BYTES * 2 ** power, 6);
  head.writeUInt16BE(power, 8);
  head.writeUInt16BE(TABLE_RECORD_BYTES * (ordered.length - 2 ** power), 10);
  const parts: Buffer[] = [head];
  let at = head.length;
  for (const [row, [tag, bytes]] of ordered.entries()) {
    const from = FONT_HEADER_BYTES + row * TABLE_RECORD_BYTES;
    head.write(tag, from, 'latin1');
    if (hasSums) head.writeUInt32BE(sumOf(bytes), from + 4);
    head.writeUInt32BE(at, from + 8);
    head.writeUInt32BE(bytes.length, from + 12);
    const padding = Buffer.alloc((4 - (bytes.length % 4)) % 4);
    parts.push(bytes, padding);
    at += bytes.length + padding.length;
  }
  return Buffer.concat(parts);
}

function sumOf(bytes: Buffer): number {
  const whole = bytes.length - (bytes.length % 4);
  let sum = 0;
  for (let at = 0; at < whole; at += 4) sum = (sum + bytes.readUInt32BE(at)) >>> 0;
  for (let at = whole; at < bytes.length; at += 1) {
    sum = (sum + bytes.readUInt8(at) * 2 ** (24 - 8 * (at % 4))) >>> 0;
  }
  return sum;
}
