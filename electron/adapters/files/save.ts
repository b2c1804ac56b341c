import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, lstat, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { SavedFile } from '../../../shared/contract/agreements.ts';
import { AppError } from '../../../shared/errors.ts';
import { sealWord } from '../../../shared/rules/files/pdf-seal.ts';
import type { AcceptBytes, Download, SavingSteps } from '../../core/ports.ts';
import { PRIVATE_FILE, publish, storageError, systemCode } from './durable.ts';
import { createEnds } from './head-and-tail.ts';
import { createSealScan, inspectPdf } from './inspect.ts';
import { whileHeld } from './retry-while-locked.ts';

/** Far above any agreement; what goes on beyond it has no end. */
const MOST_BYTES = 2 * 1024 ** 3;
/** Few large writes cost less than many small ones. */
const WRITE_BYTES = 256 * 1024;

/** See `Files.saveNew`. */
export async function saveNew(
  file: string,
  download: Download,
  accept: AcceptBytes,
  signal: AbortSignal,
  steps?: SavingSteps,
): Promise<SavedFile> {
  const part = `${file}.part`;
  const doing = `Saving ${path.basename(file)}`;
  if (steps?.isFree !== true) await refuseTaken(file, doing);
  const handle = await openPart(part, doing);
  let isWhole = false;
  try {
    const written = await receive(handle, download, accept, signal, steps);
    await inFile(doing, async () => {
      await handle.sync();
      await refuseForeign(handle, part);
    });
    // Windows gives no new name to a file that is open.
    await handle.close();
    const twin = steps?.twin ?? null;
    if (twin !== null && (await hash(twin)) === written.sha256) {
      await rm(part, { force: true });
      return { file: twin, bytes: written.bytes, sha256: written.sha256 };
    }
    if (steps?.stale) await rm(steps.stale, { force: true });
    steps?.onWhole?.(written);
    isWhole = steps?.onWhole !== undefined;
    await inFile(doing, () => whileHeld(() => publish(part, file)));
    return { file, bytes: written.bytes, sha256: written.sha256 };
  } catch (error) {
    await handle.close();
    // A whole part that was noted is worth keeping: the next run gives it its name.
    if (!isWhole || isConflict(error)) await rm(part, { force: true });
    throw error;
  }
}

/** See `Files.continuePart`. */
export async function continuePart(file: string, sha256: string): Promise<boolean> {
  const part = `${file}.part`;
  if ((await hash(part)) !== sha256) return false;
  await inFile(`Saving ${path.basename(file)}`, () => whileHeld(() => publish(part, file)));
  return true;
}

/** SHA-256 in hex, or null when there is no such file. */
export async function hash(file: string): Promise<string | null> {
  return inFile(`Reading ${path.basename(file)}`, async () => {
    const found = await lstatOrNull(file);
    if (found === null || !found.isFile()) return null;
    const digest = createHash('sha256');
    await pipeline(createReadStream(file, { highWaterMark: WRITE_BYTES }), digest);
    return digest.digest('hex');
  });
}

const isConflict = (error: unknown): boolean =>
  error instanceof AppError && error.failure.code === 'conflict';

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
    try {
      return await open(part, 'wx+', PRIVATE_FILE);
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
      await rm(part, { force: true });
      return open(part, 'wx+', PRIVATE_FILE);
    }
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
  steps: SavingSteps | undefined,
): Promise<Parameters<NonNullable<SavingSteps['onWhole']>>[0]> {
  const digest = createHash('sha256');
  const ends = createEnds();
  const scan = createSealScan();
  const writer = createWriter(handle);
  for await (const chunk of download.chunks) {
    if (signal.aborted) throw new AppError('cancelled', 'The download was stopped');
    await writer.write(chunk);
    digest.update(chunk);
    ends.take(chunk);
    if (steps?.isPdf === true) scan.take(chunk);
    steps?.onBytes?.(chunk.length);
    if (ends.bytes() > MOST_BYTES) {
      throw new AppError('service', 'The file has no end', { reason: 'too-large' });
    }
  }
  await writer.end();
  const bytes = ends.bytes();
  if (download.bytes !== null && download.bytes !== bytes) {
    throw new AppError('service', `${bytes} bytes came, ${download.bytes} were announced`, {
      reason: 'cut-answer',
    });
  }
  accept(ends.head(), ends.tail(), bytes);
  const sha256 = digest.digest('hex');
  if (steps?.isPdf !== true) return { bytes, sha256, seal: null };
  const seen = { head: ends.head(), tail: ends.tail(), bytes };
  const seal = await inFile('Checking', () => inspectPdf(handle, seen, scan));
  return { bytes, sha256, seal: sealWord(seal) };
}

/** Gathers chunks into large writes. */
function createWriter(handle: FileHandle) {
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  const end = async (): Promise<void> => {
    if (waiting.length === 0) return;
    const now = waiting;
    waiting = [];
    bytes = 0;
    await inFile('Writing', () =>
      handle.writeFile(now.length === 1 ? (now[0] ?? '') : Buffer.concat(now)),
    );
  };
  return {
    end,
    async write(chunk: Uint8Array): Promise<void> {
      waiting.push(chunk);
      bytes += chunk.length;
      if (bytes >= WRITE_BYTES) await end();
    },
  };
}

export async function lstatOrNull(file: string) {
  try {
    return await lstat(file);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

export async function inFile<T>(doing: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw storageError(error, doing);
  }
}
