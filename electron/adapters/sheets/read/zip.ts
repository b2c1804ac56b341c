import { crc32 } from 'node:zlib';
import {
  type Entry,
  fromBufferPromise,
  getFileNameLowLevel,
  validateFileName,
  type ZipFile,
} from 'yauzl';
import { AppError } from '../../../../shared/errors.ts';
import {
  MAX_ZIP_ENTRIES,
  RATIO_CHECKED_FROM_BYTES,
  MAX_PACKING_RATIO,
  MAX_UNPACKED_TOTAL,
} from './limits.ts';
import { sheetError } from './refuse.ts';

/**
 * Parts of a ZIP file by name. Names have `/` between folders, whichever separator the file has.
 */
export interface Zip {
  readonly names: readonly string[];
  /** Returns the name as written in the file; names are case-insensitive (OPC). */
  find(name: string): string | undefined;
  /**
   * Unpacks a part piece by piece. Throws 'sheet-damaged' if its size or CRC-32 differs from the
   * declared one, which is known only after the last piece: results must not be used earlier.
   */
  chunks(name: string): AsyncIterable<Buffer>;
  /** Returns a whole part, checked like `chunks`. */
  read(name: string): Promise<Buffer>;
}

/** Checks the list of parts before anything is unpacked. Throws 'sheet-bomb' or 'sheet-damaged'. */
export async function openZip(bytes: Uint8Array): Promise<Zip> {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const file = await withZipErrors(() =>
    fromBufferPromise(data, { decodeStrings: false, validateEntrySizes: true }),
  );
  const entries = await listEntries(file);
  rejectBomb(entries.values());
  const byCase = new Map([...entries.keys()].map((name) => [name.toLowerCase(), name]));
  const find = (name: string): string | undefined => byCase.get(name.toLowerCase());
  const chunks = (name: string): AsyncIterable<Buffer> =>
    unpackEntry(file, name, entries.get(find(name) ?? name));
  return {
    names: [...entries.keys()],
    find,
    chunks,
    read: async (name) => {
      const pieces: Buffer[] = [];
      for await (const chunk of chunks(name)) pieces.push(chunk);
      return Buffer.concat(pieces);
    },
  };
}

async function listEntries(file: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  if (file.entryCount > MAX_ZIP_ENTRIES) {
    throw sheetError('sheet-bomb', `The spreadsheet has more than ${MAX_ZIP_ENTRIES} parts`);
  }
  const entries = new Map<string, Entry>();
  await withZipErrors(async () => {
    for await (const entry of file.eachEntry()) {
      const { generalPurposeBitFlag: flags, fileNameRaw, extraFields } = entry;
      // Backslashes between folders are converted as the format requires.
      const name = getFileNameLowLevel(flags, fileNameRaw, extraFields, false);
      if (validateFileName(name) !== null) {
        throw sheetError(
          'sheet-bomb',
          'The name of a part of the spreadsheet points to a place outside the file',
        );
      }
      const other = entries.get(name);
      if (other !== undefined && other.crc32 !== entry.crc32) {
        throw sheetError('sheet-damaged', `The spreadsheet has two different parts named ${name}`);
      }
      entries.set(name, entry);
    }
  });
  return entries;
}

function rejectBomb(entries: Iterable<Entry>): void {
  let total = 0;
  for (const { compressedSize, uncompressedSize } of entries) {
    total += uncompressedSize;
    const ratio = uncompressedSize / Math.max(1, compressedSize);
    if (uncompressedSize > RATIO_CHECKED_FROM_BYTES && ratio > MAX_PACKING_RATIO) {
      throw sheetError(
        'sheet-bomb',
        `A part of the spreadsheet unpacks to over ${MAX_PACKING_RATIO} times its size`,
      );
    }
  }
  if (total > MAX_UNPACKED_TOTAL) {
    const most = MAX_UNPACKED_TOTAL / 1024 / 1024;
    throw sheetError('sheet-bomb', `The spreadsheet unpacks to more than ${most} MB`);
  }
}

async function* unpackEntry(
  file: ZipFile,
  name: string,
  entry: Entry | undefined,
): AsyncGenerator<Buffer> {
  if (entry === undefined)
    throw sheetError(
      'sheet-damaged',
      `The part ${name} of the spreadsheet is missing. Open the spreadsheet and save it again`,
    );
  if (entry.isEncrypted()) throw sheetError('sheet-password', SHEET_PASSWORD_MESSAGE);
  const { uncompressedSize } = entry;
  let size = 0;
  let sum = 0;
  try {
    const stream: AsyncIterable<Buffer> = await file.openReadStreamPromise(entry);
    for await (const chunk of stream) {
      size += chunk.length;
      if (size > uncompressedSize) {
        throw sheetError(
          'sheet-bomb',
          'A part of the spreadsheet is larger than stated in the file',
        );
      }
      sum = crc32(chunk, sum);
      yield chunk;
    }
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    // yauzl ends the stream at the declared size.
    const isLarger = cause instanceof Error && cause.message.startsWith('too many bytes');
    throw isLarger
      ? sheetError(
          'sheet-bomb',
          'A part of the spreadsheet is larger than stated in the file',
          cause,
        )
      : damagedSheetError(name, cause);
  }
  if (size !== uncompressedSize || sum !== entry.crc32) throw damagedSheetError(name);
}

const SHEET_PASSWORD_MESSAGE = 'The spreadsheet has a password. Save it without a password';

async function withZipErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    const isLocked = cause instanceof Error && cause.message.includes('encryption');
    throw isLocked
      ? sheetError('sheet-password', SHEET_PASSWORD_MESSAGE, cause)
      : damagedSheetError(null, cause);
  }
}

function damagedSheetError(name: string | null, cause?: unknown): AppError {
  const where = name === null ? '' : ` (${name} does not match its checksum)`;
  return sheetError(
    'sheet-damaged',
    `The spreadsheet is damaged${where}. Open it and save it again`,
    cause,
  );
}
