import {
  decodePDFRawStream,
  pdfDocEncodingDecode,
  PDFHexString,
  type PDFObject,
  PDFRawStream,
  PDFString,
  utf16Decode,
} from 'pdf-lib';

/** The text of a string or of a stream (PDF 1.7, 7.9.2); null for other objects, or above `most` bytes, packed or not. */
export function heldText(held: PDFObject | undefined, most: number): string | null {
  if (held instanceof PDFString || held instanceof PDFHexString) {
    return held.sizeInBytes() > 2 * most ? null : held.decodeText();
  }
  if (!(held instanceof PDFRawStream) || held.contents.length > most) return null;
  const bytes = bytesOf(held);
  const isWide = bytes?.[0] === 0xfe && bytes[1] === 0xff;
  if (bytes === null || bytes.length > most) return null;
  return isWide ? utf16Decode(bytes) : pdfDocEncodingDecode(bytes);
}

/** The unpacked bytes of a stream; null where they cannot be had. */
export function bytesOf(stream: PDFRawStream): Uint8Array | null {
  try {
    return decodePDFRawStream(stream).decode();
  } catch {
    return null;
  }
}
