import { PDFArray, PDFDict, PDFName, PDFNumber } from 'pdf-lib';

export type Box = readonly [left: number, bottom: number, right: number, top: number];

export function dictIn(dict: PDFDict, key: string): PDFDict | null {
  const value = dict.lookup(PDFName.of(key));
  return value instanceof PDFDict ? value : null;
}

export function numberIn(dict: PDFDict, key: string): number | null {
  const value = dict.lookup(PDFName.of(key));
  return value instanceof PDFNumber ? value.asNumber() : null;
}

/** Returns the numbers of an array; empty if there is no array. */
export function numbersIn(dict: PDFDict, key: string): readonly number[] {
  const values = dict.lookup(PDFName.of(key));
  if (!(values instanceof PDFArray)) return [];
  return values
    .asArray()
    .map((_, at) => values.lookup(at))
    .flatMap((value) => (value instanceof PDFNumber ? [value.asNumber()] : []));
}

/**
 * Returns a rectangle, which any two opposite corners define (PDF 1.7, 7.9.5); null if there is
 * none.
 */
export function boxIn(dict: PDFDict, key: string): Box | null {
  const [a, b, c, d] = numbersIn(dict, key);
  if (a === undefined || b === undefined || c === undefined || d === undefined) return null;
  return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
}
