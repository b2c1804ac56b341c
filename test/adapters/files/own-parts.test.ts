import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createFiles } from '../../../electron/adapters/files/files.ts';
import { createPartThreads } from '../../../electron/adapters/files/part-threads.ts';
import type { Parts } from '../../../electron/adapters/files/part.ts';
import { mainThreadParts } from '../../../electron/adapters/files/save.ts';
import type { Download } from '../../../electron/core/ports.ts';
import { mountSmallDisk, whyNoMount } from '../../support/small-disk.ts';

const never = new AbortController().signal;
/** Wait in milliseconds: file system clocks advance only every few milliseconds. */
const A_MOMENT = 30;
const noMount = whyNoMount();

interface Place {
  readonly where: string;
  readonly parts: () => Parts;
}

const places: readonly Place[] = [
  { where: 'on the main loop', parts: () => mainThreadParts },
  {
    where: 'in a thread',
    parts: () => {
      const threads = createPartThreads();
      onTestFinished(() => threads.close());
      return threads;
    },
  },
];

function newFile(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'desk-own-parts-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return path.join(folder, 'lease.pdf');
}

const names = (file: string): readonly string[] => readdirSync(path.dirname(file)).toSorted();

const download = (chunks: Download['chunks']): Download => ({ bytes: null, chunks });

async function* whole() {
  yield Buffer.from('ours');
}

/** Replaces the partial file, as another process does when it opens its own under that name. */
async function takeOver(file: string): Promise<void> {
  await wait(A_MOMENT);
  rmSync(`${file}.part`);
  writeFileSync(`${file}.part`, 'half of anoth');
}

const receive = (files: ReturnType<typeof createFiles>, file: string, chunks = whole()) =>
  files.receivePart(file, download(chunks), () => undefined, never, {});

it.each(places)(
  'a partial file that another process replaced does not get the final name: $where (DL-W5)',
  async ({ parts }) => {
    const [file, files] = [newFile(), createFiles(parts())];
    await receive(files, file);
    await takeOver(file);
    const [named] = await files.nameParts([file]);
    expect(named?.failure?.code).toBe('conflict');
    expect(names(file)).toEqual(['lease.pdf.part']);
    expect(readFileSync(`${file}.part`, 'utf8')).toBe('half of anoth');
  },
);

it.each(places)(
  'a writer whose file name is taken leaves the partial file of another process: $where (DL-W6)',
  async ({ parts }) => {
    const [file, files] = [newFile(), createFiles(parts())];
    await receive(files, file);
    await takeOver(file);
    writeFileSync(file, 'theirs');
    const [named] = await files.nameParts([file]);
    expect(named?.failure?.code).toBe('conflict');
    expect(names(file)).toEqual(['lease.pdf', 'lease.pdf.part']);
  },
);

it.each(places)(
  'a partial file removed by another process is not reported as a missing folder: $where (DL-W7)',
  async ({ parts }) => {
    const [file, files] = [newFile(), createFiles(parts())];
    async function* taken() {
      // This chunk is longer than the buffer, so it is written immediately.
      yield Buffer.alloc(600_000);
      await wait(A_MOMENT);
      rmSync(`${file}.part`);
      yield Buffer.alloc(1);
    }
    await expect(receive(files, file, taken())).rejects.toMatchObject({
      failure: { code: 'conflict' },
    });
    await receive(files, file);
    rmSync(`${file}.part`);
    const [named] = await files.nameParts([file]);
    expect(named?.failure?.code).toBe('conflict');
  },
);

it.each(places)(
  'a partial file that another process replaced is not deleted: $where (DL-W8)',
  async ({ parts }) => {
    const [file, files] = [newFile(), createFiles(parts())];
    await receive(files, file);
    await takeOver(file);
    await files.dropPart(file);
    expect(readFileSync(`${file}.part`, 'utf8')).toBe('half of anoth');
    await receive(files, file);
    await files.dropPart(file);
    expect(names(file)).toEqual([]);
  },
);

it('a download that fails before its first write leaves an existing partial file unchanged (DL-W9)', async () => {
  const [file, threads] = [newFile(), createPartThreads()];
  onTestFinished(() => threads.close());
  writeFileSync(`${file}.part`, 'of another process');
  async function* cut() {
    yield Buffer.from('little');
    throw new Error('The line is down');
  }
  await expect(receive(createFiles(threads), file, cut())).rejects.toThrow('The line is down');
  expect(readFileSync(`${file}.part`, 'utf8')).toBe('of another process');
});

it('a partial file whose thread has ended is not deleted by its name (DL-W10)', async () => {
  const [file, threads] = [newFile(), createPartThreads()];
  const part = await threads.open(`${file}.part`);
  await part.write(Buffer.allocUnsafeSlow(16), 16);
  await threads.close();
  await takeOver(file);
  await part.drop();
  expect(readFileSync(`${file}.part`, 'utf8')).toBe('half of anoth');
});

it('a partial file that cannot be sent to a thread fails alone, and ends no process (DL-W11)', async () => {
  const [file, threads] = [newFile(), createPartThreads()];
  const part = await threads.open(`${file}.part`);
  const shared = Buffer.from('from a pool, which no thread takes');
  await expect(part.write(shared, 4)).rejects.toThrow();
  // If the failed write left a pending rejection, it would be unhandled here.
  await part.write(Buffer.allocUnsafeSlow(16), 16);
  await threads.close();
  await wait(A_MOMENT);
  expect(existsSync(`${file}.part`)).toBe(true);
});

it.skipIf(noMount !== '')(
  'a partial file on a disconnected drive is reported as a missing folder (DL-W12)',
  async () => {
    const file = newFile();
    using disk = mountSmallDisk(path.dirname(file), 'size=4m');
    async function* pulled() {
      yield Buffer.alloc(600_000);
      await wait(A_MOMENT);
      disk.pull();
      yield Buffer.alloc(1);
    }
    await expect(receive(createFiles(), file, pulled())).rejects.toMatchObject({
      failure: { code: 'storage', reason: 'folder-missing' },
    });
  },
);
