import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { CoalescedTask } from '../../../shared/coalesced.ts';
import { AppError, type ErrorReason } from '../../../shared/errors.ts';
import { type DiskAccess, retryingDisk } from './disk.ts';

export const PRIVATE_FILE_MODE = 0o600;
export const PRIVATE_FOLDER_MODE = 0o700;

const REASON_BY_SYSTEM_CODE: Readonly<Record<string, ErrorReason>> = {
  ENOSPC: 'disk-full',
  EDQUOT: 'disk-full',
  EACCES: 'folder-read-only',
  EPERM: 'folder-read-only',
  EROFS: 'folder-read-only',
  ENOENT: 'folder-missing',
  ENOTDIR: 'folder-missing',
};

/** Error codes of file systems without hard links (FAT, exFAT, some network shares). */
const NO_HARD_LINK_CODES: ReadonlySet<string | undefined> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
]);

/** Returns the system's code of a failed call, such as `ENOENT`; undefined for any other error. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/**
 * Wraps a failed file operation in a 'storage' error with its reason; returns an `AppError` as is.
 */
export function storageError(error: unknown, doing: string): AppError {
  if (error instanceof AppError) return error;
  const code = systemCode(error);
  const reason = code === undefined ? undefined : REASON_BY_SYSTEM_CODE[code];
  return new AppError('storage', `${doing} failed: ${code ?? 'unknown reason'}`, {
    cause: error,
    ...(reason === undefined ? {} : { reason }),
  });
}

/** Replaces a file atomically: after a crash it has either the old or the new content. */
export async function replaceFile(file: string, data: string | Uint8Array): Promise<void> {
  await withDraft(file, data, async (draft) => {
    await rename(draft, file);
    await syncFolder(path.dirname(file), retryingDisk);
  });
}

/** Creates a file atomically; throws 'conflict' if it exists. */
export async function createFile(file: string, data: string | Uint8Array): Promise<void> {
  await withDraft(file, data, (draft) => publishDraft(draft, file));
}

/**
 * Renames a complete, flushed file to its final name and flushes the folder. Throws 'conflict' if
 * the name is taken, even by a dangling link.
 */
export async function publishDraft(draft: string, file: string): Promise<void> {
  await renameWithoutReplacing(draft, file, retryingDisk);
  await syncFolder(path.dirname(file), retryingDisk);
}

/** Renames a file like `publishDraft`, but does not flush the folder. */
export async function renameWithoutReplacing(
  draft: string,
  file: string,
  disk: DiskAccess,
): Promise<void> {
  try {
    await disk.link(draft, file);
    await disk.remove(draft);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') throw nameTakenError(file);
    if (!NO_HARD_LINK_CODES.has(systemCode(error))) throw error;
    if (await isThere(file, disk)) throw nameTakenError(file);
    await disk.rename(draft, file);
  }
}

function nameTakenError(file: string): AppError {
  return new AppError('conflict', `${path.basename(file)} already exists and was not overwritten`, {
    reason: 'file-exists',
  });
}

async function isThere(file: string, disk: DiskAccess): Promise<boolean> {
  try {
    await disk.lstat(file);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/**
 * Maximum attempts to write a draft: another computer may mistake it for a draft that a killed
 * process left, and remove it.
 */
const MAX_DRAFT_ATTEMPTS = 3;

async function withDraft(
  file: string,
  data: string | Uint8Array,
  place: (draft: string) => Promise<void>,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const draft = `${file}.${randomBytes(4).toString('hex')}.tmp`;
    let isWritten = false;
    try {
      await writeDraft(draft, data);
      isWritten = true;
      await place(draft);
      return;
    } catch (error) {
      await rm(draft, { force: true });
      if (isWritten && systemCode(error) === 'ENOENT' && attempt < MAX_DRAFT_ATTEMPTS) continue;
      throw storageError(error, `Writing ${path.basename(file)}`);
    }
  }
}

async function writeDraft(draft: string, data: string | Uint8Array): Promise<void> {
  const handle = await open(draft, 'wx', PRIVATE_FILE_MODE);
  try {
    await handle.writeFile(data);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Flush of each folder, while it runs or a caller waits for it. */
const folderFlushes = new Map<string, CoalescedTask>();

/** Flushes a folder; callers that arrive during a flush share the next one. */
export async function syncFolder(folder: string, disk: DiskAccess): Promise<void> {
  const flush = folderFlushes.get(folder) ?? new CoalescedTask(() => flushFolder(folder, disk));
  folderFlushes.set(folder, flush);
  try {
    await flush.run();
  } finally {
    if (flush.isIdle && folderFlushes.get(folder) === flush) folderFlushes.delete(folder);
  }
}

async function flushFolder(folder: string, disk: DiskAccess): Promise<void> {
  // Windows cannot open a folder to flush it, and writes folder entries through automatically.
  if (process.platform === 'win32') return;
  const handle = await disk.open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
