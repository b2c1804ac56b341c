import { describe, expect, it } from 'vitest';
import { createEnds } from '../../../electron/adapters/files/head-and-tail.ts';

const KILOBYTE = 1024;
/** So many bytes, no two neighbours alike. */
const some = (length: number): Uint8Array => Uint8Array.from({ length }, (_, at) => at % 251);

describe('the ends of a stream', () => {
  it.each([0, 1, KILOBYTE - 1, KILOBYTE, KILOBYTE + 1, 2 * KILOBYTE + 1, 5000])(
    'are its first and its last kilobyte, in whatever pieces %i bytes come',
    (length) => {
      const whole = some(length);
      for (const step of [1, 7, KILOBYTE - 1, KILOBYTE, KILOBYTE + 1, 4096]) {
        const ends = createEnds();
        for (let at = 0; at < length; at += step) ends.take(whole.subarray(at, at + step));
        expect(ends.bytes()).toBe(length);
        expect(Buffer.from(ends.head()).equals(whole.subarray(0, KILOBYTE))).toBe(true);
        expect(Buffer.from(ends.tail()).equals(whole.subarray(-KILOBYTE))).toBe(true);
      }
    },
  );

  it('stay as they came when the piece they came in is used again', () => {
    const piece = some(2 * KILOBYTE);
    const ends = createEnds();
    ends.take(piece);
    const before = Buffer.from(ends.tail());
    piece.fill(0);
    expect(Buffer.from(ends.tail()).equals(before)).toBe(true);
    expect(Buffer.from(ends.head()).equals(some(KILOBYTE))).toBe(true);
  });
});
