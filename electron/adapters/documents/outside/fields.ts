/*
 * Fields of Word that read what lies elsewhere: a picture, a text, a table, a master document's parts,
 * or what another program has open (ECMA-376, 17.16.5; the older ones in MS-DOC, 2.9.90).
 */

const WORDS: ReadonlySet<string> = new Set([
  ...['INCLUDEPICTURE', 'INCLUDETEXT', 'INCLUDE', 'IMPORT', 'LINK', 'GLINK', 'DDE', 'DDEAUTO'],
  ...['RD', 'DATABASE', 'DATA'],
]);
/** These stand for nothing else, wherever in an instruction they are. */
const UNMISTAKABLE = ['INCLUDEPICTURE', 'INCLUDETEXT', 'DDEAUTO'];

/** The same as numbers in old files (MS-DOC, 2.9.90, `flt`). */
export const OUTSIDE_FIELDS: ReadonlySet<number> = new Set([
  ...[0x0b, 0x24, 0x28, 0x2d, 0x2e, 0x37, 0x38, 0x43, 0x44],
]);

/** Whether the instruction of a field reads what lies elsewhere. */
export function readsOutside(instruction: string): boolean {
  const upper = instruction.normalize('NFKC').toUpperCase();
  const first = /[A-Z]{1,32}/.exec(upper)?.[0] ?? '';
  const letters = upper.replaceAll(/[^A-Z]/g, '');
  return WORDS.has(first) || UNMISTAKABLE.some((word) => letters.includes(word));
}

/** Whether such a field stands in bytes, in letters of one byte or of two. */
export function namesOutside(data: Uint8Array): boolean {
  const letters = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
    .toString('latin1')
    .toUpperCase();
  return UNMISTAKABLE.some(
    (word) =>
      letters.includes(word) || letters.includes(Buffer.from(word, 'utf16le').toString('latin1')),
  );
}
