import { deflateSync } from 'node:zlib';
import { PDFArray, type PDFContext, PDFDict, type PDFObject, PDFRef, PDFStream } from 'pdf-lib';

/**
 * Position of an object: at a byte of the file, in an object stream (PDF 1.7, 7.5.8), or nowhere.
 */
export type ObjectEntry =
  | { readonly number: number }
  | { readonly number: number; readonly at: number; readonly generation: number }
  | { readonly number: number; readonly within: number; readonly place: number };

export interface ObjectParts {
  readonly bytes: Buffer;
  /** Sorted by number. */
  readonly entries: readonly ObjectEntry[];
}

/**
 * Maximum objects of an object stream, so that the index of an object fits into one byte of its
 * entry.
 */
const OBJECTS_PER_STREAM = 100;

/** Returns the bytes of an object, without its number. */
function bytesOf(object: PDFObject): Buffer {
  const bytes = Buffer.alloc(object.sizeInBytes());
  object.copyBytesInto(bytes, 0);
  return bytes;
}

/** Returns the bytes of an object as text, one character per byte. */
export function textOf(object: PDFObject): string {
  return bytesOf(object).toString('latin1');
}

/** Referenced objects, and references to missing objects. */
export interface ReachableObjects {
  readonly found: ReadonlySet<PDFRef>;
  readonly lost: ReadonlySet<PDFRef>;
}

/** Returns every object that can be reached from `roots` without passing through `except`. */
export function findReachable(
  context: PDFContext,
  roots: readonly PDFObject[],
  except: ReadonlySet<PDFRef>,
): ReachableObjects {
  const found = new Set<PDFRef>();
  const lost = new Set<PDFRef>();
  const waiting: PDFObject[] = [...roots];
  for (;;) {
    const object = waiting.pop();
    if (object === undefined) return { found, lost };
    if (object instanceof PDFRef) {
      if (found.has(object)) continue;
      const target = except.has(object) ? undefined : context.lookup(object);
      (target === undefined ? lost : found).add(object);
      if (target !== undefined) waiting.push(target);
    } else if (object instanceof PDFDict) for (const value of object.values()) waiting.push(value);
    else if (object instanceof PDFArray) for (const value of object.asArray()) waiting.push(value);
    else if (object instanceof PDFStream) waiting.push(object.dict);
  }
}

/** Writes objects one after the other, small ones packed together; `start` is the first offset. */
export function writeObjectParts(
  context: PDFContext,
  refs: Iterable<PDFRef>,
  start: number,
): ObjectParts {
  const chunks: Buffer[] = [];
  const entries: ObjectEntry[] = [];
  let at = start;
  const put = (ref: PDFRef, body: Buffer) => {
    const { objectNumber: number, generationNumber: generation } = ref;
    const whole = wrapObject(`${number} ${generation}`, body);
    entries.push({ number, at, generation });
    chunks.push(whole);
    at += whole.length;
  };
  const small: PDFRef[] = [];
  for (const ref of refs) {
    const object = context.lookup(ref);
    if (object === undefined) continue;
    if (object instanceof PDFStream || ref.generationNumber !== 0) put(ref, bytesOf(object));
    else small.push(ref);
  }
  for (let first = 0; first < small.length; first += OBJECTS_PER_STREAM) {
    const group = small.slice(first, first + OBJECTS_PER_STREAM);
    const holder = context.nextRef();
    for (const [place, ref] of group.entries()) {
      entries.push({ number: ref.objectNumber, within: holder.objectNumber, place });
    }
    put(holder, packObjects(context, group));
  }
  return { bytes: Buffer.concat(chunks), entries: entries.toSorted((a, b) => a.number - b.number) };
}

function wrapObject(name: string, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${name} obj\n`), body, Buffer.from('\nendobj\n')]);
}

function packObjects(context: PDFContext, refs: readonly PDFRef[]): Buffer {
  const bodies = refs.flatMap((ref) => {
    const object = context.lookup(ref);
    return object === undefined ? [] : [bytesOf(object), Buffer.from('\n')];
  });
  let offset = 0;
  const index = refs.map((ref, at) => {
    const line = `${ref.objectNumber} ${offset}`;
    offset += (bodies[at * 2]?.length ?? 0) + 1;
    return line;
  });
  const head = `${index.join(' ')}\n`;
  const packedBytes = deflateSync(Buffer.concat([Buffer.from(head), ...bodies]));
  const dictionary =
    `<</Type/ObjStm/N ${refs.length}/First ${head.length}` +
    `/Filter/FlateDecode/Length ${packedBytes.length}>>\nstream\n`;
  return Buffer.concat([Buffer.from(dictionary), packedBytes, Buffer.from('\nendstream')]);
}
