import { expect, it } from 'vitest';
import { withoutLongMarks } from '../../../shared/rules/text/long-marks.ts';

const ACUTE = '\u0301';
const CEDILLA = '\u0327';

it('a letter keeps thirty marks at most, so that a text of marks alone is put in order at once (SR-O10)', () => {
  const letter = `a${(ACUTE + CEDILLA).repeat(15)}`;
  expect(withoutLongMarks(letter)).toBe(letter);
  expect(withoutLongMarks(`a${(ACUTE + CEDILLA).repeat(100_000)}b`)).toBe(`${letter}b`);
});

it('words of languages with several marks on a letter stay as they are (SR-O10)', () => {
  for (const text of ['Việt Nam', 'שָׁלוֹם', 'กรุ๊ป', 'A\u030Anders O\u0308berg']) {
    expect(withoutLongMarks(text)).toBe(text);
  }
});
