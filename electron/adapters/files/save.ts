import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { SavedFile } from '../../../shared/contract/agreements.ts';
import { AppError } from '../../../shared/errors.ts';
import type { AcceptBytes, Download, ReceivingSteps, WrittenFile } from '../../core/ports.ts';
import { retryingDisk } from './disk.ts';
import { publishDraft, systemCode } from './durable.ts';
import { createEnds } from './head-and-tail.ts';
import type { InspectedEnds } from './inspect.ts';
import {
  createParts,
  type FlushedPart,
  withStorageErrorsOf,
  type Part,
  type Parts,
  removePart,
} from './part.ts';
import { retryWhileLocked } from './retry-while-locked.ts';

/**
 * Maximum bytes of a download, far above any agreement; a larger download is treated as endless.
 */
const MAX_BYTES = 2 * 1024 ** 3;
/** Size of a write (bytes): few large writes cost less than many small ones. */
const WRITE_BYTES = 256 * 1024;
/** Maximum number of idle buffers kept for reuse; concurrent downloads may allocate more. */
const MAX_IDLE_BUFFERS = 32;

/** Parts that are written on the calling loop, without a thread. */
export const mainThreadParts = createParts(retryingDisk);

/** See `Files.saveNew`. */
export async function saveNewFile(
  file: string,
  download: Download,
  accept: AcceptBytes,
  signal: AbortSignal,
): Promise<SavedFile> {
  await rejectTaken(file, `Saving ${path.basename(file)}`);
  const { bytes, sha256, own } = await receivePart(
    mainThreadParts,
    file,
    download,
    accept,
    signal,
    {},
  );
  const [named] = await mainThreadParts.name([{ file, own }]);
  if (named !== undefined && named.failure !== null) {
    await removePart(retryingDisk, { file, own });
    throw AppError.from(named.failure);
  }
  return { file, bytes, sha256 };
}

/**
 * See `Files.receivePart`. The returned `own` distinguishes this part from a part of another
 * process.
 */
export async function receivePart(
  parts: Parts,
  file: string,
  download: Download,
  accept: AcceptBytes,
  signal: AbortSignal,
  { isPdf = false, onBytes }: ReceivingSteps,
): Promise<WrittenFile & Pick<FlushedPart, 'own'>> {
  const part = await parts.open(`${file}.part`);
  try {
    const ends = await writeDownload(download, part, signal, onBytes);
    accept(ends.head, ends.tail, ends.bytes);
    return { bytes: ends.bytes, ...(await part.finish(isPdf ? ends : null)) };
  } catch (error) {
    await part.drop();
    throw error;
  }
}

/** See `Files.continuePart`. */
export async function continuePart(file: string, sha256: string): Promise<boolean> {
  const part = `${file}.part`;
  if ((await hashFile(part)) !== sha256) return false;
  await withStorageErrorsOf(`Saving ${path.basename(file)}`, () =>
    retryWhileLocked(() => publishDraft(part, file)),
  );
  return true;
}

/** Returns the SHA-256 of a file in hex, or null if the file does not exist. */
export async function hashFile(file: string): Promise<string | null> {
  return withStorageErrorsOf(`Reading ${path.basename(file)}`, async () => {
    const found = await lstatOrNull(file);
    if (found === null || !found.isFile()) return null;
    const digest = createHash('sha256');
    await pipeline(createReadStream(file, { highWaterMark: WRITE_BYTES }), digest);
    return digest.digest('hex');
  });
}

/**
 * Throws if the file exists, before anything is downloaded; after the download, `publishDraft` checks
 * again atomically.
 */
async function rejectTaken(file: string, doing: string): Promise<void> {
  const found = await withStorageErrorsOf(doing, () => lstatOrNull(file));
  if (found !== null) {
    throw new AppError(
      'conflict',
      `${path.basename(file)} already exists and was not overwritten`,
      { reason: 'file-exists' },
    );
  }
}

/** Writes the whole download into the part; returns its head and tail. */
async function writeDownload(
  download: Download,
  part: Part,
  signal: AbortSignal,
  onBytes: ((bytes: number) => void) | undefined,
): Promise<InspectedEnds> {
  const ends = createEnds();
  const writer = new DownloadWriter(part);
  try {
    for await (const chunk of download.chunks) {
      if (signal.aborted) throw new AppError('cancelled', 'The download was stopped');
      ends.take(chunk);
      await writer.take(chunk);
      onBytes?.(chunk.length);
      if (ends.bytes() > MAX_BYTES) {
        throw new AppError('service', 'The file is too large, so the download was stopped', {
          reason: 'too-large',
        });
      }
    }
    writer.flush();
  } finally {
    await writer.ended();
  }
  const bytes = ends.bytes();
  if (download.bytes !== null && download.bytes !== bytes) {
    throw new AppError(
      'service',
      `The download is incomplete: ${bytes} of ${download.bytes} bytes were received`,
      { reason: 'cut-answer' },
    );
  }
  return { head: ends.head(), tail: ends.tail(), bytes };
}

const idleBuffers: Buffer<ArrayBuffer>[] = [];

/** Collects chunks into large writes; one buffer is filled while another is being written. */
class DownloadWriter {
  readonly #part: Part;
  #buffer: Buffer<ArrayBuffer> | null = null;
  #filled = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(part: Part) {
    this.#part = part;
  }

  async take(chunk: Uint8Array): Promise<void> {
    for (let at = 0; at < chunk.length;) {
      this.#buffer ??= idleBuffers.pop() ?? Buffer.allocUnsafeSlow(WRITE_BYTES);
      const some = chunk.subarray(at, at + WRITE_BYTES - this.#filled);
      this.#buffer.set(some, this.#filled);
      this.#filled += some.length;
      at += some.length;
      if (this.#filled < WRITE_BYTES) return;
      await this.#writing;
      this.flush();
    }
  }

  flush(): void {
    const buffer = this.#buffer;
    if (buffer === null) return;
    const written = this.#part.write(buffer, this.#filled).then(keepIdleBuffer);
    this.#writing = Promise.all([this.#writing, written]).then(() => {});
    // The next caller that awaits the writes receives the error, so it must not count as unhandled.
    this.#writing.catch(() => {});
    this.#buffer = null;
    this.#filled = 0;
  }

  /** Waits for all writes; throws the error of a failed one. */
  ended(): Promise<void> {
    return this.#writing;
  }
}

function keepIdleBuffer(buffer: Buffer<ArrayBuffer>): void {
  if (idleBuffers.length < MAX_IDLE_BUFFERS) idleBuffers.push(buffer);
}

export async function lstatOrNull(file: string) {
  try {
    return await lstat(file);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}
