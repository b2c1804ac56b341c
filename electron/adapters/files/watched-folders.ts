import { createHash, randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError, isCode } from '../../../shared/errors.ts';
import { safeStem } from '../../../shared/rules/files/file-name.ts';
import type {
  FileAsRead,
  FileBytes,
  FolderEntry,
  MoveResult,
  WatchedFolders,
} from '../../core/intake/ports.ts';
import {
  createFile,
  PRIVATE_FILE_MODE,
  publishDraft,
  storageError,
  systemCode,
} from './durable.ts';
import { retryWhileLocked } from './retry-while-locked.ts';
import { lstatOrNull } from './save.ts';

/** Maximum number of files examined in parallel; a network drive answers each call slowly. */
const MAX_PARALLEL_ENTRIES = 64;
/** Maximum number of numbered names to try before a random one. */
const MAX_NUMBERS = 20;

/** System errors of a missing or disconnected drive. */
const FOLDER_AWAY_CODES: ReadonlySet<string | undefined> = new Set([
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
const UNREADABLE_CODES: ReadonlySet<string | undefined> = new Set(['EACCES', 'EPERM', 'EBUSY']);

export function createWatchedFolders(): WatchedFolders {
  return { list, read, move };
}

async function list(folder: string): Promise<readonly FolderEntry[]> {
  try {
    const names = await readdir(folder);
    const entries: FolderEntry[] = [];
    for (let from = 0; from < names.length; from += MAX_PARALLEL_ENTRIES) {
      const some = names.slice(from, from + MAX_PARALLEL_ENTRIES);
      const found = await Promise.all(some.map((name) => entryOf(folder, name)));
      entries.push(...found.filter((one) => one !== null));
    }
    return entries;
  } catch (error) {
    throw folderError(error);
  }
}

/** Returns the entry of a name in the folder; null if the file no longer exists. */
async function entryOf(folder: string, name: string): Promise<FolderEntry | null> {
  try {
    const stats = await lstat(path.join(folder, name));
    const { size: bytes, mtimeMs: changedAt } = stats;
    return { name, kind: kindOf(stats), bytes, changedAt, identity: identityOf(stats) };
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

function kindOf(stats: Stats): FolderEntry['kind'] {
  if (stats.isFile()) return 'file';
  return stats.isDirectory() ? 'folder' : 'other';
}

const identityOf = ({ dev, ino }: Stats): string => `${dev}:${ino}`;

/**
 * Flags for opening a file without following a link that replaced it, and without blocking on a
 * pipe.
 */
const READ_ONLY_FLAGS =
  constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

async function read(folder: string, seen: FolderEntry): Promise<FileBytes> {
  try {
    const handle = await open(path.join(folder, seen.name), READ_ONLY_FLAGS);
    try {
      if (!isSame(await handle.stat(), seen)) return { data: null, why: 'being-written' };
      const data = await handle.readFile();
      const isWhole = data.length === seen.bytes && isSame(await handle.stat(), seen);
      if (!isWhole) return { data: null, why: 'being-written' };
      return { data, sha256: createHash('sha256').update(data).digest('hex'), why: null };
    } finally {
      await handle.close();
    }
  } catch (error) {
    const code = systemCode(error);
    if (UNREADABLE_CODES.has(code)) return { data: null, why: 'not-readable' };
    if (code === 'ELOOP') return { data: null, why: 'being-written' };
    if (code === 'ENOENT') {
      // The file was removed, or the drive is gone: then `list` throws.
      await list(folder);
      return { data: null, why: 'being-written' };
    }
    throw folderError(error);
  }
}

const isSame = (stats: Stats, seen: FolderEntry): boolean =>
  stats.isFile() && hasSameStamp(stats, seen);

const hasSameStamp = ({ size, mtimeMs }: Stats, { bytes, changedAt }: FolderEntry): boolean =>
  size === bytes && mtimeMs === changedAt;

async function move(
  folder: string,
  file: FileAsRead,
  to: 'done' | 'refused',
  note: string | null,
): Promise<MoveResult> {
  const { name } = file.entry;
  const from = path.join(folder, name);
  try {
    if (path.dirname(from) !== path.dirname(path.join(folder, 'x'))) {
      throw new AppError('invalid', 'A file name must not point to another folder');
    }
    const target = await openTarget(folder, to);
    const now = await lstatOrNull(from);
    if (now === null) return 'gone';
    // The name now belongs to another file: a program that is writing it must not be disturbed.
    const isSeen = kindOf(now) === file.entry.kind && hasSameStamp(now, file.entry);
    if (!isSeen) return 'replaced';
    for (const free of namesFor(name)) {
      const place = await reservePlace(path.join(target, free));
      if (place === null) continue;
      const { file: at } = place;
      if (note !== null && !(await writeNote(`${at}.txt`, note))) {
        await rm(at);
        continue;
      }
      return await moveToPlace(from, place, file, note !== null);
    }
    throw new AppError(
      'storage',
      `${name} was not moved: the folder ${to} already has too many files with this name`,
    );
  } catch (error) {
    const isThere = systemCode(error) === 'ENOENT' && (await lstatOrNull(folder)) !== null;
    // Another program removed the file.
    if (isThere) return 'gone';
    throw FOLDER_AWAY_CODES.has(systemCode(error))
      ? folderError(error)
      : storageError(error, `Moving ${name}`);
  }
}

/** An empty file that reserves a name for the moved file. */
interface ReservedPlace {
  readonly file: string;
  readonly identity: string;
}

/**
 * Moves the file over the empty file that reserves its new name; if this fails, removes the empty
 * file and its note. Verifies the moved file, since its old name may have been given to another
 * file until the move. Such a file is moved back.
 */
async function moveToPlace(
  from: string,
  { file, identity }: ReservedPlace,
  read: FileAsRead,
  isNoted: boolean,
): Promise<MoveResult> {
  try {
    await retryWhileLocked(() => rename(from, file));
  } catch (error) {
    // A server may have moved the file although its answer was lost: then the reserved name no
    // longer has the empty file.
    const now = await lstatOrNull(file);
    if (now !== null && identityOf(now) === identity) {
      await rm(file);
      if (isNoted) await rm(`${file}.txt`, { force: true });
    }
    throw error;
  }
  let isProven = false;
  try {
    isProven = await isUnchangedSinceRead(file, read);
  } finally {
    if (!isProven) {
      await moveBack(file, from);
      if (isNoted) await rm(`${file}.txt`, { force: true });
    }
  }
  return isProven ? 'moved' : 'replaced';
}

/** Whether this is the file that was read: by hash, or by its attributes if it was never read. */
async function isUnchangedSinceRead(file: string, { entry, sha256 }: FileAsRead): Promise<boolean> {
  if (sha256 !== null) return (await hashOf(file)) === sha256;
  const stats = await lstat(file);
  return (
    kindOf(stats) === entry.kind &&
    hasSameStamp(stats, entry) &&
    identityOf(stats) === entry.identity
  );
}

/** Returns the SHA-256 of an ordinary file; null for anything else. */
async function hashOf(file: string): Promise<string | null> {
  if (!(await lstat(file)).isFile()) return null;
  const handle = await open(file, READ_ONLY_FLAGS);
  try {
    if (!(await handle.stat()).isFile()) return null;
    const digest = createHash('sha256');
    await pipeline(handle.createReadStream({ autoClose: false }), digest);
    return digest.digest('hex');
  } finally {
    await handle.close();
  }
}

/** Restores the original name, or a numbered one if a newer file has taken it. */
async function moveBack(file: string, from: string): Promise<void> {
  const folder = path.dirname(from);
  const isPlain = (await lstat(file)).isFile();
  for (const name of ownNameFirst(path.basename(from))) {
    const back = path.join(folder, name);
    if (isPlain ? await tryPublishBack(file, back) : await tryRenameBack(file, back)) return;
  }
}

async function tryPublishBack(file: string, back: string): Promise<boolean> {
  try {
    await retryWhileLocked(() => publishDraft(file, back));
    return true;
  } catch (error) {
    if (isCode(error, 'conflict')) return false;
    throw error;
  }
}

/**
 * Renames a file back that is not an ordinary file: on some systems, a hard link to a symbolic link
 * links to its target. Returns false if the name is taken.
 */
async function tryRenameBack(file: string, back: string): Promise<boolean> {
  if ((await lstatOrNull(back)) !== null) return false;
  await retryWhileLocked(() => rename(file, back));
  return true;
}

/** Creates an empty file that reserves the name; null if the name is taken. */
async function reservePlace(file: string): Promise<ReservedPlace | null> {
  try {
    const handle = await open(file, 'wx', PRIVATE_FILE_MODE);
    try {
      return { file, identity: identityOf(await handle.stat()) };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return null;
    throw error;
  }
}

/** Writes the note; returns false if its name is taken, because no file is overwritten. */
async function writeNote(file: string, note: string): Promise<boolean> {
  try {
    await createFile(file, note);
    return true;
  } catch (error) {
    if (isCode(error, 'conflict')) return false;
    throw error;
  }
}

/** Creates the folder if it is missing; rejects a link of that name, which would lead elsewhere. */
async function openTarget(folder: string, to: string): Promise<string> {
  const target = path.join(folder, to);
  try {
    await mkdir(target);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
  if ((await lstat(target)).isDirectory()) return target;
  throw new AppError(
    'storage',
    `${to} in the watched folder is a link or a file, not a folder. Rename or remove it`,
    { reason: 'folder-outside' },
  );
}

/** Yields the name in a form valid on every system, and then numbered variants. */
function* namesFor(name: string): Generator<string> {
  const { stem, ending } = partsOf(name);
  yield stem + ending;
  yield* numberedNames(name);
}

function* ownNameFirst(name: string): Generator<string> {
  yield name;
  yield* numberedNames(name);
}

function* numberedNames(name: string): Generator<string> {
  const { stem, ending } = partsOf(name);
  for (let copy = 2; copy <= MAX_NUMBERS; copy += 1) yield `${stem} (${copy})${ending}`;
  for (;;) yield `${stem} (${randomBytes(6).toString('hex')})${ending}`;
}

function partsOf(name: string): { readonly stem: string; readonly ending: string } {
  const ending = /\.[a-z0-9]{1,16}$/i.exec(name)?.[0] ?? '';
  return { stem: safeStem(name.slice(0, name.length - ending.length)) || 'file', ending };
}

function folderError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const code = systemCode(error);
  if (!FOLDER_AWAY_CODES.has(code)) return storageError(error, 'Reading the watched folder');
  return new AppError('storage', `The watched folder was not found (${code ?? ''})`, {
    cause: error,
    reason: 'folder-missing',
  });
}
