import { Buffer } from 'node:buffer';

/*
 * JPEGs of flat blocks, eight pixels wide and high. Only the first coefficient of each block is
 * written, because a block of one colour has no other.
 */

export interface FlatJpeg {
  /** Rows of blocks; each block has a value from 0 to 255 for each channel. */
  readonly blocks: readonly (readonly (readonly number[])[])[];
  /** Orientation from 1 to 8, written in an EXIF segment. */
  readonly orientation?: number;
  /** Whether it has Adobe's segment, which states that colours are not inverted. */
  readonly isOfAdobe?: boolean;
  readonly isProgressive?: boolean;
}

export function flatJpeg({
  blocks,
  orientation,
  isOfAdobe = false,
  isProgressive = false,
}: FlatJpeg): Uint8Array {
  const channels = blocks[0]?.[0]?.length ?? 1;
  const [width, height] = [(blocks[0]?.length ?? 0) * 8, blocks.length * 8];
  const ids = Array.from({ length: channels }, (_, at) => at + 1);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...(orientation === undefined ? [] : [segment(0xe1, exif(orientation))]),
    ...(isOfAdobe ? [segment(0xee, [...Buffer.from('Adobe'), 0, 100, 0, 0, 0, 0, 0])] : []),
    segment(0xdb, [0, ...Array.from({ length: 64 }, () => 1)]),
    segment(isProgressive ? 0xc2 : 0xc0, [
      8,
      ...wide(height),
      ...wide(width),
      channels,
      ...ids.flatMap((id) => [id, 0x11, 0]),
    ]),
    // Twelve sizes of differences, each by four bits.
    segment(0xc4, [0x00, ...counts(4, 12), ...Array.from({ length: 12 }, (_, at) => at)]),
    // "Nothing more in this block", by one bit.
    ...(isProgressive ? [] : [segment(0xc4, [0x10, ...counts(1, 1), 0])]),
    segment(0xda, [channels, ...ids.flatMap((id) => [id, 0]), 0, isProgressive ? 0 : 63, 0]),
    scan(blocks, isProgressive),
    Buffer.from([0xff, 0xd9]),
  ]);
}

function scan(blocks: FlatJpeg['blocks'], isProgressive: boolean): Buffer {
  const last: number[] = [];
  let bits = '';
  for (const channelsOf of blocks.flat()) {
    for (const [channel, value] of channelsOf.entries()) {
      const level = (value - 128) * 8;
      const difference = level - (last[channel] ?? 0);
      last[channel] = level;
      const size = difference === 0 ? 0 : Math.floor(Math.log2(Math.abs(difference))) + 1;
      const written = difference < 0 ? difference + 2 ** size - 1 : difference;
      bits += size.toString(2).padStart(4, '0');
      if (size > 0) bits += written.toString(2).padStart(size, '0');
      if (!isProgressive) bits += '0';
    }
  }
  bits = bits.padEnd(Math.ceil(bits.length / 8) * 8, '1');
  const bytes: number[] = [];
  for (let at = 0; at < bits.length; at += 8) {
    const byte = Number.parseInt(bits.slice(at, at + 8), 2);
    bytes.push(byte);
    if (byte === 0xff) bytes.push(0);
  }
  return Buffer.from(bytes);
}

const wide = (number: number): number[] => [number >> 8, number & 0xff];

function segment(marker: number, body: readonly number[]): Buffer {
  return Buffer.from([0xff, marker, ...wide(body.length + 2), ...body]);
}

/** Number of codes of each length. */
const counts = (length: number, count: number): number[] =>
  Array.from({ length: 16 }, (_, at) => (at + 1 === length ? count : 0));

const exif = (orientation: number): number[] => [
  ...Buffer.from('Exif\0\0MM\0*'),
  ...[0, 0, 0, 8, 0, 1],
  ...[0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0],
  ...[0, 0, 0, 0],
];
