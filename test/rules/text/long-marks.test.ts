import { expect, it } from 'vitest';
import { withoutExcessMarks } from '../../../shared/rules/text/long-marks.ts';

const ACUTE = '\u0301';
const CEDILLA = '\u0327';

it('a character keeps at most thirty combining marks, so that normalising stays fast (SR-O10)', () => {
  const letter = `a${(ACUTE + CEDILLA).repeat(15)}`;
  expect(withoutExcessMarks(letter)).toBe(letter);
  expect(withoutExcessMarks(`a${(ACUTE + CEDILLA).repeat(100_000)}b`)).toBe(`${letter}b`);
});

it('words of languages with several combining marks stay unchanged (SR-O10)', () => {
  for (const text of ['Việt Nam', 'שָׁלוֹם', 'กรุ๊ป', 'A\u030Anders O\u0308berg']) {
    expect(withoutExcessMarks(text)).toBe(text);
  }
});
