import { type PDFContext, type PDFObject, PDFRef } from 'pdf-lib';
import { textOf, type ObjectEntry, findReachable, writeObjectParts } from './parts.ts';
import type { Picture } from './picture.ts';

/**
 * Template with holes: the content that all merged copies share, written once, and the numbers of
 * the objects that differ. A copy is the shared bytes, the appearances, and a table of their
 * positions. It has one revision: no older value stays in the file.
 */
export interface FlatTemplate {
  /**
   * Returns objects that only some copies have, such as a font; they are valid for this template
   * only.
   */
  addition(roots: readonly PDFObject[]): TemplateAddition;
  cast(pictures: readonly Picture[], addition: TemplateAddition | null): Uint8Array;
}

/** Cross-reference table of a copy, without the positions that change. */
export interface TemplateAddition {
  readonly bytes: Buffer;
  readonly table: ReferenceTable;
}

interface ReferenceTable {
  readonly head: string;
  readonly rows: Buffer;
  /** Offsets in `rows` of the position of each hole. */
  readonly holes: readonly number[];
  readonly own: number;
  readonly number: number;
}

const HEADER = Buffer.from('%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n', 'latin1');
/**
 * Bytes of a row: type, position, and the generation or the index within a stream (PDF 1.7,
 * 7.5.8.3).
 */
const WIDTHS = [1, 4, 2] as const;
const TABLE_ENTRY_BYTES = 7;
const NOTHING_ADDED = Buffer.alloc(0);
const PLACE = 1;
const REST = 5;
const FREE_ENTRY = 0;
const FILE_ENTRY = 1;
const STREAM_ENTRY = 2;

export function flattenObjects(options: {
  readonly context: PDFContext;
  readonly roots: readonly PDFObject[];
  /** Objects that copies must not contain: fields and their widgets. */
  readonly without: ReadonlySet<PDFRef>;
  readonly holes: readonly PDFRef[];
}): FlatTemplate {
  const { context, roots, without, holes } = options;
  const { Root, Info, ID } = context.trailerInfo;
  const trailer = [Root, Info, ID].filter((one) => one !== undefined);
  const shared = findReachable(context, [...trailer, ...roots], without);
  const parts = writeObjectParts(context, shared.found, HEADER.length);
  const filled = new Set(holes);
  // References to fields, as in the structure tree, now point to nothing.
  const gone = [...shared.lost].filter((ref) => !filled.has(ref));
  const known = [...parts.entries, ...gone.map(({ objectNumber }) => ({ number: objectNumber }))];
  const base = Buffer.concat([HEADER, parts.bytes]);
  const heads = holes.map(({ objectNumber }) => `${objectNumber} 0 obj\n`);
  const named = Object.entries({ Root, Info, ID })
    .flatMap(([key, value]) => (value === undefined ? [] : `/${key} ${textOf(value)}`))
    .join('');
  const plain = createReferenceTable(context, known, holes, named);

  return {
    addition(added) {
      const { found } = findReachable(context, added, new Set([...shared.found, ...without]));
      const extra = writeObjectParts(context, found, base.length);
      const entries = [...known, ...extra.entries];
      return { bytes: extra.bytes, table: createReferenceTable(context, entries, holes, named) };
    },
    cast: (pictures, addition) =>
      joinTemplatePieces(
        { base, heads, pictures, added: addition?.bytes ?? NOTHING_ADDED },
        addition?.table ?? plain,
      ),
  };
}

interface TemplatePieces {
  readonly base: Buffer;
  readonly added: Buffer;
  /** Text before each appearance. */
  readonly heads: readonly string[];
  readonly pictures: readonly Picture[];
}

function joinTemplatePieces(
  { base, added, heads, pictures }: TemplatePieces,
  table: ReferenceTable,
): Uint8Array {
  const rows = Buffer.from(table.rows);
  const front = base.length + added.length;
  let at = front;
  let tail = '';
  for (let hole = 0; hole < heads.length; hole += 1) {
    const object = `${heads[hole] ?? ''}${pictures[hole] ?? ''}\nendobj\n`;
    rows.writeUInt32BE(at, table.holes[hole]);
    at += object.length;
    tail += object;
  }
  rows.writeUInt32BE(at, table.own);
  const start = `${table.number} 0 obj\n${table.head}`;
  const end = `\nendstream\nendobj\nstartxref\n${at}\n%%EOF\n`;
  const file = Buffer.allocUnsafeSlow(at + start.length + rows.length + end.length);
  base.copy(file);
  added.copy(file, base.length);
  file.write(tail, front, 'latin1');
  file.write(start, at, 'latin1');
  rows.copy(file, at + start.length);
  file.write(end, at + start.length + rows.length, 'latin1');
  return file;
}

/** Creates the cross-reference stream of a copy, with zeros for the positions of its holes. */
function createReferenceTable(
  context: PDFContext,
  entries: readonly ObjectEntry[],
  holes: readonly PDFRef[],
  named: string,
): ReferenceTable {
  const number = context.nextRef().objectNumber;
  const open = (of: number): ObjectEntry => ({ number: of, at: 0, generation: 0 });
  const all = [...entries, ...holes.map(({ objectNumber }) => open(objectNumber)), open(number)];
  all.sort((a, b) => a.number - b.number);
  const rows = Buffer.concat(all.map(rowOf));
  const placeOf = new Map(all.map((entry, at) => [entry.number, at * TABLE_ENTRY_BYTES + PLACE]));
  const head =
    `<</Type/XRef/Size ${number + 1}/W[${WIDTHS.join(' ')}]/Index[${numberRangesOf(all).join(' ')}]` +
    `${named}/Length ${rows.length}>>\nstream\n`;
  const place = (of: number) => placeOf.get(of) ?? 0;
  return {
    head,
    rows,
    holes: holes.map(({ objectNumber }) => place(objectNumber)),
    own: place(number),
    number,
  };
}

function rowOf(entry: ObjectEntry): Buffer {
  const row = Buffer.alloc(TABLE_ENTRY_BYTES);
  const [kind, place, rest] = columnsOf(entry);
  row.writeUInt8(kind, 0);
  row.writeUInt32BE(place, PLACE);
  row.writeUInt16BE(rest, REST);
  return row;
}

function columnsOf(entry: ObjectEntry): readonly [number, number, number] {
  if ('within' in entry) return [STREAM_ENTRY, entry.within, entry.place];
  return 'at' in entry ? [FILE_ENTRY, entry.at, entry.generation] : [FREE_ENTRY, 0, 0];
}

/** Returns the first number and the count of each contiguous range. */
function numberRangesOf(entries: readonly ObjectEntry[]): number[] {
  const found: number[] = [];
  let last = Number.NaN;
  for (const { number } of entries) {
    if (number === last + 1) found[found.length - 1] = (found.at(-1) ?? 0) + 1;
    else found.push(number, 1);
    last = number;
  }
  return found;
}
