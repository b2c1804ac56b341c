import { constants } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../../shared/errors.ts';

/** Length of a key file (bytes): the raw key of the cipher. */
export const KEY_BYTES = 32;
/** Permissions with which only the owner may read and write the file. */
const OWNER_ONLY_FILE_MODE = 0o600;

/**
 * Maximum size of a file (bytes), more than any accepted draft, spreadsheet or PDF has; the desk
 * has the same limit.
 */
const MAX_LOCAL_FILE_BYTES = 64 * 1024 * 1024;

/**
 * Reads a file if it is an ordinary one, without waiting: a pipe or a device has no end.
 * @throws AppError 'invalid' if the file cannot be read.
 */
export async function readBytes(file: string): Promise<Uint8Array> {
  try {
    const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stats = await handle.stat();
      if (!stats.isFile() && !stats.isDirectory()) {
        const message = `${file} is a pipe or a device and was not read; save it as a file first`;
        throw new AppError('invalid', message);
      }
      if (stats.size > MAX_LOCAL_FILE_BYTES) {
        const most = `${MAX_LOCAL_FILE_BYTES / 1024 / 1024} MB`;
        throw new AppError('invalid', `${file} was not read: it is larger than ${most}`);
      }
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError('invalid', `The file ${file} cannot be read (${systemErrorCodeOf(cause)})`, {
      cause,
    });
  }
}

/**
 * Reads a JSON file.
 * @throws AppError 'invalid' if the file cannot be read or is not JSON in UTF-8.
 */
export async function readJson(file: string): Promise<unknown> {
  const bytes = await readBytes(file);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new AppError('invalid', `The file ${file} is not JSON in UTF-8`, { cause });
  }
}

/**
 * Reads text in the encodings that spreadsheets and mail programs write: UTF-16 with its byte order
 * mark, UTF-8, or otherwise Windows-1252.
 * @throws AppError 'invalid' if the file cannot be read.
 */
export async function readText(file: string): Promise<string> {
  const bytes = await readBytes(file);
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/**
 * Writes a file that only its owner may read; never overwrites a file.
 * @throws AppError 'storage'.
 */
export async function writeNewFile(file: string, data: Uint8Array): Promise<string> {
  return writeNewFileWith(file, async () => ({ data, made: path.resolve(file) }));
}

/**
 * Writes a new file like `writeNewFile`, with content that cannot be made twice. The content is
 * made only after the file could be created, and no file remains if making it fails.
 */
export async function writeNewFileWith<Made>(
  file: string,
  make: (target: string) => Promise<{ readonly data: Uint8Array; readonly made: Made }>,
): Promise<Made> {
  const target = path.resolve(file);
  const place = await open(target, 'wx', OWNER_ONLY_FILE_MODE).catch((cause: unknown) =>
    throwWriteError(target, cause),
  );
  try {
    const { data, made } = await make(target);
    await place.writeFile(data).catch((cause: unknown) => throwWriteError(target, cause));
    await place.close();
    return made;
  } catch (error) {
    await place.close();
    await rm(target, { force: true });
    throw error;
  }
}

function throwWriteError(target: string, cause: unknown): never {
  const message =
    systemErrorCodeOf(cause) === 'EEXIST'
      ? `The file ${target} already exists and was not changed; choose another name`
      : `The file ${target} cannot be written (${systemErrorCodeOf(cause)})`;
  throw new AppError('storage', message, { cause });
}

function systemErrorCodeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason';
}
