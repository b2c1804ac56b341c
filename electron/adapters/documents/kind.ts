import { MAX_DOCUMENT_BYTES } from './limits.ts';
import { DAMAGED_MESSAGE, documentError, PASSWORD_MESSAGE } from './refuse.ts';

/** Kind of a file that can be converted to a PDF, by its content. */
export type DocumentKind = 'zip' | 'rtf' | 'doc' | 'jpeg' | 'png';

/**
 * Number of bytes to search for the directory of a compound file; in files of any usual size it is
 * among them.
 */
const MAX_DIRECTORY_SEARCH_BYTES = 4 * 1024 * 1024;
const MAGIC_SEARCH_LENGTH = 64;

const KIND_BY_MAGIC: readonly (readonly [sign: string, kind: DocumentKind])[] = [
  ['PK\u0003\u0004', 'zip'],
  ['{\\rtf', 'rtf'],
  ['\u00ff\u00d8\u00ff', 'jpeg'],
  ['\u0089PNG\r\n\u001a\n', 'png'],
];
/** Pictures of phones: the brands of ISO/IEC 23008-12, and AVIF. */
const PHONE_PICTURE = /^.{4}ftyp(?:hei[cxms]|hev[cxms]|mif1|msf1|avi[fs])/su;
const OTHER_PICTURES = /^(?:GIF8|II\*\u0000|MM\u0000\*|BM.{4}\u0000{4}|RIFF.{4}WEBP)/su;

/**
 * Returns the kind of a file by its content; null for an unknown kind. Throws for kinds that the
 * user can convert first.
 */
export function kindOf(data: Uint8Array): DocumentKind | null {
  const head = Buffer.from(data.subarray(0, MAGIC_SEARCH_LENGTH)).toString('latin1');
  if (PHONE_PICTURE.test(head)) {
    throw documentError(
      'picture-kind',
      'The picture has the HEIC format of phones, which is not supported. Export it as JPEG first',
    );
  }
  if (OTHER_PICTURES.test(head)) {
    throw documentError(
      'picture-kind',
      'Only JPEG and PNG pictures are supported. Save the picture as JPEG or PNG',
    );
  }
  const kind =
    KIND_BY_MAGIC.find(([sign]) => head.startsWith(sign))?.[1] ??
    (head.startsWith('\u00d0\u00cf\u0011\u00e0') ? compoundKind(data) : null);
  if (kind !== null && data.length > MAX_DOCUMENT_BYTES) {
    throw documentError(
      'document-limit',
      `The file is larger than ${MAX_DOCUMENT_BYTES / 1024 / 1024} MB`,
    );
  }
  return kind;
}

/**
 * Returns 'doc' for an old Word file. Throws for any other compound file, such as an Office
 * document with a password.
 */
function compoundKind(data: Uint8Array): 'doc' {
  const head = Buffer.from(data.subarray(0, MAX_DIRECTORY_SEARCH_BYTES)).toString('latin1');
  if (head.includes(asUtf16Bytes('EncryptedPackage')))
    throw documentError('document-password', PASSWORD_MESSAGE);
  if (!head.includes(asUtf16Bytes('WordDocument'))) {
    throw documentError(
      'document-kind',
      'The file is a spreadsheet, a presentation or a message. Save it as a PDF in its own program',
    );
  }
  // The flag is at offset 10 of the header of the stream, which begins a sector (MS-DOC 2.5.2,
  // fEncrypted).
  const start = head.indexOf('\u00ec\u00a5', 512);
  if (start < 0) throw documentError('document-damaged', DAMAGED_MESSAGE);
  const flags = head.charCodeAt(start + 11);
  if ((flags & 1) !== 0) throw documentError('document-password', PASSWORD_MESSAGE);
  return 'doc';
}

/** Returns the UTF-16 bytes of a text, each as a character. */
const asUtf16Bytes = (text: string): string => Buffer.from(text, 'utf16le').toString('latin1');
