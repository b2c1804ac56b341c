import { describe, expect, it } from 'vitest';
import { checkSeal, sealSentence, sealWord } from '../../../shared/rules/files/pdf-seal.ts';

const GAP = '<30820a>';
const judged = (numbers: readonly number[], bytes: number, gap: string | null = GAP) =>
  sealWord(checkSeal([{ numbers, gap }], bytes));

describe('the seal of a PDF', () => {
  it('covers the whole file when its range ends with it', () => {
    expect(judged([0, 100, 108, 92], 200)).toBe('covers');
  });

  it('gives the number of bytes added after the seal', () => {
    expect(judged([0, 100, 108, 92], 263)).toBe('extended:63');
  });

  it('is the seal with the furthest range if the file has several', () => {
    const ranges = [
      { numbers: [0, 50, 58, 42], gap: GAP },
      { numbers: [0, 150, 158, 142], gap: GAP },
    ];
    expect(checkSeal(ranges, 300)).toEqual({ kind: 'covers', isTest: false });
  });

  it.each([
    ['a negative number', [0, -1, 108, 92], GAP],
    ['parts that overlap', [0, 150, 108, 92], GAP],
    ['an end after the end of the file', [0, 100, 108, 93], GAP],
    ['four zeros', [0, 0, 0, 0], GAP],
    ['another beginning', [1, 99, 108, 92], GAP],
    ['three numbers', [0, 100, 108], GAP],
    ['five numbers', [0, 100, 108, 92, 1], GAP],
    ['a value that is not a number', [0, Number.NaN, 108, 92], GAP],
    ['no numbers at all', [], GAP],
    ['no seal in the gap', [0, 100, 108, 92], 'nothing!'],
    ['zeros in the gap', [0, 100, 108, 92], '<000000>'],
    ['an empty seal', [0, 100, 108, 92], '<>'],
    ['a gap that cannot be read', [0, 100, 108, 92], null],
  ])('is malformed with %s', (_what, numbers, gap) => {
    expect(judged(numbers, 200, gap)).toBe('malformed');
  });

  it('is malformed if one of several seals is malformed', () => {
    const ranges = [
      { numbers: [0, 100, 108, 92], gap: GAP },
      { numbers: [0, 0, 0, 0], gap: GAP },
    ];
    expect(checkSeal(ranges, 200)).toEqual({ kind: 'malformed' });
  });

  it.each([
    ['Signature Service TEST CA', '0c', 'covers:test'],
    ['Sandbox sealing 2026', '13', 'covers:test'],
    ['Demo', '1e', 'covers:test'],
    ['Testament & Partner AB', '0c', 'covers'],
    ['Signature Service CA', '0c', 'covers'],
  ])('made with a certificate named %j (type %s) is reported as %s', (name, type, word) => {
    const letters = type === '1e' ? Buffer.from(name, 'utf16le').swap16() : Buffer.from(name);
    const length = letters.length.toString(16).padStart(2, '0');
    const gap = `<30820a06035504 03${type}${length}${letters.toString('hex')}0000>`;
    expect(judged([0, 100, 108, 92], 200, gap)).toBe(word);
    expect(judged([0, 100, 108, 92], 263, gap)).toBe(word.replace('covers', 'extended:63'));
  });

  it('is never reported as valid', () => {
    const words = ['none', 'covers', 'covers:test', 'extended:5', 'malformed'].map(sealSentence);
    expect(words).toEqual([
      'no seal',
      'a seal is present and covers the whole file',
      'a seal is present and covers the whole file; its certificate is named like a test certificate',
      '5 bytes were added after the seal',
      'the seal is malformed',
    ]);
  });
});
