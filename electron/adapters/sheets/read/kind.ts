import { MAX_SHEET_FILE_BYTES } from './limits.ts';
import { sheetError } from './refuse.ts';

const ZIP = [0x50, 0x4b];
/** Compound file: old Excel formats, and every workbook with a password. */
const COMPOUND_FILE_BYTES = [0xd0, 0xcf, 0x11, 0xe0];
/** Stream names of a workbook with a password, and of old formats. */
const ENCRYPTED_STREAM_NAME = utf16BytesOf('EncryptedPackage');
const OLD_WORKBOOK_STREAM_NAMES = [utf16BytesOf('Workbook'), utf16BytesOf('Book')];
const PDF = '%PDF-';
const MARKUP = /^\s*<(?:!doctype|html|\?xml|table|meta|head)/i;
/** Single XML file of an OpenDocument spreadsheet (.fods), or of Excel 2003. */
const FLAT_ODS = /<office:document\b/;
const EXCEL_2003 = /urn:schemas-microsoft-com:office:spreadsheet|progid="Excel\.Sheet"/;
const SNIFFED_BYTES = 2048;
/**
 * Number of bytes to search for the directory of a compound file; in files of any usual size it is
 * among them.
 */
const MAX_DIRECTORY_BYTES = 4 * 1024 * 1024;

/** Kind of a file by its content regardless of its name. Throws 'invalid' if it cannot be read. */
export function kindOf(data: Uint8Array): 'zip' | 'flat-ods' | 'text' {
  if (data.length === 0) throw sheetError('sheet-empty', 'The file is empty: it has no rows');
  if (data.length > MAX_SHEET_FILE_BYTES) {
    throw sheetError(
      'sheet-limit',
      `The file is larger than ${MAX_SHEET_FILE_BYTES / 1024 / 1024} MB`,
    );
  }
  if (beginsWithBytes(data, ZIP)) return 'zip';
  if (beginsWithBytes(data, COMPOUND_FILE_BYTES)) throw rejectCompound(data);
  const head = Buffer.from(data.subarray(0, SNIFFED_BYTES)).toString('latin1');
  if (FLAT_ODS.test(head)) return 'flat-ods';
  if (EXCEL_2003.test(head)) {
    throw sheetError(
      'sheet-kind',
      'The file is an Excel 2003 XML spreadsheet. Save it as .xlsx or .csv',
    );
  }
  if (head.startsWith(PDF)) {
    throw sheetError(
      'sheet-kind',
      'The file is a PDF. Save the original spreadsheet as .xlsx or .csv',
    );
  }
  if (MARKUP.test(head.replace(/^\u00ef\u00bb\u00bf/, ''))) {
    throw sheetError(
      'sheet-kind',
      'Despite its name, the file is a web page or XML. Open it in a spreadsheet program and save it as .xlsx',
    );
  }
  return 'text';
}

function rejectCompound(data: Uint8Array) {
  const head = Buffer.from(data.subarray(0, MAX_DIRECTORY_BYTES)).toString('latin1');
  if (head.includes(ENCRYPTED_STREAM_NAME)) {
    return sheetError(
      'sheet-password',
      'The spreadsheet has a password. Save it without a password',
    );
  }
  return OLD_WORKBOOK_STREAM_NAMES.some((name) => head.includes(name))
    ? sheetError(
        'sheet-kind',
        'The file is an old Excel spreadsheet (.xls). Save it as .xlsx or .csv',
      )
    : sheetError(
        'sheet-kind',
        'The file is an old Office document. Save its table as .xlsx or .csv',
      );
}

/** Returns the UTF-16 bytes of a text, each as a character. */
function utf16BytesOf(text: string): string {
  return Buffer.from(text, 'utf16le').toString('latin1');
}

function beginsWithBytes(data: Uint8Array, sign: readonly number[]): boolean {
  return sign.every((byte, at) => data[at] === byte);
}
