import { lstat } from 'node:fs/promises';
import { AppError } from '../../../../../shared/errors.ts';
import { readBytes } from '../../input/local-files.ts';

/** Reads an ordinary file only: a pipe or a device may hang, never end, or lead elsewhere. */
export async function readOrdinaryFile(file: string): Promise<Uint8Array> {
  const found = await lstat(file).catch(() => null);
  if (found !== null && !found.isFile()) {
    throw new AppError(
      'invalid',
      `${file} was not read: it is not a regular file, but a link, a folder or a device`,
    );
  }
  return readBytes(file);
}
