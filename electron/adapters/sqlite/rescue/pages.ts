import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { headsOf } from '../database/cipher.ts';
import { openPage, PAGE_BYTES } from './page-cipher.ts';

/** Usable content of the WAL file. */
interface LogReading {
  /** Number of readable, committed pages. */
  readonly pages: number;
  /**
   * Number of bytes after the last committed page, which SQLite ignores too: truncated, changed, or
   * not committed.
   */
  readonly left: number;
}

/** A data file and its WAL, page by page. Read-only. */
export interface Pages {
  /** Number of pages at the last write, as far as it is known. */
  readonly count: number;
  readonly log: LogReading;
  /** Returns a page; the first has number 1. Null if the page is missing or unreadable. */
  read(number: number): Uint8Array | null;
  close(): void;
}

/** Magic numbers in the WAL header: byte order of the checksums. */
const BIG_SUMS = 0x377f0683;
const LITTLE_SUMS = 0x377f0682;
const LOG_HEAD_BYTES = 32;
const FRAME_HEAD_BYTES = 24;
const FRAME_BYTES = FRAME_HEAD_BYTES + PAGE_BYTES;
const SUMMED_FRAME_BYTES = 8;
const WORD_BYTES = 4;

/**
 * Opens a data file and its WAL. No process may have the file open, not even this one: closing the
 * descriptors opened by this function drops the locks of this process (POSIX).
 */
export function openPages(file: string, key: Uint8Array): Pages {
  const data = existsSync(file) ? openSync(file, 'r') : null;
  const logFile = `${file}-wal`;
  const log = existsSync(logFile) ? openSync(logFile, 'r') : null;
  const frames = log === null ? noFrames : framesIn(log);
  const inFile = data === null ? 0 : Math.ceil(fstatSync(data).size / PAGE_BYTES);
  const read = (number: number): Uint8Array | null => {
    const frame = frames.places.get(number);
    const bytes =
      frame === undefined || log === null
        ? bytesAt(data, (number - 1) * PAGE_BYTES)
        : bytesAt(log, frame);
    if (bytes === null) return null;
    return openPage(bytes, number, key) ?? (number === 1 ? openRepairedPage(bytes, key) : null);
  };
  const stated = frames.count > 0 ? frames.count : Math.max(inFile, statedCount(read(1)));
  return {
    count: stated,
    log: { pages: frames.places.size, left: frames.left },
    read,
    close() {
      if (data !== null) closeSync(data);
      if (log !== null) closeSync(log);
    },
  };
}

const PAGE_COUNT_OFFSET = 28;

/** Returns the number of pages in the header; a truncated file still states its former length. */
function statedCount(first: Uint8Array | null): number {
  return first === null ? 0 : viewOf(first).getUint32(PAGE_COUNT_OFFSET);
}

/**
 * Opens page 1 with a restored header: the unencrypted header is the same in all files of this key.
 */
function openRepairedPage(page: Uint8Array, key: Uint8Array): Uint8Array | null {
  for (const head of headsOf(key)) {
    const mended = page.slice();
    mended.set(head);
    const content = openPage(mended, 1, key);
    if (content !== null) return content;
  }
  return null;
}

interface Frames {
  /** Offset in the WAL of the newest committed version of each page. */
  readonly places: ReadonlyMap<number, number>;
  /** Number of pages of the file after the last commit; 0 without a commit. */
  readonly count: number;
  readonly left: number;
}

const noFrames: Frames = { places: new Map(), count: 0, left: 0 };

/**
 * Returns the frames up to the last commit with valid checksums from the start, as SQLite reads
 * them.
 */
function framesIn(log: number): Frames {
  const { size } = fstatSync(log);
  const head = bytesAt(log, 0, LOG_HEAD_BYTES);
  if (head === null) return { ...noFrames, left: size };
  const start = viewOf(head);
  const magic = start.getUint32(0);
  const isLittle = magic === LITTLE_SUMS;
  if (!isLittle && magic !== BIG_SUMS) return { ...noFrames, left: size };
  let sums: Sums = addToSums(start, LOG_HEAD_BYTES - 2 * WORD_BYTES, isLittle, [0, 0]);
  if (!hasSameSums(start, LOG_HEAD_BYTES - 2 * WORD_BYTES, sums))
    return { ...noFrames, left: size };
  const places = new Map<number, number>();
  let count = 0;
  let end = LOG_HEAD_BYTES;
  const pending = new Map<number, number>();
  for (let at = LOG_HEAD_BYTES; ; at += FRAME_BYTES) {
    const frame = bytesAt(log, at, FRAME_BYTES);
    if (frame === null) break;
    const view = viewOf(frame);
    const isOfThisLog =
      view.getUint32(8) === start.getUint32(16) && view.getUint32(12) === start.getUint32(20);
    sums = addToSums(view, SUMMED_FRAME_BYTES, isLittle, sums);
    sums = addToSums(viewOf(frame.subarray(FRAME_HEAD_BYTES)), PAGE_BYTES, isLittle, sums);
    if (!isOfThisLog || !hasSameSums(view, 16, sums)) break;
    pending.set(view.getUint32(0), at + FRAME_HEAD_BYTES);
    const committed = view.getUint32(WORD_BYTES);
    if (committed === 0) continue;
    for (const [number, place] of pending) places.set(number, place);
    pending.clear();
    count = committed;
    end = at + FRAME_BYTES;
  }
  return { places, count, left: lostLogBytesOf(log, end, size) };
}

/**
 * Returns the number of lost bytes. A WAL is restarted without being truncated, so frames of an
 * older round are no loss.
 */
function lostLogBytesOf(log: number, end: number, size: number): number {
  const head = bytesAt(log, 0, LOG_HEAD_BYTES);
  const frame = bytesAt(log, end, FRAME_HEAD_BYTES);
  if (head === null || size <= end) return 0;
  if (frame === null) return size - end;
  const [start, view] = [viewOf(head), viewOf(frame)];
  const isOfThisLog =
    view.getUint32(8) === start.getUint32(16) && view.getUint32(12) === start.getUint32(20);
  return isOfThisLog ? size - end : 0;
}

type Sums = readonly [number, number];

function addToSums(view: DataView, length: number, isLittle: boolean, [one, other]: Sums): Sums {
  let first = one;
  let second = other;
  for (let at = 0; at < length; at += 2 * WORD_BYTES) {
    first = (first + view.getUint32(at, isLittle) + second) >>> 0;
    second = (second + view.getUint32(at + WORD_BYTES, isLittle) + first) >>> 0;
  }
  return [first, second];
}

function hasSameSums(view: DataView, at: number, [one, other]: Sums): boolean {
  return view.getUint32(at) === one && view.getUint32(at + WORD_BYTES) === other;
}

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Reads bytes of a file; null at the end of the file, and on read errors. */
function bytesAt(descriptor: number | null, at: number, length = PAGE_BYTES): Uint8Array | null {
  if (descriptor === null) return null;
  const bytes = new Uint8Array(length);
  try {
    return readSync(descriptor, bytes, 0, length, at) === length ? bytes : null;
  } catch {
    return null;
  }
}
