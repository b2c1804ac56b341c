import { describe, expect, it } from 'vitest';
import { createEnds } from '../../../electron/adapters/files/head-and-tail.ts';

const KILOBYTE = 1024;
const TAIL = 64 * KILOBYTE;
/** Returns this number of bytes; adjacent bytes differ. */
const some = (length: number): Uint8Array => Uint8Array.from({ length }, (_, at) => at % 251);

describe('the head and tail of a stream', () => {
  it.each([0, 1, KILOBYTE - 1, KILOBYTE, KILOBYTE + 1, TAIL - 1, TAIL, TAIL + 1, 2 * TAIL + 99])(
    'are its first kilobyte and last 64 kilobytes, however its %i bytes are split into chunks',
    (length) => {
      const whole = some(length);
      for (const step of [7, KILOBYTE - 1, KILOBYTE, KILOBYTE + 1, 4096, TAIL + 5]) {
        const ends = createEnds();
        for (let at = 0; at < length; at += step) ends.take(whole.subarray(at, at + step));
        expect(ends.bytes()).toBe(length);
        expect(Buffer.from(ends.head()).equals(whole.subarray(0, KILOBYTE))).toBe(true);
        expect(Buffer.from(ends.tail()).equals(whole.subarray(-TAIL))).toBe(true);
      }
    },
  );

  it('are not displaced by padding of any length, however the stream is split (IN-F7)', () => {
    const end = Buffer.from('startxref\n\n730\n%%EOF\n');
    for (const step of [1, 1000, 100_000]) {
      const ends = createEnds();
      const whole = Buffer.concat([some(3000), end, Buffer.alloc(200_000), Buffer.from('  \r\n')]);
      for (let at = 0; at < whole.length; at += step) ends.take(whole.subarray(at, at + step));
      expect(ends.bytes()).toBe(whole.length);
      expect(Buffer.from(ends.tail()).includes(Buffer.concat([some(3000), end]))).toBe(true);
    }
  });

  it('stay unchanged when the buffer of an earlier chunk is reused', () => {
    const piece = some(2 * TAIL);
    const ends = createEnds();
    ends.take(piece);
    const before = Buffer.from(ends.tail());
    piece.fill(0);
    expect(Buffer.from(ends.tail()).equals(before)).toBe(true);
    expect(Buffer.from(ends.head()).equals(some(KILOBYTE))).toBe(true);
  });
});
