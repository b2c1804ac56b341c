import type { MissingCharacter } from '../../errors.ts';
import { EXCESS_COMBINING_MARKS } from './long-marks.ts';

/** English message that a font lacks a character, for the log and the command line. */
export function missingCharacterMessage({ field, letter, font }: MissingCharacter): string {
  const advice = font === null ? '' : `. Install ${font} or another font that has it`;
  return `${field}: no font on this computer has ${letter}${advice}`;
}

/** Text in characters of the program's own fonts: Western, Greek, Cyrillic and common symbols. */
const USUAL_CHARACTERS =
  /^[\n\r\t -~\u00A0-\u017F\u0386-\u038A\u038C\u038E-\u03A1\u03A3-\u03CE\u0400-\u045F\u2013\u2014\u2018-\u201E\u2020-\u2022\u2026\u20AC\u2122]*$/;

/**
 * Whether a text needs more than the program's own fonts, so that the installed fonts must be
 * checked.
 */
export function hasUnusualCharacters(text: string): boolean {
  return !USUAL_CHARACTERS.test(text.replaceAll(EXCESS_COMBINING_MARKS, '').normalize('NFC'));
}
