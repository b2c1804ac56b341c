import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import {
  access,
  constants,
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  rm,
} from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../shared/errors.ts';
import type { SavedFile } from '../../shared/contract/agreements.ts';
import type { AcceptBytes, Download, Files } from '../core/ports.ts';
import { PRIVATE_FILE, publish, replaceFile, storageError, systemCode } from './durable-file.ts';
import { createEnds } from './files-ends.ts';

export function createFiles(): Files {
  return {
    saveNew,
    replaceText: replaceFile,
    prepareFolder,
    hash,
    join,
    folderOf: (file) => path.dirname(file),
  };
}

async function saveNew(
  file: string,
  download: Download,
  accept: AcceptBytes,
  signal: AbortSignal,
): Promise<SavedFile> {
  const part = `${file}.part`;
  const doing = `Saving ${path.basename(file)}`;
  await refuseTaken(file, doing);
  const handle = await openPart(part, doing);
  try {
    const written = await receive(handle, download, accept, signal);
    await inFile(doing, async () => {
      await handle.sync();
      await refuseForeign(handle, part);
      await publish(part, file);
    });
    return { file, ...written };
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

/** Told before a byte is fetched; `publish` decides again at the end, without a gap. */
async function refuseTaken(file: string, doing: string): Promise<void> {
  const found = await inFile(doing, () => lstatOrNull(file));
  if (found !== null) {
    throw new AppError('conflict', `There is already something at ${path.basename(file)}`);
  }
}

/** A `.part` that a killed run left behind makes room; a link in its place is never followed. */
async function openPart(part: string, doing: string): Promise<FileHandle> {
  return inFile(doing, async () => {
    await rm(part, { force: true });
    return open(part, 'wx', PRIVATE_FILE);
  });
}

/** Another process may have made room for its own `.part`: what we name must be what we wrote. */
async function refuseForeign(handle: FileHandle, part: string): Promise<void> {
  const [ours, there] = [await handle.stat(), await lstat(part)];
  if (ours.ino !== there.ino || ours.dev !== there.dev) {
    throw new AppError('conflict', `Another process is writing ${path.basename(part)}`);
  }
}

async function receive(
  handle: FileHandle,
  download: Download,
  accept: AcceptBytes,
  signal: AbortSignal,
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const digest = createHash('sha256');
  const ends = createEnds();
  for await (const chunk of download.chunks) {
    if (signal.aborted) throw new AppError('cancelled', 'The download was stopped');
    await inFile('Writing', () => handle.writeFile(chunk));
    digest.update(chunk);
    ends.take(chunk);
  }
  const bytes = ends.bytes();
  if (download.bytes !== null && download.bytes !== bytes) {
    throw new AppError('service', `${bytes} bytes came, ${download.bytes} were announced`, {
      reason: 'cut-answer',
    });
  }
  accept(ends.head(), ends.tail(), bytes);
  return { bytes, sha256: digest.digest('hex') };
}

async function prepareFolder(folder: string): Promise<readonly string[]> {
  return inFile(`Opening the folder ${path.basename(folder)}`, async () => {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
    return readdir(folder);
  });
}

async function hash(file: string): Promise<string | null> {
  return inFile(`Reading ${path.basename(file)}`, async () => {
    if ((await lstatOrNull(file)) === null) return null;
    const digest = createHash('sha256');
    await pipeline(createReadStream(file), digest);
    return digest.digest('hex');
  });
}

/** Throws 'invalid' for a name that would lead out of the folder. */
function join(folder: string, name: string): string {
  const joined = path.join(folder, name);
  if (
    path.dirname(joined) !== path.resolve(folder) &&
    path.dirname(joined) !== path.normalize(folder)
  ) {
    throw new AppError('invalid', 'A file name may not lead out of its folder');
  }
  return joined;
}

async function lstatOrNull(file: string): Promise<object | null> {
  try {
    return await lstat(file);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

async function inFile<T>(doing: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw storageError(error, doing);
  }
}
