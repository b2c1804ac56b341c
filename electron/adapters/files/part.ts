import { createHash, type Hash } from 'node:crypto';
import path from 'node:path';
import { AppError, type Failure } from '../../../shared/errors.ts';
import { sealWord } from '../../../shared/rules/files/pdf-seal.ts';
import type { NamedFile } from '../../core/ports.ts';
import type { DiskAccess, Identity, OpenFile } from './disk.ts';
import {
  renameWithoutReplacing,
  PRIVATE_FILE_MODE,
  storageError,
  syncFolder,
  systemCode,
} from './durable.ts';
import { createSealScan, inspectPdf, type InspectedEnds } from './inspect.ts';
import { retryWhileLocked } from './retry-while-locked.ts';

export interface FlushedPart {
  readonly sha256: string;
  readonly seal: string | null;
  readonly own: Identity;
}

/** A finished part still to be renamed to `file`. */
export interface NamelessPart {
  readonly file: string;
  /** Identity of the part when it was finished; null if this process did not write it. */
  readonly own: Identity | null;
}

/** A `.part` file being written, on the main loop or in a thread. */
export interface Part {
  /** Appends the first `length` bytes; returns this buffer, or another of its size, for reuse. */
  write(buffer: Buffer<ArrayBuffer>, length: number): Promise<Buffer<ArrayBuffer>>;
  /**
   * Flushes and closes the file. If the ends of a PDF are given, checks its structure first and
   * looks for its seal.
   */
  finish(pdf: InspectedEnds | null): Promise<FlushedPart>;
  /** Closes and removes the file, even after a failure. */
  drop(): Promise<void>;
}

export interface Parts {
  /**
   * Opens a new part. Replaces a `.part` left by a killed run; never follows a link of that name.
   */
  open(part: string): Promise<Part>;
  /** See `Files.nameParts`. */
  name(parts: readonly NamelessPart[]): Promise<readonly NamedFile[]>;
}

export function createParts(disk: DiskAccess): Parts {
  return {
    open: async (part) => new OpenPart(disk, part, await openPart(disk, part)),
    name: (parts) => nameParts(disk, parts),
  };
}

/** Name of an operation on this part in error messages. */
const savingMessageOf = (part: string): string => `Saving ${path.basename(part, '.part')}`;

function openPart(disk: DiskAccess, part: string): Promise<OpenFile> {
  return withStorageErrorsOf(savingMessageOf(part), async () => {
    try {
      return await disk.open(part, 'wx+', PRIVATE_FILE_MODE);
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
      await disk.remove(part);
      return disk.open(part, 'wx+', PRIVATE_FILE_MODE);
    }
  });
}

class OpenPart implements Part {
  readonly #disk: DiskAccess;
  readonly #part: string;
  readonly #file: OpenFile;
  readonly #digest: Hash = createHash('sha256');
  readonly #scan = createSealScan();

  constructor(disk: DiskAccess, part: string, file: OpenFile) {
    this.#disk = disk;
    this.#part = part;
    this.#file = file;
  }

  async write(buffer: Buffer<ArrayBuffer>, length: number): Promise<Buffer<ArrayBuffer>> {
    const data = buffer.subarray(0, length);
    this.#digest.update(data);
    this.#scan.take(data);
    await withStorageErrorsOf('Writing', () => this.#file.writeFile(data));
    return buffer;
  }

  async finish(pdf: InspectedEnds | null): Promise<FlushedPart> {
    const seal = pdf === null ? null : await this.#sealOf(pdf);
    const own = await withStorageErrorsOf(savingMessageOf(this.#part), async () => {
      await this.#file.sync();
      const written = await this.#file.stat();
      await rejectForeign(this.#disk, this.#part, written);
      return written;
    });
    // Windows cannot rename an open file.
    await this.#file.close();
    return { sha256: this.#digest.digest('hex'), seal, own: identityOf(own) };
  }

  async drop(): Promise<void> {
    const own = await this.#file.stat().catch(() => null);
    const isOwn = own !== null && (await isPartThere(this.#disk, this.#part, own));
    await this.#file.close();
    // Another process may be saving a file under this name now.
    if (isOwn) await this.#disk.remove(this.#part);
  }

  #sealOf(pdf: InspectedEnds): Promise<string> {
    return withStorageErrorsOf('Checking', async () =>
      sealWord(await inspectPdf(this.#file, pdf, this.#scan)),
    );
  }
}

const identityOf = ({ ino, dev, birthtimeMs, size, mtimeMs }: Identity): Identity => ({
  ino,
  dev,
  birthtimeMs,
  size,
  mtimeMs,
});

/**
 * Whether two identities belong to the same file. Inode numbers are reused after a file is removed,
 * so the creation time is compared too. Some drives renumber their files at any time; on such a
 * drive, the last write and the size decide.
 */
function isSame(one: Identity, other: Identity): boolean {
  const isNumbered =
    one.ino === other.ino && one.dev === other.dev && one.birthtimeMs === other.birthtimeMs;
  return isNumbered || (one.size === other.size && one.mtimeMs === other.mtimeMs);
}

/** Whether the path still has the part of this process, not that of another process. */
async function isPartThere(disk: DiskAccess, part: string, own: Identity): Promise<boolean> {
  try {
    return isSame(own, await disk.lstat(part));
  } catch {
    return false;
  }
}

/**
 * Ensures that the renamed part is the one this process wrote: another process may have replaced
 * the `.part` with its own. Throws 'conflict', or 'storage' if the drive is gone, since the folder
 * under a mount point is on another device.
 */
async function rejectForeign(disk: DiskAccess, part: string, own: Identity): Promise<void> {
  if (await isPartThere(disk, part, own)) return;
  // The trailing `/.` follows a link: the path of the folder may itself be a link.
  const { dev } = await disk.lstat(`${path.dirname(part)}${path.sep}.`);
  if (dev !== own.dev) {
    throw new AppError(
      'storage',
      `${savingMessageOf(part)} failed: its drive is no longer connected`,
      {
        reason: 'folder-missing',
      },
    );
  }
  throw new AppError(
    'conflict',
    `Another window or program is writing ${path.basename(part)}. Try again when it is done`,
  );
}

/** Removes a part unless another process replaced it. */
export async function removePart(disk: DiskAccess, { file, own }: NamelessPart): Promise<void> {
  const part = `${file}.part`;
  if (own === null || (await isPartThere(disk, part, own))) await disk.remove(part);
}

/** Renames all parts, then flushes each folder once; no part counts as named before its flush. */
async function nameParts(
  disk: DiskAccess,
  parts: readonly NamelessPart[],
): Promise<readonly NamedFile[]> {
  const refused = await Promise.all(parts.map((part) => namePart(disk, part)));
  const named = parts.filter((_, at) => refused[at] === null);
  const flushed = new Map<string, Failure | null>();
  for (const folder of new Set(named.map(({ file }) => path.dirname(file)))) {
    flushed.set(folder, await captureFailure('Saving', () => syncFolder(folder, disk)));
  }
  return Promise.all(
    parts.map(async ({ file }, at): Promise<NamedFile> => {
      const failure = refused[at] ?? flushed.get(path.dirname(file)) ?? null;
      if (failure !== null) return { failure };
      return { failure, changedAt: await changeOf(disk, file) };
    }),
  );
}

async function namePart(disk: DiskAccess, nameless: NamelessPart): Promise<Failure | null> {
  const { file, own } = nameless;
  const part = `${file}.part`;
  const failure = await captureFailure(savingMessageOf(part), async () => {
    if (own !== null) await rejectForeign(disk, part, own);
    await retryWhileLocked(() => renameWithoutReplacing(part, file, disk));
  });
  // The name is taken: the existing file keeps it, and the part is removed.
  if (failure?.code === 'conflict') await removePart(disk, nameless);
  return failure;
}

/**
 * Returns the time of the last change (ctime, ms); null if another program has removed the file.
 */
async function changeOf(disk: DiskAccess, file: string): Promise<number | null> {
  try {
    return (await disk.lstat(file)).ctimeMs;
  } catch {
    return null;
  }
}

async function captureFailure(doing: string, run: () => Promise<void>): Promise<Failure | null> {
  try {
    await run();
    return null;
  } catch (error) {
    return storageError(error, doing).failure;
  }
}

export async function withStorageErrorsOf<T>(doing: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw storageError(error, doing);
  }
}
