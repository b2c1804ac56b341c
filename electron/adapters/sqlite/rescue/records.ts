import { USABLE_PAGE_BYTES } from './page-cipher.ts';

/*
 * Decodes pages by the description of SQLite's file format (https://sqlite.org/fileformat.html). A
 * decrypted page is exactly as SQLite wrote it; if it does not follow the format, it belongs to no
 * table.
 */

/** Stored value; integers are bigint, so that no digit is lost. */
export type Value = null | bigint | number | string | Buffer;

/** Kinds of b-tree pages, by their first byte. */
export const btreePageKinds = {
  indexInner: 2,
  tableInner: 5,
  indexLeaf: 10,
  tableLeaf: 13,
} as const;
type PageKind = (typeof btreePageKinds)[keyof typeof btreePageKinds];

const FIRST_PAGE_HEAD_BYTES = 100;
const LEAF_HEAD_BYTES = 8;
const INNER_HEAD_BYTES = 12;
const OVERFLOW_HEAD_BYTES = 4;

export interface Cell {
  /** Child page before this cell, on interior pages. */
  readonly left: number | null;
  /** Rowid, in tables. */
  readonly rowid: bigint | null;
  /** Content of the row; null on interior pages of a table. */
  readonly payload: Payload | null;
}

export interface Payload {
  readonly size: number;
  /** Bytes that are stored on the page itself. */
  readonly here: Uint8Array;
  /** First overflow page; 0 if there is none. */
  readonly next: number;
}

export interface TreePage {
  readonly kind: PageKind;
  readonly cells: readonly Cell[];
  /** Child page after the last cell, on interior pages. */
  readonly right: number | null;
}

/** Decodes a b-tree page; null if the page is of another kind. */
export function readTreePage(page: Uint8Array, number: number): TreePage | null {
  const head = number === 1 ? FIRST_PAGE_HEAD_BYTES : 0;
  const view = viewOf(page);
  const kind = kindOf(view.getUint8(head));
  if (kind === null) return null;
  const isInner = kind === btreePageKinds.indexInner || kind === btreePageKinds.tableInner;
  const count = view.getUint16(head + 3);
  const pointers = head + (isInner ? INNER_HEAD_BYTES : LEAF_HEAD_BYTES);
  if (pointers + 2 * count > page.length) return null;
  const cells: Cell[] = [];
  for (let at = 0; at < count; at += 1) {
    const cell = cellAt(page, view.getUint16(pointers + 2 * at), kind);
    if (cell === null) return null;
    cells.push(cell);
  }
  return { kind, cells, right: isInner ? view.getUint32(head + LEAF_HEAD_BYTES) : null };
}

function kindOf(byte: number): PageKind | null {
  return Object.values(btreePageKinds).find((kind) => kind === byte) ?? null;
}

function cellAt(page: Uint8Array, from: number, kind: PageKind): Cell | null {
  const isInner = kind === btreePageKinds.indexInner || kind === btreePageKinds.tableInner;
  if (from < LEAF_HEAD_BYTES || from + OVERFLOW_HEAD_BYTES > page.length) return null;
  let at = from;
  let left: number | null = null;
  if (isInner) {
    left = viewOf(page).getUint32(at);
    at += 4;
  }
  if (kind === btreePageKinds.tableInner) {
    return { left, rowid: varintAt(page, at).value, payload: null };
  }
  const size = varintAt(page, at);
  at += size.length;
  let rowid: bigint | null = null;
  if (kind === btreePageKinds.tableLeaf) {
    const number = varintAt(page, at);
    at += number.length;
    rowid = BigInt.asIntN(64, number.value);
  }
  const payload = payloadAt(page, at, Number(size.value), kind === btreePageKinds.tableLeaf);
  return payload === null ? null : { left, rowid, payload };
}

/** Reads a payload. Only the size of a payload determines how much of it is on its page. */
function payloadAt(page: Uint8Array, at: number, size: number, isRow: boolean): Payload | null {
  const most = isRow
    ? USABLE_PAGE_BYTES - 35
    : Math.floor(((USABLE_PAGE_BYTES - 12) * 64) / 255) - 23;
  const least = Math.floor(((USABLE_PAGE_BYTES - 12) * 32) / 255) - 23;
  const over = least + ((size - least) % (USABLE_PAGE_BYTES - OVERFLOW_HEAD_BYTES));
  const length = size <= most ? size : over <= most ? over : least;
  const isWhole = length === size;
  if (at + length + (isWhole ? 0 : OVERFLOW_HEAD_BYTES) > page.length) return null;
  const next = isWhole ? 0 : viewOf(page).getUint32(at + length);
  return { size, here: page.subarray(at, at + length), next };
}

export function readOverflow(page: Uint8Array): {
  readonly next: number;
  readonly bytes: Uint8Array;
} {
  return {
    next: viewOf(page).getUint32(0),
    bytes: page.subarray(OVERFLOW_HEAD_BYTES, USABLE_PAGE_BYTES),
  };
}

/**
 * Returns the values of a record, of a truncated record those before the cut; null if it is not a
 * record.
 */
export function readRecord(bytes: Uint8Array): readonly Value[] | null {
  if (bytes.length === 0) return null;
  const head = varintAt(bytes, 0);
  const headEnd = Number(head.value);
  if (headEnd > bytes.length) return null;
  const values: Value[] = [];
  let at = head.length;
  let from = headEnd;
  while (at < headEnd) {
    const type = varintAt(bytes, at);
    at += type.length;
    const length = lengthOf(Number(type.value));
    if (length === null) return null;
    if (from + length > bytes.length) return values;
    values.push(valueOf(Number(type.value), bytes.subarray(from, from + length)));
    from += length;
  }
  return values;
}

/** Numbers of bytes of an integer or float, by serial type. */
const NUMBER_BYTES_BY_TYPE = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0];

function lengthOf(type: number): number | null {
  const known = NUMBER_BYTES_BY_TYPE[type];
  if (known !== undefined) return known;
  return type < 12 ? null : Math.floor((type - 12) / 2);
}

function valueOf(type: number, bytes: Uint8Array): Value {
  if (type === 0) return null;
  if (type === 8) return 0n;
  if (type === 9) return 1n;
  if (type === 7) return viewOf(bytes).getFloat64(0);
  if (type < 7) return wholeOf(bytes);
  const copy = Buffer.from(bytes);
  return type % 2 === 0 ? copy : copy.toString('utf8');
}

/** Decodes a signed big-endian integer. */
function wholeOf(bytes: Uint8Array): bigint {
  let whole = 0n;
  for (const byte of bytes) whole = (whole << 8n) | BigInt(byte);
  return BigInt.asIntN(8 * bytes.length, whole);
}

const MAX_VARINT = 9;

/**
 * Reads a variable-length integer. Bytes after the end count as 0; a length that is too large fails
 * later bounds checks.
 */
function varintAt(
  bytes: Uint8Array,
  from: number,
): { readonly value: bigint; readonly length: number } {
  let value = 0n;
  for (let length = 1; length <= MAX_VARINT; length += 1) {
    const byte = bytes[from + length - 1] ?? 0;
    if (length === MAX_VARINT) return { value: (value << 8n) | BigInt(byte), length };
    value = (value << 7n) | BigInt(byte & 0x7f);
    if (byte < 0x80) return { value, length };
  }
  return { value, length: MAX_VARINT };
}

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
