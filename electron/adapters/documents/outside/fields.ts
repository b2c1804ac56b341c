import { withoutExcessMarks } from '../../../../shared/rules/text/long-marks.ts';

/*
 * Word fields that read external content: a picture, a text, a table, parts of a master document,
 * or the data of a running program (ECMA-376, 17.16.5; the older ones in MS-DOC, 2.9.90).
 */

const OUTSIDE_FIELD_NAMES: ReadonlySet<string> = new Set([
  ...['INCLUDEPICTURE', 'INCLUDETEXT', 'INCLUDE', 'IMPORT', 'LINK', 'GLINK', 'DDE', 'DDEAUTO'],
  ...['RD', 'DATABASE', 'DATA'],
]);
/** Field names that have no other meaning at any place of an instruction. */
const UNMISTAKABLE_FIELD_NAMES = ['INCLUDEPICTURE', 'INCLUDETEXT', 'DDEAUTO'];

/** Numbers of the fields that read external content, in old files (MS-DOC, 2.9.90, `flt`). */
export const OUTSIDE_FIELDS: ReadonlySet<number> = new Set([
  ...[0x0b, 0x24, 0x28, 0x2d, 0x2e, 0x37, 0x38, 0x43, 0x44],
]);

/** Separator where a group or a control word splits an instruction. */
export const TEXT_SEPARATOR = '\0';
/** Start of a field with addresses that a reader clicks, each written in one piece. */
const HYPERLINK_FIELD = /^\s*HYPERLINK\s/;
const QUOTED = /"[^"\0]*"/g;
/** Switches: the only text that can follow the name in a field that refers to a bookmark. */
const SWITCHES = /\\\*\s*[A-Z]*|\\[#@]\s*(?:"[^"]*"|[^\s"]*)|\\[A-Z!]/g;
/**
 * Number of first letters of an instruction in which a word is recognized even if it is interrupted
 * by characters that some programs skip.
 */
const NEAR_START_LENGTH = 64;

/**
 * Whether a field's instruction reads external content. If `isClear` is false, it is unclear which
 * characters a program skips: a word is then recognized even with other characters between its
 * letters.
 */
export function readsOutside(instruction: string, isClear = true): boolean {
  const pieces = withoutExcessMarks(instruction).normalize('NFKC').toUpperCase();
  const upper = pieces.replaceAll(TEXT_SEPARATOR, '');
  const first = /[A-Z]{1,32}/.exec(upper);
  const word = first?.[0] ?? '';
  const behind = upper.slice((first?.index ?? 0) + word.length);
  // Each of these fields needs a target. Without one, the word is a reference to a bookmark that has
  // the same name as a field.
  if (OUTSIDE_FIELD_NAMES.has(word) && /[^\s"]/.test(behind.replaceAll(SWITCHES, ''))) return true;
  const isClicked = HYPERLINK_FIELD.test(upper);
  const searched = isClicked ? pieces.replaceAll(QUOTED, '') : pieces;
  const letters = searched.replaceAll(/[^A-Z]/g, '');
  if (UNMISTAKABLE_FIELD_NAMES.some((one) => letters.includes(one))) return true;
  return (
    !isClear &&
    UNMISTAKABLE_FIELD_NAMES.some((one) => isWithin(one, letters.slice(0, NEAR_START_LENGTH)))
  );
}

/**
 * Whether a text contains the letters of a word in their order, with any characters between them.
 */
function isWithin(word: string, text: string): boolean {
  let found = 0;
  for (const letter of text) if (letter === word[found]) found += 1;
  return found === word.length;
}

/**
 * Whether bytes contain the name of a field that reads external content, with one or two bytes per
 * character.
 */
export const hasOutsideFieldName = (data: Uint8Array): boolean =>
  findFieldNames(data).next().done !== true;

/**
 * Whether the text of an old Word file has a field that reads external content. The names of such
 * fields may also be in ordinary text, where they have no effect.
 */
export function hasFieldOutside(data: Uint8Array): boolean {
  for (const { at, width } of findFieldNames(data)) if (isInstruction(data, at, width)) return true;
  return false;
}

interface FieldNameMatch {
  readonly at: number;
  /** Bytes per character. */
  readonly width: number;
}

function* findFieldNames(data: Uint8Array): Generator<FieldNameMatch> {
  const letters = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
    .toString('latin1')
    .toUpperCase();
  for (const word of UNMISTAKABLE_FIELD_NAMES) {
    for (const width of [1, 2]) {
      const sought = width === 1 ? word : Buffer.from(word, 'utf16le').toString('latin1');
      for (let at = letters.indexOf(sought); at >= 0; at = letters.indexOf(sought, at + 1)) {
        yield { at, width };
      }
    }
  }
}

/**
 * Characters that begin a field, separate its instruction from its result, and end it (MS-DOC,
 * 2.8.25).
 */
const [BEGIN, PART, END] = [0x13, 0x14, 0x15];
/** Maximum characters of an instruction before the name of a field that reads external content. */
const MAX_BEFORE = 512;

function isInstruction(data: Uint8Array, name: number, width: number): boolean {
  let inner = 0;
  for (let step = 1; step <= MAX_BEFORE && name - step * width >= 0; step += 1) {
    const at = name - step * width;
    if (width === 2 && data[at + 1] !== 0) continue;
    const sign = data[at];
    if (sign === END) inner += 1;
    else if (sign === BEGIN && inner === 0) return true;
    else if (sign === BEGIN) inner -= 1;
    else if (sign === PART && inner === 0) return false;
  }
  return false;
}
