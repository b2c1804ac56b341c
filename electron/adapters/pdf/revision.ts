import { deflateSync } from 'node:zlib';
import {
  PDFContentStream,
  type PDFContext,
  PDFName,
  type PDFObject,
  PDFRawStream,
  PDFRef,
} from 'pdf-lib';
import { lastTableOffset, pdfTail } from '../../../shared/rules/files/pdf-shape.ts';

/*
 * Incremental update (PDF 1.7, 7.5.6): the bytes of a file stay as they are, and new or changed
 * objects are appended. pdf-lib can only rewrite a file.
 */

/**
 * Maximum distance of the last trailer dictionary from the start of its cross-references (bytes),
 * whether they are a table or a stream.
 */
const MAX_TRAILER = 4 * 1024 * 1024;
const SIZE = /\/Size\s+(?<size>\d{1,10})/u;
/** Column widths of a cross-reference stream in bytes: type, offset, generation. */
const COLUMN_WIDTHS = [1, 4, 2] as const;
const IN_USE_ENTRY = 1;

/** Last revision of a file, which a new revision continues. */
export interface LastRevision {
  /** Start of the revision's cross-references. */
  readonly at: number;
  /** Kind of the cross-references: a stream must be continued by a stream, a table by a table. */
  readonly kind: 'table' | 'stream';
  /** Number that is higher than every object number, used or deleted. */
  readonly size: number;
}

/**
 * Returns the last revision; null if the file's cross-references are invalid, so that nothing can
 * be appended.
 */
export function lastRevision(data: Uint8Array): LastRevision | null {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const at = lastTableOffset(pdfTail(data));
  if (at === null || at >= data.length) return null;
  const isTable = bytes.subarray(at, at + 4).toString('latin1') === 'xref';
  if (!isTable && !/^\d{1,10}\s+\d{1,5}\s+obj\b/u.test(bytes.toString('latin1', at, at + 32))) {
    return null;
  }
  const begin = isTable ? bytes.indexOf('trailer', at) : at;
  if (begin < 0) return null;
  const size = SIZE.exec(bytes.toString('latin1', begin, begin + MAX_TRAILER))?.groups?.['size'];
  return size === undefined ? null : { at, kind: isTable ? 'table' : 'stream', size: Number(size) };
}

/** Appends the current objects of `refs` in `context` as a revision. */
export function addRevision(
  data: Uint8Array,
  last: LastRevision,
  context: PDFContext,
  refs: Iterable<PDFRef>,
): Uint8Array {
  const ordered = [...new Set(refs)].sort((one, other) => one.objectNumber - other.objectNumber);
  const parts: Uint8Array[] = [data, Buffer.from('\n', 'latin1')];
  let length = data.length + 1;
  const add = (part: Uint8Array): void => {
    parts.push(part);
    length += part.length;
  };
  const offsets = ordered.map((ref): Offset => {
    const offset = { ref, at: length };
    add(objectBytes(ref, context.lookup(ref)));
    return offset;
  });
  const begin = length;
  add(
    last.kind === 'table'
      ? writeReferenceTable(offsets, last, context)
      : stream(offsets, begin, last, context),
  );
  add(Buffer.from(`startxref\n${begin}\n%%EOF\n`, 'latin1'));
  return new Uint8Array(Buffer.concat(parts));
}

interface Offset {
  readonly ref: PDFRef;
  readonly at: number;
}

function objectBytes({ objectNumber, generationNumber }: PDFRef, object?: PDFObject): Uint8Array {
  if (object === undefined) throw new Error(`Object ${objectNumber} is not there`);
  const written = compressObject(object);
  const body = new Uint8Array(written.sizeInBytes());
  written.copyBytesInto(body, 0);
  return Buffer.concat([
    Buffer.from(`${objectNumber} ${generationNumber} obj\n`, 'latin1'),
    body,
    Buffer.from('\nendobj\n', 'latin1'),
  ]);
}

/**
 * Compresses a content stream: pdf-lib does it in JavaScript, which takes most of the time for
 * hundreds of small pictures.
 */
function compressObject(object: PDFObject): PDFObject {
  if (!(object instanceof PDFContentStream)) return object;
  const filter = object.dict.get(PDFName.of('Filter'));
  if (filter !== PDFName.of('FlateDecode')) return object;
  return PDFRawStream.of(object.dict, deflateSync(object.getUnencodedContents()));
}

/** Writes entries of twenty bytes, in ranges of consecutive numbers. */
function writeReferenceTable(
  offsets: readonly Offset[],
  last: LastRevision,
  context: PDFContext,
): Uint8Array {
  const lines = runsOf(offsets).flatMap((run) => [
    `${run[0]?.ref.objectNumber ?? 0} ${run.length}\n`,
    ...run.map(({ ref, at }) => {
      const generation = String(ref.generationNumber).padStart(5, '0');
      return `${String(at).padStart(10, '0')} ${generation} n \n`;
    }),
  ]);
  const trailer = context.obj(trailerOf(context, last, context.largestObjectNumber + 1));
  return Buffer.from(`xref\n${lines.join('')}trailer\n${trailer.toString()}\n`, 'latin1');
}

/**
 * Writes the cross-references as a stream, which is itself an object and lists its own position
 * too.
 */
function stream(
  offsets: readonly Offset[],
  begin: number,
  last: LastRevision,
  context: PDFContext,
): Uint8Array {
  const own = PDFRef.of(context.largestObjectNumber + 1);
  const all = [...offsets, { ref: own, at: begin }];
  const [kind, place, generation] = COLUMN_WIDTHS;
  const width = kind + place + generation;
  const rows = Buffer.alloc(all.length * width);
  for (const [row, { ref, at }] of all.entries()) {
    rows.writeUIntBE(IN_USE_ENTRY, row * width, kind);
    rows.writeUIntBE(at, row * width + kind, place);
    rows.writeUIntBE(ref.generationNumber, row * width + kind + place, generation);
  }
  const index = runsOf(all).flatMap((run) => [run[0]?.ref.objectNumber ?? 0, run.length]);
  const dictionary = {
    ...trailerOf(context, last, own.objectNumber + 1),
    Type: PDFName.of('XRef'),
    W: [...COLUMN_WIDTHS],
    Index: index,
  };
  return objectBytes(own, context.stream(rows, dictionary));
}

function runsOf(offsets: readonly Offset[]): readonly (readonly Offset[])[] {
  const runs: Offset[][] = [];
  for (const offset of offsets) {
    const run = runs.at(-1);
    const before = run?.at(-1)?.ref.objectNumber;
    if (run !== undefined && before === offset.ref.objectNumber - 1) run.push(offset);
    else runs.push([offset]);
  }
  return runs;
}

function trailerOf({ trailerInfo }: PDFContext, { at }: LastRevision, size: number) {
  const { Root, Info, ID } = trailerInfo;
  return {
    Size: size,
    Prev: at,
    ...(Root !== undefined && { Root }),
    ...(Info !== undefined && { Info }),
    ...(ID !== undefined && { ID }),
  };
}
