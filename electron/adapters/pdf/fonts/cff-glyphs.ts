/*
 * Glyph numbers that a PDF uses for a CFF font: a font for large character sets lists its own
 * numbers (Adobe Technical Note 5176, sections 4, 9 and 13).
 */

const CID_FONT_OPERATOR = 12 * 256 + 30;
const CHARSET = 15;

/** Returns the number of each glyph; null if glyphs are numbered in order. */
export function glyphNumbers(cff: Buffer, glyphs: number): readonly number[] | null {
  const names = cff.readUInt8(2);
  const tops = endOfIndex(cff, names);
  const top = firstOfIndex(cff, tops);
  const entries = readCffDict(top);
  if (!entries.has(CID_FONT_OPERATOR)) return null;
  const charset = entries.get(CHARSET) ?? 0;
  // The numbers 0 to 2 are predefined charsets, which a font for large character sets does not use.
  return charset <= 2 ? null : charsetAt(cff, charset, glyphs);
}

interface CffIndex {
  readonly count: number;
  readonly offset: (place: number) => number;
  readonly end: number;
}

function readIndexAt(cff: Buffer, at: number): CffIndex {
  const count = cff.readUInt16BE(at);
  if (count === 0) return { count, offset: () => at + 2, end: at + 2 };
  const size = cff.readUInt8(at + 2);
  const base = at + 3 + (count + 1) * size - 1;
  const offset = (place: number) => base + cff.readUIntBE(at + 3 + place * size, size);
  return { count, offset, end: offset(count) };
}

const endOfIndex = (cff: Buffer, at: number): number => readIndexAt(cff, at).end;

function firstOfIndex(cff: Buffer, at: number): Buffer {
  const { offset } = readIndexAt(cff, at);
  return cff.subarray(offset(0), offset(1));
}

/** Returns the last operand of each entry. */
function readCffDict(bytes: Buffer): ReadonlyMap<number, number> {
  const entries = new Map<number, number>();
  let last = 0;
  let at = 0;
  while (at < bytes.length) {
    const first = bytes.readUInt8(at);
    if (first <= 21) {
      const isLong = first === 12;
      entries.set(isLong ? 12 * 256 + bytes.readUInt8(at + 1) : first, last);
      at += isLong ? 2 : 1;
      continue;
    }
    const { value, length } = operandAt(bytes, at, first);
    last = value;
    at += length;
  }
  return entries;
}

function operandAt(bytes: Buffer, at: number, first: number): { value: number; length: number } {
  if (first === 28) return { value: bytes.readInt16BE(at + 1), length: 3 };
  if (first === 29) return { value: bytes.readInt32BE(at + 1), length: 5 };
  if (first === 30) return { value: 0, length: lengthOfReal(bytes, at) };
  if (first <= 246) return { value: first - 139, length: 1 };
  const next = bytes.readUInt8(at + 1);
  const value = first <= 250 ? (first - 247) * 256 + next + 108 : -(first - 251) * 256 - next - 108;
  return { value, length: 2 };
}

const END_OF_REAL = 0xf;

function lengthOfReal(bytes: Buffer, at: number): number {
  let end = at + 1;
  for (; end < bytes.length; end += 1) {
    const pair = bytes.readUInt8(end);
    if (pair >> 4 === END_OF_REAL || (pair & END_OF_REAL) === END_OF_REAL) break;
  }
  return end + 1 - at;
}

/**
 * Returns the number of each glyph in a charset. The first glyph is for missing characters, and is
 * not listed.
 */
function charsetAt(cff: Buffer, at: number, glyphs: number): readonly number[] {
  const numbers = [0];
  const format = cff.readUInt8(at);
  let place = at + 1;
  while (numbers.length < glyphs) {
    const first = cff.readUInt16BE(place);
    place += 2;
    const wide = format === 2 ? 2 : format;
    const more = wide === 0 ? 0 : cff.readUIntBE(place, wide);
    place += wide;
    for (let one = 0; one <= more; one += 1) numbers.push(first + one);
  }
  return numbers;
}
