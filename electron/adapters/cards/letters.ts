/*
 * A file of vCards may mix encodings: version 2.1 names one for each property, and old programs wrote
 * bytes of their system without a word. So a file is read as bytes, one letter each, and every value
 * is turned into text on its own.
 */

/** What old programs of the West wrote where they named nothing. */
const UNNAMED = 'windows-1252';
const UTF16 = [
  { mark: [0xff, 0xfe], name: 'utf-16le' },
  { mark: [0xfe, 0xff], name: 'utf-16be' },
] as const;

/** The mark of UTF-8 as such letters; in files that were put together it stands in front of each. */
const MARKS = /^\u00ef\u00bb\u00bf/gm;

/** A file's bytes as letters of the same numbers; what is UTF-16 is first written as UTF-8. */
export function charactersOf(data: Uint8Array): string {
  const wide = UTF16.find(({ mark }) => mark.every((byte, at) => data[at] === byte));
  const bytes =
    wide === undefined ? Buffer.from(data) : Buffer.from(new TextDecoder(wide.name).decode(data));
  return bytes.toString('latin1').replaceAll(MARKS, '');
}

/** Bytes as text; `charset` as the file names it. Null when it is not known, or not what they are. */
export function decode(letters: string, charset: string | null): string | null {
  const bytes = Buffer.from(letters, 'latin1');
  if (charset !== null) return decodeAs(bytes, charset);
  return decodeAs(bytes, 'utf-8') ?? decodeAs(bytes, UNNAMED);
}

function decodeAs(bytes: Uint8Array, charset: string): string | null {
  try {
    return new TextDecoder(charset.trim(), { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** RFC 2045, 6.7; a sign that begins no code stays as it is. */
export function fromQuotedPrintable(letters: string): string {
  return letters.replaceAll(/=([\da-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
