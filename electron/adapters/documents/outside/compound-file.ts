import { DAMAGED_MESSAGE, documentError } from '../refuse.ts';

/** A stream of a compound file (MS-CFB). `name` is in lower case, without the folder. */
interface Stream {
  readonly name: string;
  readonly read: () => Buffer;
}

const HEADER_BYTES = 512;
const DIRECTORY_ENTRY_BYTES = 128;
const [STREAM, ROOT] = [2, 5];
/**
 * Minimum size of a stream in regular sectors (bytes); smaller streams are stored in small sectors.
 */
const MIN_REGULAR_STREAM_BYTES = 4096;
const SMALL_SECTOR_BYTES = 64;
const TABLES_IN_HEADER = 109;
/**
 * Maximum length of all streams together, as a multiple of the file's length: some programs keep
 * the lengths of deleted streams.
 */
const MAX_SHARED = 4;
/** Numbers from this one on do not name sectors. */
const NO_SECTOR = 0xfffffffa;

/** Returns all streams. Throws 'document-damaged'. */
export function streamsIn(data: Uint8Array): readonly Stream[] {
  const file = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  if (file.length < HEADER_BYTES) throw damagedDocumentError();
  const shift = file.readUInt16LE(30);
  if (shift !== 9 && shift !== 12) throw damagedDocumentError();
  const size = 1 << shift;
  const most = Math.ceil(file.length / size);
  const sector = (number: number): Buffer =>
    file.subarray((number + 1) * size, (number + 2) * size);
  const entries = tableOf(file, sector, most);
  const chain = (start: number, next: (number: number) => number, limit: number): number[] => {
    const numbers: number[] = [];
    for (let at = start; at < NO_SECTOR; at = next(at)) {
      if (numbers.length > limit) throw damagedDocumentError();
      numbers.push(at);
    }
    return numbers;
  };
  const nextSector = (number: number): number => entries[number] ?? NO_SECTOR;
  const whole = (start: number): Buffer =>
    Buffer.concat(chain(start, nextSector, most).map(sector));

  const directory = whole(file.readUInt32LE(48));
  const small = whole(file.readUInt32LE(60));
  const found: { name: string; start: number; length: number }[] = [];
  let container = Buffer.alloc(0);
  for (let at = 0; at + DIRECTORY_ENTRY_BYTES <= directory.length; at += DIRECTORY_ENTRY_BYTES) {
    const letters = Math.min(Math.max(directory.readUInt16LE(at + 64) - 2, 0), 64);
    const name = directory.toString('utf16le', at, at + letters).toLowerCase();
    const kind = directory[at + 66];
    const start = directory.readUInt32LE(at + 116);
    const length = directory.readUInt32LE(at + 120);
    if (kind === ROOT) container = Buffer.from(whole(start));
    if (kind === STREAM) found.push({ name, start, length });
  }
  const nextSmall = (number: number): number =>
    number * 4 + 4 <= small.length ? small.readUInt32LE(number * 4) : NO_SECTOR;
  const smallSector = (number: number): Buffer =>
    container.subarray(number * SMALL_SECTOR_BYTES, (number + 1) * SMALL_SECTOR_BYTES);
  // Streams may share sectors, but together they must not greatly exceed the file.
  let all = 0;
  for (const { length } of found) all += length;
  if (all > file.length * MAX_SHARED) throw damagedDocumentError();
  return found.map(({ name, start, length }) => ({
    name,
    read: () => {
      if (length === 0) return Buffer.alloc(0);
      if (length >= MIN_REGULAR_STREAM_BYTES) return whole(start).subarray(0, length);
      const numbers = chain(start, nextSmall, Math.ceil(container.length / SMALL_SECTOR_BYTES));
      return Buffer.concat(numbers.map(smallSector)).subarray(0, length);
    },
  }));
}

const damagedDocumentError = () => documentError('document-damaged', DAMAGED_MESSAGE);

/**
 * Returns the next sector of each sector, from the tables that the header and its continuations
 * name.
 */
function tableOf(
  file: Buffer,
  sector: (number: number) => Buffer,
  most: number,
): readonly number[] {
  const places: number[] = [];
  for (let at = 0; at < TABLES_IN_HEADER; at += 1) places.push(file.readUInt32LE(76 + at * 4));
  let more = file.readUInt32LE(68);
  for (let count = 0; more < NO_SECTOR; count += 1) {
    const list = sector(more);
    if (count > most || list.length < 8) throw damagedDocumentError();
    for (let at = 0; at + 8 <= list.length; at += 4) places.push(list.readUInt32LE(at));
    more = list.readUInt32LE(list.length - 4);
  }
  const next: number[] = [];
  for (const place of places.filter((one) => one < NO_SECTOR)) {
    if (next.length > most + 1024) break;
    const table = sector(place);
    for (let at = 0; at + 4 <= table.length; at += 4) next.push(table.readUInt32LE(at));
  }
  return next;
}
