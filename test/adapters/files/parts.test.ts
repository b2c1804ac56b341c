import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { directDisk, retryingDisk } from '../../../electron/adapters/files/disk.ts';
import { createFiles } from '../../../electron/adapters/files/files.ts';
import { createParts, type Parts } from '../../../electron/adapters/files/part.ts';
import { createPartThreads } from '../../../electron/adapters/files/part-threads.ts';
import { assertWholePdf } from '../../../shared/rules/files/pdf-shape.ts';
import { downloadOf } from '../../support/fakes/fake-service.ts';
import { watchFlushes } from '../../support/flushes.ts';
import { pdfOf } from '../../support/small-pdf.ts';

/* Each archive download is received as a partial file. Partial files get their names in groups. */

const threads = createPartThreads();
const never = new AbortController().signal;
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

let folder: string;
const at = (...names: string[]) => path.join(folder, ...names);

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'desk-parts-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});
afterAll(() => threads.close());

const receive = (parts: Parts, name: string, text = pdfOf(name), signal = never) =>
  createFiles(parts).receivePart(at(name), downloadOf(text), assertWholePdf, signal, {
    isPdf: true,
  });

describe.each<[string, Parts]>([
  ['on the main loop', createParts(retryingDisk)],
  ['in threads', threads],
])('a partial file written %s', (_, parts) => {
  const files = createFiles(parts);

  it('has every byte, and its hash, before it gets its name', async () => {
    const long = `${pdfOf('a')}\n${'%'.repeat(1_000_000)}\n${pdfOf('a')}`;
    const written = await receive(parts, 'a.pdf', long);
    expect(written).toMatchObject({ bytes: long.length, sha256: hashOf(long), seal: 'none' });
    expect(readdirSync(folder)).toEqual(['a.pdf.part']);
    expect(await files.nameParts([at('a.pdf')])).toMatchObject([{ failure: null }]);
    expect(readdirSync(folder)).toEqual(['a.pdf']);
    expect(await files.hash(at('a.pdf'))).toBe(hashOf(long));
  });

  it('is removed if the content is not a PDF or is truncated, or if the download is stopped', async () => {
    await expect(receive(parts, 'a.pdf', '<html>')).rejects.toMatchObject({
      failure: { reason: 'not-a-pdf' },
    });
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(pdfOf('b'));
      throw await Promise.resolve(new Error('the line is dead'));
    }
    const download = { chunks: broken(), bytes: null };
    await expect(
      files.receivePart(at('b.pdf'), download, assertWholePdf, never, {}),
    ).rejects.toThrowError('the line is dead');
    await expect(receive(parts, 'c.pdf', pdfOf('c'), AbortSignal.abort())).rejects.toMatchObject({
      failure: { code: 'cancelled' },
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is written from its start when a download that broke in the middle is repeated', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      // This chunk is longer than the buffer, so it is written immediately.
      yield Buffer.from(`${pdfOf('a')}\n${'%'.repeat(1_000_000)}`);
      throw await Promise.resolve(new Error('the line is dead'));
    }
    const download = { chunks: broken(), bytes: null };
    await expect(
      files.receivePart(at('a.pdf'), download, assertWholePdf, never, {}),
    ).rejects.toThrowError('the line is dead');
    expect(await receive(parts, 'a.pdf')).toMatchObject({ sha256: hashOf(pdfOf('a.pdf')) });
    await files.nameParts([at('a.pdf')]);
    expect(readFileSync(at('a.pdf'), 'utf8')).toBe(pdfOf('a.pdf'));
  });

  it('is not deleted by an abandoned download if another process has replaced it', async () => {
    async function* overtaken(): AsyncGenerator<Uint8Array> {
      // This chunk is longer than the buffer, so it is written immediately.
      yield Buffer.from(`${pdfOf('a')}\n${'%'.repeat(8_000_000)}`);
      await expect.poll(() => existsSync(at('a.pdf.part')), { timeout: 10_000 }).toBe(true);
      rmSync(at('a.pdf.part'));
      writeFileSync(at('a.pdf.part'), 'of another desk');
      throw await Promise.resolve(new Error('the lease is lost'));
    }
    const download = { chunks: overtaken(), bytes: null };
    await expect(
      files.receivePart(at('a.pdf'), download, assertWholePdf, never, {}),
    ).rejects.toThrowError('the lease is lost');
    expect(readFileSync(at('a.pdf.part'), 'utf8')).toBe('of another desk');
  });

  it('replaces the partial file of a killed process, and never writes through a link', async () => {
    writeFileSync(at('a.pdf.part'), 'half of an older try');
    const { sha256 } = await receive(parts, 'a.pdf');
    await files.nameParts([at('a.pdf')]);
    expect(await files.hash(at('a.pdf'))).toBe(sha256);
  });

  it('gets its name only if the name is free, and has its own result in a group', async () => {
    mkdirSync(at('2026'));
    const names = ['a.pdf', 'b.pdf', path.join('2026', 'c.pdf'), 'd.pdf'];
    for (const name of names) await receive(parts, name, pdfOf('one'));
    writeFileSync(at('b.pdf'), 'mine');
    rmSync(at('d.pdf.part'));
    const named = await files.nameParts(names.map((name) => at(name)));
    expect(named.map(({ failure }) => failure?.code ?? null)).toEqual([
      null,
      'conflict',
      null,
      'storage',
    ]);
    const [first] = named;
    const seen = await files.statFile(at('a.pdf'));
    expect(first?.failure === null ? first.changedAt : null).toBe(seen?.changedAt);
    expect(await files.hash(at('b.pdf'))).toBe(hashOf('mine'));
    expect(readdirSync(folder).toSorted()).toEqual(['2026', 'a.pdf', 'b.pdf']);
    expect(readdirSync(at('2026'))).toEqual(['c.pdf']);
  });
});

it.each([
  ['on the main loop', retryingDisk],
  ['directly, as in a thread', directDisk],
] as const)(
  'a partial file is flushed before it gets its name, and the name before success is reported: %s (TE-F01, TE-F03)',
  async (_, disk) => {
    const parts = createParts(disk);
    using flushes = await watchFlushes(folder);
    for (const name of ['a.pdf', 'b.pdf']) await receive(parts, name, pdfOf('one'));
    await parts.name(['a.pdf', 'b.pdf'].map((name) => ({ file: at(name), own: null })));
    const shown = flushes.seen.map(({ what, lying }) => [what, [...lying.keys()]]);
    const folders = process.platform === 'win32' ? [] : [['folder', ['a.pdf', 'b.pdf']]];
    expect(shown).toEqual([
      ['file', ['a.pdf.part']],
      ['file', ['a.pdf.part', 'b.pdf.part']],
      ...folders,
    ]);
    expect(flushes.seen.slice(0, 2).map(({ bytes }) => bytes)).toEqual(
      Array.from({ length: 2 }, () => pdfOf('one').length),
    );
  },
);

it('work in a stopped thread fails, and another thread saves the next file', async () => {
  const ending = createPartThreads();
  async function* endless(): AsyncGenerator<Uint8Array> {
    // This chunk is longer than the buffer, so it is written immediately.
    yield Buffer.alloc(300_000);
    await ending.close();
    yield Buffer.alloc(300_000);
  }
  const files = createFiles(ending);
  const download = { chunks: endless(), bytes: null };
  await expect(files.receivePart(at('a.pdf'), download, () => {}, never, {})).rejects.toMatchObject(
    { failure: { code: 'storage' } },
  );
  await receive(ending, 'b.pdf');
  expect(await files.nameParts([at('b.pdf')])).toMatchObject([{ failure: null }]);
  expect(existsSync(at('b.pdf'))).toBe(true);
  await ending.close();
});
