import { createHash, type Hash } from 'node:crypto';
import path from 'node:path';
import { AppError, type Failure } from '../../../shared/errors.ts';
import { sealWord } from '../../../shared/rules/files/pdf-seal.ts';
import type { NamedFile } from '../../core/ports.ts';
import type { Disk, Identity, OpenFile } from './disk.ts';
import { giveName, PRIVATE_FILE, storageError, syncFolder, systemCode } from './durable.ts';
import { createSealScan, inspectPdf, type SeenEnds } from './inspect.ts';
import { whileHeld } from './retry-while-locked.ts';

/** What a part turned out to be once all of it was written. */
export interface FlushedPart {
  readonly sha256: string;
  readonly seal: string | null;
  readonly own: Identity;
}

/** A part that waits for its name, which is that of `file`. */
export interface NamelessPart {
  readonly file: string;
  /** As it was finished; null where nobody here knows. */
  readonly own: Identity | null;
}

/** A `.part` that is being written: on the main loop, or in a thread. */
export interface Part {
  /** Writes what comes next; gives the buffer back, or another of its size, to be filled again. */
  write(buffer: Buffer<ArrayBuffer>, length: number): Promise<Buffer<ArrayBuffer>>;
  /**
   * Flushes and closes it. With the ends of a PDF its structure is checked before, and its seal
   * looked for.
   */
  finish(pdf: SeenEnds | null): Promise<FlushedPart>;
  /** Closes and removes it, whatever was done with it. */
  drop(): Promise<void>;
}

/** Where parts are written and get their names. */
export interface Parts {
  /** A `.part` that a killed run left makes room; a link in its place is never followed. */
  open(part: string): Promise<Part>;
  /** See `Files.nameParts`. */
  name(parts: readonly NamelessPart[]): Promise<readonly NamedFile[]>;
}

export function createParts(disk: Disk): Parts {
  return {
    open: async (part) => new OpenPart(disk, part, await openPart(disk, part)),
    name: (parts) => nameParts(disk, parts),
  };
}

/** What an operation on the file with this part is called when it fails. */
const saving = (part: string): string => `Saving ${path.basename(part, '.part')}`;

function openPart(disk: Disk, part: string): Promise<OpenFile> {
  return inFile(saving(part), async () => {
    try {
      return await disk.open(part, 'wx+', PRIVATE_FILE);
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
      await disk.remove(part);
      return disk.open(part, 'wx+', PRIVATE_FILE);
    }
  });
}

class OpenPart implements Part {
  readonly #disk: Disk;
  readonly #part: string;
  readonly #file: OpenFile;
  readonly #digest: Hash = createHash('sha256');
  readonly #scan = createSealScan();

  constructor(disk: Disk, part: string, file: OpenFile) {
    this.#disk = disk;
    this.#part = part;
    this.#file = file;
  }

  async write(buffer: Buffer<ArrayBuffer>, length: number): Promise<Buffer<ArrayBuffer>> {
    const data = buffer.subarray(0, length);
    this.#digest.update(data);
    this.#scan.take(data);
    await inFile('Writing', () => this.#file.writeFile(data));
    return buffer;
  }

  async finish(pdf: SeenEnds | null): Promise<FlushedPart> {
    const seal = pdf === null ? null : await this.#sealOf(pdf);
    const own = await inFile(saving(this.#part), async () => {
      await this.#file.sync();
      const written = await this.#file.stat();
      await rejectForeign(this.#disk, this.#part, written);
      return written;
    });
    // Windows gives no new name to a file that is open.
    await this.#file.close();
    return { sha256: this.#digest.digest('hex'), seal, own: identityOf(own) };
  }

  async drop(): Promise<void> {
    const own = await this.#file.stat().catch(() => null);
    const isOwn = own !== null && (await isThere(this.#disk, this.#part, own));
    await this.#file.close();
    // By this name another process may be saving the same file now.
    if (isOwn) await this.#disk.remove(this.#part);
  }

  #sealOf(pdf: SeenEnds): Promise<string> {
    return inFile('Checking', async () => sealWord(await inspectPdf(this.#file, pdf, this.#scan)));
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
 * A number is given again once its file is closed and gone, so that the time of making counts, too. Some drives number
 * their files anew whenever they like: there, the last write and the size tell.
 */
function isSame(one: Identity, other: Identity): boolean {
  const isNumbered =
    one.ino === other.ino && one.dev === other.dev && one.birthtimeMs === other.birthtimeMs;
  return isNumbered || (one.size === other.size && one.mtimeMs === other.mtimeMs);
}

/** Whether what lies there is this file, and not another process's. */
async function isThere(disk: Disk, part: string, own: Identity): Promise<boolean> {
  try {
    return isSame(own, await disk.lstat(part));
  } catch {
    return false;
  }
}

/**
 * Another process may have made room for its own `.part`, and given that its name since: what we name must be what we
 * wrote. Throws 'conflict', and 'storage' where the folder is gone with it: what lies under a drive is of another one.
 */
async function rejectForeign(disk: Disk, part: string, own: Identity): Promise<void> {
  if (await isThere(disk, part, own)) return;
  // Not the folder's own path: that may be a link.
  const { dev } = await disk.lstat(`${path.dirname(part)}${path.sep}.`);
  if (dev !== own.dev) {
    throw new AppError('storage', `${saving(part)} failed: its drive is no longer connected`, {
      reason: 'folder-missing',
    });
  }
  throw new AppError(
    'conflict',
    `Another process is writing ${path.basename(part)}. Try again when it is done`,
  );
}

/** Removes a part unless another process has put its own in its place. */
export async function removePart(disk: Disk, { file, own }: NamelessPart): Promise<void> {
  const part = `${file}.part`;
  if (own === null || (await isThere(disk, part, own))) await disk.remove(part);
}

/** Names first, then each folder is flushed once: none counts as named before that. */
async function nameParts(
  disk: Disk,
  parts: readonly NamelessPart[],
): Promise<readonly NamedFile[]> {
  const refused = await Promise.all(parts.map((part) => nameOne(disk, part)));
  const named = parts.filter((_, at) => refused[at] === null);
  const flushed = new Map<string, Failure | null>();
  for (const folder of new Set(named.map(({ file }) => path.dirname(file)))) {
    flushed.set(folder, await failureOf('Saving', () => syncFolder(folder, disk)));
  }
  return Promise.all(
    parts.map(async ({ file }, at): Promise<NamedFile> => {
      const failure = refused[at] ?? flushed.get(path.dirname(file)) ?? null;
      if (failure !== null) return { failure };
      return { failure, changedAt: await changeOf(disk, file) };
    }),
  );
}

async function nameOne(disk: Disk, nameless: NamelessPart): Promise<Failure | null> {
  const { file, own } = nameless;
  const part = `${file}.part`;
  const failure = await failureOf(saving(part), async () => {
    if (own !== null) await rejectForeign(disk, part, own);
    await whileHeld(() => giveName(part, file, disk));
  });
  // Whoever has the name keeps it.
  if (failure?.code === 'conflict') await removePart(disk, nameless);
  return failure;
}

/** Null where another program has taken it away again. */
async function changeOf(disk: Disk, file: string): Promise<number | null> {
  try {
    return (await disk.lstat(file)).ctimeMs;
  } catch {
    return null;
  }
}

async function failureOf(doing: string, run: () => Promise<void>): Promise<Failure | null> {
  try {
    await run();
    return null;
  } catch (error) {
    return storageError(error, doing).failure;
  }
}

export async function inFile<T>(doing: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw storageError(error, doing);
  }
}
