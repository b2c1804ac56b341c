import type { MissingLetter } from '../../errors.ts';
import { LONG_MARKS } from './long-marks.ts';

/** In English, for the log and the command line. */
export function missingSentence({ field, letter, font }: MissingLetter): string {
  const advice = font === null ? '' : `. Install ${font} or another font that has it`;
  return `${field}: no font on this computer has ${letter}${advice}`;
}

/** Letters that the program's own fonts have: Western ones, Greek, Cyrillic and everyday signs. */
const USUAL =
  /^[\n\r\t -~\u00A0-\u017F\u0386-\u038A\u038C\u038E-\u03A1\u03A3-\u03CE\u0400-\u045F\u2013\u2014\u2018-\u201E\u2020-\u2022\u2026\u20AC\u2122]*$/;

/** Whether it has to be asked what fonts there are. */
export function isUnusual(text: string): boolean {
  return !USUAL.test(text.replaceAll(LONG_MARKS, '').normalize('NFC'));
}
