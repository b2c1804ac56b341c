import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFiles } from '../../../electron/adapters/files/files.ts';
import { BagResult } from '../../../shared/contract/archive.ts';
import { downloadOf } from '../../support/fakes/fake-service.ts';
import { addConnection, createWorld, startMemoryDesk } from '../../support/fakes/memory-desk.ts';
import { createMemoryFiles } from '../../support/fakes/memory-ports.ts';
import { plant, signed } from '../../support/known-agreements.ts';
import { pdfOf } from '../../support/small-pdf.ts';

let around = '';
let folder = '';
let bag = '';
let desk: ReturnType<typeof startMemoryDesk>;
const files = createFiles();

beforeEach(async () => {
  around = mkdtempSync(path.join(os.tmpdir(), 'desk-bag-'));
  folder = path.join(around, 'archive');
  bag = path.join(around, 'bag');
  desk = startMemoryDesk({ ...createWorld(), files: Object.assign(createMemoryFiles(), files) });
  await addConnection(desk);
  desk.services.v1.fileOf = (id) => downloadOf(pdfOf(id));
});
afterEach(() => rmSync(around, { recursive: true, force: true }));

/** Archives three agreements. */
async function archive() {
  await plant(desk, ...['One', 'Two', 'Three'].map((title) => signed(title, { title })));
  const order = { folder, subfolder: '{closed:yyyy}/{closed:MM}', pattern: '{title}' };
  await desk.finish((await desk.api['archive.run'](order)).jobId);
}

const makeBag = async () => desk.finish((await desk.api['archive.bag']({ folder, to: bag })).jobId);
const inBag = (name: string) => readFileSync(path.join(bag, name), 'utf8');
const hashOf = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');
const inPayload = (name: string) => readFileSync(path.join(bag, 'data', name));

describe('a bag of an archive', () => {
  it('describes itself in its tag files, and lists the tag files with their hashes', async () => {
    await archive();
    const job = await makeBag();
    const names = ['1970/01/One.pdf', '1970/01/Two.pdf', '1970/01/Three.pdf'];
    const all = [...names, 'index.csv', 'index.xlsx'];
    const bytes = all.reduce((sum, name) => sum + inPayload(name).length, 0);
    expect(BagResult.parse(job.result)).toEqual({ folder: bag, files: 5, bytes, leftOut: [] });
    expect(inBag('bagit.txt')).toBe('BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n');
    expect(inBag('bag-info.txt')).toBe(
      `Bag-Software-Agent: Signing Desk 1.0.0
Bagging-Date: 2026-11-21
Payload-Oxum: ${bytes}.5
External-Description: Signed agreements, with an index in data/index.csv and data/index.xlsx
Seal-Note: The index shows whether a seal is present and covers the whole file, but not whether its certificate is valid.
`,
    );
    const lines = all.map((name) => `${hashOf(inPayload(name))}  data/${name}`);
    expect(inBag('manifest-sha256.txt').trimEnd().split('\n').toSorted()).toEqual(lines.toSorted());
    expect(inBag('tagmanifest-sha256.txt')).toBe(
      ['manifest-sha256.txt', 'bag-info.txt', 'bagit.txt']
        .map((name) => `${hashOf(inBag(name))}  ${name}\n`)
        .join(''),
    );
    expect(inPayload('index.csv').toString()).toContain('"Office v1","production","One","One"');
    expect(job).toMatchObject({ done: 5, total: 5 });
  });

  it('is verified with its tag files, and the check reports added and changed files', async () => {
    await archive();
    await makeBag();
    const verdict = async () =>
      (await desk.finish((await desk.api['archive.verify']({ folder: bag })).jobId)).result;
    const sound = { files: 8, ok: 8, changed: [], missing: [], unknown: [] };
    expect(await verdict()).toMatchObject(sound);
    writeFileSync(path.join(bag, 'bag-info.txt'), 'Payload-Oxum: 0.0\n');
    writeFileSync(path.join(bag, 'data', 'stray.pdf'), 'mine');
    const found = { ok: 7, changed: ['bag-info.txt'], unknown: ['data/stray.pdf'] };
    expect(await verdict()).toMatchObject({ ...sound, ...found });
    // Without the list of tag files, none of them is reported as an unknown file.
    rmSync(path.join(bag, 'tagmanifest-sha256.txt'));
    expect(await verdict()).toMatchObject({ files: 5, ok: 5, unknown: ['data/stray.pdf'] });
  });

  it('skips and reports missing or changed files, and its progress still reaches the end', async () => {
    await archive();
    writeFileSync(path.join(folder, '1970/01/One.pdf'), 'changed');
    rmSync(path.join(folder, '1970/01/Two.pdf'));
    const job = await makeBag();
    const { files: many, leftOut } = BagResult.parse(job.result);
    expect([many, leftOut.toSorted()]).toEqual([3, ['1970/01/One.pdf', '1970/01/Two.pdf']]);
    expect(readdirSync(path.join(bag, 'data/1970/01'))).toEqual(['Three.pdf']);
    expect(job).toMatchObject({ state: 'done', done: 5, total: 5 });
  });

  it('is complete when only the index is missing from the archive', async () => {
    await archive();
    rmSync(path.join(folder, 'index.xlsx'));
    expect((await makeBag()).result).toMatchObject({ files: 4, leftOut: [] });
  });

  it('can only be made of a folder that contains an archive', async () => {
    mkdirSync(folder);
    const { failure } = await makeBag();
    expect(failure).toMatchObject({
      code: 'not-found',
      message: 'This folder does not contain an archive',
      reason: 'no-archive',
    });
    expect(readdirSync(around)).toEqual(['archive']);
  });

  it.each(['', 'bag', 'new/bag'])(
    'is refused inside the archive, which stays as it is (%s)',
    async (inside) => {
      await archive();
      const before = readdirSync(folder, { recursive: true });
      bag = path.join(folder, inside);
      expect((await makeBag()).failure).toMatchObject({ reason: 'bag-inside' });
      expect(readdirSync(folder, { recursive: true })).toEqual(before);
    },
  );

  it('is refused in a folder that is not empty, with this reason', async () => {
    await archive();
    mkdirSync(bag);
    writeFileSync(path.join(bag, 'mine.txt'), 'mine');
    expect((await makeBag()).failure).toMatchObject({ reason: 'folder-not-empty' });
    expect(readdirSync(bag)).toEqual(['mine.txt']);
  });

  it('is refused for a missing folder, and does not create that folder', async () => {
    expect((await makeBag()).failure).toMatchObject({ reason: 'folder-missing' });
    expect(readdirSync(around)).toEqual([]);
  });

  it('is only written to an empty folder', async () => {
    await archive();
    mkdirSync(bag);
    writeFileSync(path.join(bag, 'mine'), 'mine');
    expect((await makeBag()).failure).toMatchObject({
      code: 'conflict',
      message: 'The target folder is not empty. Choose an empty folder',
    });
    expect(readdirSync(bag)).toEqual(['mine']);
  });

  it.each([
    ['a whole archive', []],
    ['an archive in which files are missing', ['1970', 'index.csv', 'index.xlsx']],
  ])(
    'has no declaration if it was stopped, so that it is not mistaken for a complete bag: %s',
    async (_, gone) => {
      await archive();
      for (const name of gone) rmSync(path.join(folder, name), { recursive: true });
      const { jobId } = await desk.api['archive.bag']({ folder, to: bag });
      await desk.api['jobs.cancel']({ jobId });
      expect(await desk.finish(jobId)).toMatchObject({ state: 'cancelled' });
      expect(readdirSync(bag)).not.toContain('bagit.txt');
    },
  );

  it('is not completed when a file changes while it is copied', async () => {
    await archive();
    const file = path.join(folder, '1970/01/Two.pdf');
    // The content keeps its length, so that only its hash reveals the change.
    const changed = pdfOf('Owt');
    Object.assign(desk.files, {
      chunks: (from: string) => {
        if (from === file) writeFileSync(file, changed);
        return files.chunks(from);
      },
    });
    expect((await makeBag()).failure).toMatchObject({
      code: 'conflict',
      message: '1970/01/Two.pdf changed while it was copied. Try again',
    });
    expect(readdirSync(bag)).not.toContain('bagit.txt');
  });
});
