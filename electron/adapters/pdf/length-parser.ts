import { type PDFDict, PDFName, PDFNumber, PDFParser, PDFRef } from 'pdf-lib';

const LENGTH = PDFName.of('Length');
/** An object that is one whole number, as the length of a stream is that was written before it was known. */
const NUMBERS = /(?<!\d)(\d{1,10})\s{1,9}(\d{1,5})\s{1,9}obj\s{0,9}(\d{1,10})\s{0,9}endobj/g;

/**
 * Where the length of a stream is an object of its own, pdf-lib looks for the word `endstream`: a text
 * on the page with that word ends there, one with "stream" makes the file unreadable, and a carriage
 * return that ends the data is taken for a line end. AES then cannot read the last blocks.
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
    // One that is wrong is seen by pdf-lib, since no `endstream` follows.
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
