import {
  decodePDFRawStream,
  pdfDocEncodingDecode,
  PDFHexString,
  type PDFObject,
  PDFRawStream,
  PDFString,
  utf16Decode,
} from 'pdf-lib';

/**
 * Returns the text of a string or a stream (PDF 1.7, 7.9.2); null for other objects, or above
 * `most` bytes, compressed or not.
 */
export function decodeHeldText(held: PDFObject | undefined, most: number): string | null {
  if (held instanceof PDFString || held instanceof PDFHexString) {
    return held.sizeInBytes() > 2 * most ? null : held.decodeText();
  }
  if (!(held instanceof PDFRawStream) || held.contents.length > most) return null;
  const bytes = bytesOf(held);
  const isWide = bytes?.[0] === 0xfe && bytes[1] === 0xff;
  if (bytes === null || bytes.length > most) return null;
  return isWide ? utf16Decode(bytes) : pdfDocEncodingDecode(bytes);
}

/** Returns the decompressed bytes of a stream; null if it cannot be decoded. */
export function bytesOf(stream: PDFRawStream): Uint8Array | null {
  try {
    return decodePDFRawStream(stream).decode();
  } catch {
    return null;
  }
}
