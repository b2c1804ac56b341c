import { inflateRawSync } from 'node:zlib';
import { ENTRIES_MAX, RATIO_FROM, RATIO_MAX, UNPACKED_MAX } from './read-limits.ts';
import { refuse } from './refuse.ts';

const END_SIGN = 0x06054b50;
const ENTRY_SIGN = 0x02014b50;
const LOCAL_SIGN = 0x04034b50;
const END_LENGTH = 22;
const LONGEST_COMMENT = 65_535;
const STORED = 0;
const DEFLATED = 8;
/** A size that stands elsewhere (ZIP64); no workbook below the file limit needs it. */
const ELSEWHERE = 0xffffffff;

interface Entry {
  readonly method: number;
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
}

/** The parts of a ZIP file by name. `read` unpacks one; no part may unpack to more than it said. */
export interface Zip {
  has(name: string): boolean;
  read(name: string): Buffer;
  readonly names: readonly string[];
}

/** Looks at the list of parts before anything is unpacked. Throws 'sheet-bomb' or 'sheet-damaged'. */
export function openZip(bytes: Uint8Array): Zip {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries = listEntries(data);
  refuseBomb(entries);
  return {
    names: [...entries.keys()],
    has: (name) => entries.has(name),
    read: (name) => unpack(data, name, entries.get(name)),
  };
}

function listEntries(data: Buffer): ReadonlyMap<string, Entry> {
  const end = findEnd(data);
  const count = data.readUInt16LE(end + 10);
  let at = data.readUInt32LE(end + 16);
  if (count > ENTRIES_MAX) {
    throw refuse('sheet-bomb', `The workbook has more than ${ENTRIES_MAX} parts`);
  }
  const entries = new Map<string, Entry>();
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > data.length || data.readUInt32LE(at) !== ENTRY_SIGN) throw damaged();
    const nameLength = data.readUInt16LE(at + 28);
    const name = data.toString('utf8', at + 46, at + 46 + nameLength);
    if (/(?:^|[\\/])\.\.(?:[\\/]|$)|^[\\/]|^[a-z]:/i.test(name)) {
      throw refuse('sheet-bomb', 'A part of the workbook has a path that leads outside');
    }
    entries.set(name, {
      method: data.readUInt16LE(at + 10),
      packed: data.readUInt32LE(at + 20),
      size: data.readUInt32LE(at + 24),
      offset: data.readUInt32LE(at + 42),
    });
    at += 46 + nameLength + data.readUInt16LE(at + 30) + data.readUInt16LE(at + 32);
  }
  return entries;
}

function findEnd(data: Buffer): number {
  const first = Math.max(0, data.length - END_LENGTH - LONGEST_COMMENT);
  for (let at = data.length - END_LENGTH; at >= first; at -= 1) {
    if (data.readUInt32LE(at) === END_SIGN) return at;
  }
  throw damaged();
}

function refuseBomb(entries: ReadonlyMap<string, Entry>): void {
  let total = 0;
  for (const { packed, size } of entries.values()) {
    total += size;
    if (size === ELSEWHERE || (size > RATIO_FROM && size / Math.max(1, packed) > RATIO_MAX)) {
      throw refuse(
        'sheet-bomb',
        `A part of the workbook unpacks to over ${RATIO_MAX} times its size`,
      );
    }
  }
  if (total > UNPACKED_MAX) {
    const most = UNPACKED_MAX / 1024 / 1024;
    throw refuse('sheet-bomb', `The workbook unpacks to more than ${most} MB`);
  }
}

function unpack(data: Buffer, name: string, entry: Entry | undefined): Buffer {
  if (entry === undefined) throw refuse('sheet-damaged', `The workbook lacks its part ${name}`);
  const { method, packed, size, offset } = entry;
  if (offset + 30 > data.length || data.readUInt32LE(offset) !== LOCAL_SIGN) throw damaged();
  const start = offset + 30 + data.readUInt16LE(offset + 26) + data.readUInt16LE(offset + 28);
  const body = data.subarray(start, start + packed);
  if (method === STORED) return body;
  if (method !== DEFLATED) throw damaged();
  try {
    return inflateRawSync(body, { maxOutputLength: Math.max(1, size) });
  } catch (cause) {
    const isLarger = cause instanceof RangeError;
    throw isLarger
      ? refuse('sheet-bomb', 'A part of the workbook is larger than it says', cause)
      : damaged(cause);
  }
}

function damaged(cause?: unknown) {
  return refuse('sheet-damaged', 'The workbook is damaged; open it and save it anew', cause);
}
