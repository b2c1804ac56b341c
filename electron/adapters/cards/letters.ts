/*
 * A vCard file may mix encodings: version 2.1 names an encoding for each property, and old programs
 * wrote bytes of their system without naming it. So a file is read as bytes, one character per
 * byte, and every value is decoded separately.
 */

/** Encoding of values that name none, as old Western programs wrote them. */
const DEFAULT_CHARSET = 'windows-1252';
const UTF16 = [
  { mark: [0xff, 0xfe], name: 'utf-16le' },
  { mark: [0xfe, 0xff], name: 'utf-16be' },
] as const;

/**
 * UTF-8 byte order mark, read as one character per byte; a file joined from several has one before
 * each of them.
 */
const BYTE_ORDER_MARKS = /^\u00ef\u00bb\u00bf/gm;

/**
 * Converts a file to one character per byte, with the value of the byte as its code; UTF-16 is
 * first converted to UTF-8.
 */
export function charactersOf(data: Uint8Array): string {
  const wide = UTF16.find(({ mark }) => mark.every((byte, at) => data[at] === byte));
  const bytes =
    wide === undefined ? Buffer.from(data) : Buffer.from(new TextDecoder(wide.name).decode(data));
  return bytes.toString('latin1').replaceAll(BYTE_ORDER_MARKS, '');
}

/**
 * Decodes the bytes of a value. `charset` is the encoding that the file names for it, or null.
 * Returns null if the encoding is unknown or does not fit the bytes.
 */
export function decode(letters: string, charset: string | null): string | null {
  const bytes = Buffer.from(letters, 'latin1');
  if (charset !== null) return decodeAs(bytes, charset);
  return decodeAs(bytes, 'utf-8') ?? decodeAs(bytes, DEFAULT_CHARSET);
}

function decodeAs(bytes: Uint8Array, charset: string): string | null {
  try {
    return new TextDecoder(charset.trim(), { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Decodes quoted-printable text (RFC 2045, 6.7); an `=` that does not begin a code is kept. */
export function fromQuotedPrintable(letters: string): string {
  return letters.replaceAll(/=([\da-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
