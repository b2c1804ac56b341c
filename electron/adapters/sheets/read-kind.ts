import { FILE_MAX } from './read-limits.ts';
import { refuse } from './refuse.ts';

const ZIP = [0x50, 0x4b];
/** Compound file: old Excel formats, and every workbook with a password. */
const COMPOUND = [0xd0, 0xcf, 0x11, 0xe0];
/** UTF-16 names of the stream that holds a workbook with a password. */
const ENCRYPTED = 'E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e';
const MARKUP = /^\s*<(?:!doctype|html|\?xml|table|meta|head)/i;
const HEAD = 512;
/** Where the directory of a compound file stands in files of any real size. */
const DIRECTORY_SEARCH = 4 * 1024 * 1024;

/** What a file is by its content; its name is not asked. Throws 'invalid' for what cannot be read. */
export function kindOf(data: Uint8Array): 'zip' | 'text' {
  if (data.length === 0) throw refuse('sheet-empty', 'The file is empty: it has no rows');
  if (data.length > FILE_MAX) {
    throw refuse('sheet-limit', `The file is larger than ${FILE_MAX / 1024 / 1024} MB`);
  }
  if (begins(data, ZIP)) return 'zip';
  if (begins(data, COMPOUND)) throw refuseCompound(data);
  const head = Buffer.from(data.subarray(0, HEAD)).toString('latin1');
  if (MARKUP.test(head.replace(/^\u00ef\u00bb\u00bf/, ''))) {
    throw refuse(
      'sheet-kind',
      'The file is a web page or XML, whatever its name; save it as .xlsx',
    );
  }
  return 'text';
}

function refuseCompound(data: Uint8Array) {
  const head = Buffer.from(data.subarray(0, DIRECTORY_SEARCH)).toString('latin1');
  return head.includes(ENCRYPTED)
    ? refuse('sheet-password', 'The workbook has a password; save it without one')
    : refuse('sheet-kind', 'The file is of the old Excel format; save it as .xlsx');
}

function begins(data: Uint8Array, sign: readonly number[]): boolean {
  return sign.every((byte, at) => data[at] === byte);
}
