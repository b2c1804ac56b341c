import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import { safeStem } from '../../../shared/rules/files/file-name.ts';
import type { FileBytes, FolderEntry, WatchedFolders } from '../../core/intake/ports.ts';
import { createFile, PRIVATE_FILE, storageError, systemCode } from './durable.ts';
import { whileHeld } from './retry-while-locked.ts';
import { lstatOrNull } from './save.ts';

/** Looked at side by side; a drive on the network answers each only after a while. */
const AT_ONCE = 64;
/** Numbers behind a name that are tried, before one of chance is. */
const MOST_NUMBERS = 20;

/** What the system says of a drive that is not there. */
const AWAY: ReadonlySet<string | undefined> = new Set([
  'ENOENT',
  'ENOTDIR',
  'EIO',
  'ESTALE',
  'ENODEV',
  'ENXIO',
  'ENOTCONN',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EREMOTEIO',
]);
const UNREADABLE: ReadonlySet<string | undefined> = new Set(['EACCES', 'EPERM', 'EBUSY']);

export function createWatchedFolders(): WatchedFolders {
  return { list, read, move };
}

async function list(folder: string): Promise<readonly FolderEntry[]> {
  try {
    const names = await readdir(folder);
    const entries: FolderEntry[] = [];
    for (let from = 0; from < names.length; from += AT_ONCE) {
      const some = names.slice(from, from + AT_ONCE);
      const found = await Promise.all(some.map((name) => entryOf(folder, name)));
      entries.push(...found.filter((one) => one !== null));
    }
    return entries;
  } catch (error) {
    throw folderError(error);
  }
}

/** Null for what is gone by now. */
async function entryOf(folder: string, name: string): Promise<FolderEntry | null> {
  try {
    const stats = await lstat(path.join(folder, name));
    return { name, kind: kindOf(stats), bytes: stats.size, changedAt: stats.mtimeMs };
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

function kindOf(stats: Stats): FolderEntry['kind'] {
  if (stats.isFile()) return 'file';
  return stats.isDirectory() ? 'folder' : 'other';
}

async function read(folder: string, seen: FolderEntry): Promise<FileBytes> {
  // A link that came in the file's place is not followed, and no pipe is waited for.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  try {
    const handle = await open(path.join(folder, seen.name), flags);
    try {
      if (!isSame(await handle.stat(), seen)) return { data: null, why: 'changed' };
      const data = await handle.readFile();
      const isWhole = data.length === seen.bytes && isSame(await handle.stat(), seen);
      return isWhole ? { data, why: null } : { data: null, why: 'changed' };
    } finally {
      await handle.close();
    }
  } catch (error) {
    const code = systemCode(error);
    if (UNREADABLE.has(code)) return { data: null, why: 'not-readable' };
    if (code === 'ELOOP') return { data: null, why: 'changed' };
    if (code === 'ENOENT') {
      // Somebody took it away, or the whole drive is.
      await list(folder);
      return { data: null, why: 'gone' };
    }
    throw folderError(error);
  }
}

const isSame = (stats: Stats, { bytes, changedAt }: FolderEntry): boolean =>
  stats.isFile() && stats.size === bytes && stats.mtimeMs === changedAt;

async function move(
  folder: string,
  name: string,
  to: 'done' | 'refused',
  note: string | null,
): Promise<void> {
  const from = path.join(folder, name);
  try {
    if (path.dirname(from) !== path.dirname(path.join(folder, 'x'))) {
      throw new AppError('invalid', 'A file name may not lead out of its folder');
    }
    const target = await openTarget(folder, to);
    if ((await lstatOrNull(from)) === null) return;
    for (const free of namesFor(name)) {
      const file = path.join(target, free);
      if (!(await reserve(file))) continue;
      if (note !== null && !(await writeNote(`${file}.txt`, note))) {
        await rm(file);
        continue;
      }
      return await takePlace(from, file, note !== null);
    }
  } catch (error) {
    const isThere = systemCode(error) === 'ENOENT' && (await lstatOrNull(folder)) !== null;
    // Another program took it away.
    if (isThere) return;
    throw AWAY.has(systemCode(error)) ? folderError(error) : storageError(error, `Moving ${name}`);
  }
}

/** Puts the file where an empty one stands; where it cannot be moved that one goes, and its note. */
async function takePlace(from: string, file: string, isNoted: boolean): Promise<void> {
  try {
    await whileHeld(() => rename(from, file));
  } catch (error) {
    // A server may have moved it and its answer got lost: then it is no empty one any more.
    if ((await lstatOrNull(file))?.size === 0) {
      await rm(file);
      if (isNoted) await rm(`${file}.txt`, { force: true });
    }
    throw error;
  }
}

/** An empty file that nobody else has, for another to take the place of; false where one is. */
async function reserve(file: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx', PRIVATE_FILE);
    await handle.close();
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** False where a file has its name: nobody's is written over. */
async function writeNote(file: string, note: string): Promise<boolean> {
  try {
    await createFile(file, note);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.failure.code === 'conflict') return false;
    throw error;
  }
}

/** Made when it is missing; a link in its place would lead elsewhere. */
async function openTarget(folder: string, to: string): Promise<string> {
  const target = path.join(folder, to);
  try {
    await mkdir(target);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
  if ((await lstat(target)).isDirectory()) return target;
  throw new AppError('storage', `${to} is no folder in the watched one`, {
    reason: 'folder-outside',
  });
}

/** The name as every system takes it; then with a number, which tells it from those before it. */
function* namesFor(name: string): Generator<string> {
  const ending = /\.[a-z0-9]{1,16}$/i.exec(name)?.[0] ?? '';
  const stem = safeStem(name.slice(0, name.length - ending.length)) || 'file';
  yield stem + ending;
  for (let copy = 2; copy <= MOST_NUMBERS; copy += 1) yield `${stem} (${copy})${ending}`;
  for (;;) yield `${stem} (${randomBytes(6).toString('hex')})${ending}`;
}

function folderError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const code = systemCode(error);
  if (!AWAY.has(code)) return storageError(error, 'Reading the watched folder');
  return new AppError('storage', `The watched folder is not there (${code ?? ''})`, {
    cause: error,
    reason: 'folder-missing',
  });
}
