/* Labels: text next to a blank that names its content. */

import type { Cell, TextLine } from './page-lines.ts';
import { trimCharacters } from '../text/trim-signs.ts';
import type { Box } from './place-boxes.ts';

/** Maximum length of a label: enough for a word of an official form, not for a whole sentence. */
const MAX_LABEL_LENGTH = 60;
const MAX_LABEL_CHARACTERS = 400;

export function textOf({ letters }: Pick<TextLine, 'letters'>, from: number, to: number): string {
  let text = '';
  let end: number | null = null;
  for (const letter of letters.slice(from, to)) {
    // Columns are separated without a space character.
    if (end !== null && letter.x - end > letter.height * 1.5) text += '\t';
    text += letter.text;
    end = letter.x + letter.width;
  }
  return text;
}

/** Label from a text next to a blank: its last words; null if it has no words. */
export function labelOf(text: string): string | null {
  // Only the end of a paragraph is next to a blank.
  const columns = text.slice(-MAX_LABEL_CHARACTERS).trim().split('\t');
  // Leader dots and an arrow are not words.
  const column = columns.findLast((one) => /\p{L}/u.test(one)) ?? '';
  const sentence =
    trimCharacters(column, { last: /[\s.]/u })
      .split(/[.;!?]\s/u)
      .at(-1) ?? '';
  const words = trimCharacters(sentence, { first: /[\s,;:()\]–-]/u, last: /[:_.…[(\s]/u });
  if (!/\p{L}/u.test(words)) return null;
  return words.length <= MAX_LABEL_LENGTH
    ? words
    : words.slice(-MAX_LABEL_LENGTH).replace(/^\S*\s/u, '');
}

export const bracketed = (text: string): string =>
  /^\s*\((?<inner>[^()]{1,80})\)/u.exec(text)?.groups?.['inner'] ?? '';

/** Label to the left of a blank, on the same line and near it. */
export function labelLeft(x: number, y: number, lines: readonly TextLine[]): string | null {
  for (const line of lines) {
    if (line.y - y >= 9 || line.y - y <= -3) continue;
    const before = line.letters.filter((letter) => letter.x + letter.width <= x + 2);
    const last = before.filter(({ text }) => text.trim() !== '').at(-1);
    // A column further to the left has its own lines, perhaps slightly higher.
    if (last === undefined || x - last.x - last.width > last.height * 3) continue;
    return labelOf(textOf({ letters: before }, 0, before.length));
  }
  return null;
}

export function labelRight({ right, y, top }: Cell, lines: readonly TextLine[]): string | null {
  // A superscript after the text is on its own line.
  for (const line of lines) {
    if (line.y <= y - 4 || line.y >= top) continue;
    const after = line.letters.filter((letter) => letter.x >= right - 1);
    const [first] = after.filter(({ text }) => text.trim() !== '');
    if (first === undefined || first.x - right > 14) continue;
    const [own = ''] = textOf({ letters: after }, 0, after.length).trim().split('\t');
    return labelOf(own);
  }
  return null;
}

/** Label directly above a box, with the same left edge. */
export function labelAbove({ x, right, top }: Cell, lines: readonly TextLine[]): string | null {
  for (const line of lines.toReversed()) {
    if (line.y < top - 1 || line.y - top > line.height * 1.1) continue;
    const letters = line.letters.filter((letter) => letter.x > x - 6 && letter.x < right);
    const [first] = letters.filter(({ text }) => text.trim() !== '');
    if (first === undefined) continue;
    const [own = ''] = textOf({ letters }, 0, letters.length).trim().split('\t');
    return labelOf(own);
  }
  return null;
}

/** Label below a drawn line. */
export function labelBelow({ x, y, right }: Box, lines: readonly TextLine[]): string | null {
  for (const line of lines) {
    const under = y - line.y;
    if (under < 1 || under > line.height * 1.8) continue;
    const letters = line.letters.filter(
      (letter) => letter.x + letter.width > x - 4 && letter.x < right + 4,
    );
    const text = textOf({ letters }, 0, letters.length);
    // Text that continues on either side is the next line of a paragraph.
    const isOwn = !continuesLine(line, letters);
    if (isOwn && !/[_…]|\.{4}/u.test(text)) return labelOf(text);
  }
  return null;
}

function continuesLine(line: TextLine, letters: TextLine['letters']): boolean {
  const [first] = letters;
  const last = letters.at(-1);
  if (first === undefined || last === undefined) return false;
  const before = line.letters[line.letters.indexOf(first) - 1];
  const after = line.letters[line.letters.indexOf(last) + 1];
  const gaps = [
    before === undefined ? Infinity : first.x - before.x - before.width,
    after === undefined ? Infinity : after.x - last.x - last.width,
  ];
  return gaps.some((gap) => gap < line.height);
}
