import { createHash, type Hash } from 'node:crypto';
import path from 'node:path';
import { AppError, type Failure } from '../../../shared/errors.ts';
import { sealWord } from '../../../shared/rules/files/pdf-seal.ts';
import type { NamedFile } from '../../core/ports.ts';
import type { Disk, OpenFile } from './disk.ts';
import { giveName, PRIVATE_FILE, storageError, syncFolder, systemCode } from './durable.ts';
import { createSealScan, inspectPdf, type SeenEnds } from './inspect.ts';
import { whileHeld } from './retry-while-locked.ts';

/** What a part turned out to be once all of it was written. */
interface FlushedPart {
  readonly sha256: string;
  readonly seal: string | null;
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
  name(files: readonly string[]): Promise<readonly NamedFile[]>;
}

export function createParts(disk: Disk): Parts {
  return {
    open: async (part) => new OpenPart(disk, part, await openPart(disk, part)),
    name: (files) => nameParts(disk, files),
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

/** What tells a file from another one that has its name. */
interface Identity {
  readonly ino: number;
  readonly dev: number;
}

class OpenPart implements Part {
  readonly #disk: Disk;
  readonly #part: string;
  readonly #file: OpenFile;
  readonly #digest: Hash = createHash('sha256');
  readonly #scan = createSealScan();
  /** Known before it is closed, and needed after. */
  #own: Identity | null = null;

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
    await inFile(saving(this.#part), async () => {
      await this.#file.sync();
      await this.#refuseForeign();
    });
    // Windows gives no new name to a file that is open.
    await this.#file.close();
    return { sha256: this.#digest.digest('hex'), seal };
  }

  async drop(): Promise<void> {
    const isOwn = await this.#isOwn().catch(() => false);
    await this.#file.close();
    // By this name another process may be saving the same file now.
    if (isOwn) await this.#disk.remove(this.#part);
  }

  #sealOf(pdf: SeenEnds): Promise<string> {
    return inFile('Checking', async () => sealWord(await inspectPdf(this.#file, pdf, this.#scan)));
  }

  /** Another process may have made room for its own `.part`: what we name must be what we wrote. */
  async #refuseForeign(): Promise<void> {
    if (await this.#isOwn()) return;
    const name = path.basename(this.#part);
    throw new AppError('conflict', `Another process is writing ${name}`);
  }

  async #isOwn(): Promise<boolean> {
    this.#own ??= await this.#file.stat();
    const there = await this.#disk.lstat(this.#part);
    return this.#own.ino === there.ino && this.#own.dev === there.dev;
  }
}

/** Names first, then each folder is flushed once: none counts as named before that. */
async function nameParts(disk: Disk, files: readonly string[]): Promise<readonly NamedFile[]> {
  const refused = await Promise.all(files.map((file) => nameOne(disk, file)));
  const named = files.filter((_, at) => refused[at] === null);
  const flushed = new Map<string, Failure | null>();
  for (const folder of new Set(named.map((file) => path.dirname(file)))) {
    flushed.set(folder, await failureOf('Saving', () => syncFolder(folder, disk)));
  }
  return Promise.all(
    files.map(async (file, at): Promise<NamedFile> => {
      const failure = refused[at] ?? flushed.get(path.dirname(file)) ?? null;
      if (failure !== null) return { failure };
      return { failure, changedAt: await changeOf(disk, file) };
    }),
  );
}

async function nameOne(disk: Disk, file: string): Promise<Failure | null> {
  const part = `${file}.part`;
  const failure = await failureOf(saving(part), () => whileHeld(() => giveName(part, file, disk)));
  // Whoever has the name keeps it.
  if (failure?.code === 'conflict') await disk.remove(part);
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
