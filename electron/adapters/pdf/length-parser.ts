import { type PDFDict, PDFName, PDFNumber, PDFParser, PDFRef } from 'pdf-lib';

const LENGTH = PDFName.of('Length');
/** An object that is one integer, such as a stream length that was written afterwards. */
const NUMBERS = /(?<!\d)(\d{1,10})\s{1,9}(\d{1,5})\s{1,9}obj\s{0,9}(\d{1,10})\s{0,9}endobj/g;

/**
 * Parser that uses the lengths of streams. If a length is a separate object, pdf-lib searches for
 * the word `endstream` instead. A text on the page with that word ends there, a text with "stream"
 * makes the file unreadable, and a carriage return at the end of the data counts as a line end. AES
 * then cannot decrypt the last blocks.
 */
export class LengthParser extends PDFParser {
  readonly #data: Uint8Array;
  #lengths: ReadonlyMap<string, number> | null = null;

  constructor(data: Uint8Array, isStrict: boolean) {
    super(data, Number.POSITIVE_INFINITY, isStrict);
    this.#data = data;
  }

  protected override parseDict(ref?: PDFRef): PDFDict {
    const dict = super.parseDict(ref);
    const held = dict.get(LENGTH);
    if (!(held instanceof PDFRef)) return dict;
    this.#lengths ??= numbersOf(this.#data);
    // pdf-lib detects a wrong length, since no `endstream` follows.
    const length = this.#lengths.get(held.tag);
    if (length !== undefined) dict.set(LENGTH, PDFNumber.of(length));
    return dict;
  }
}

function numbersOf(data: Uint8Array): ReadonlyMap<string, number> {
  const text = Buffer.from(data.buffer, data.byteOffset, data.length).toString('latin1');
  return new Map(
    [...text.matchAll(NUMBERS)].map(([, number = '', generation = '', value]) => [
      PDFRef.of(Number(number), Number(generation)).tag,
      Number(value),
    ]),
  );
}
