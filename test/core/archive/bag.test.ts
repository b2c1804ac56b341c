// tier: all
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFiles } from '../../../electron/adapters/files/files.ts';
import { ArchiveResult, BagResult } from '../../../shared/contract/archive.ts';
import { downloadOf, pageOf, remoteOf } from '../../support/fakes/fake-service.ts';
import { hostileTitles } from '../../support/hostile-titles.ts';
import { addConnection, createWorld, startMemoryDesk } from '../../support/fakes/memory-desk.ts';
import { createMemoryFiles } from '../../support/fakes/memory-ports.ts';
import { pdfOf } from '../../support/small-pdf.ts';
import { sumsMatch } from '../../support/sums.ts';

const MANY = 1000;

let parent = '';
let bag = '';
let desk: ReturnType<typeof startMemoryDesk>;

beforeAll(async () => {
  parent = mkdtempSync(path.join(tmpdir(), 'desk-bag-'));
  bag = path.join(parent, 'bag');
  desk = startMemoryDesk({
    ...createWorld(),
    files: Object.assign(createMemoryFiles(), createFiles()),
  });
  await addConnection(desk);
  desk.services.v1.fileOf = (id) => downloadOf(pdfOf(id));
  const remotes = Array.from({ length: MANY }, (_, index) =>
    remoteOf({
      id: `${String(index).padStart(8, '0')}-1`,
      title: hostileTitles[index % hostileTitles.length] ?? '',
      state: 'signed',
      closedAt: Date.UTC(2020 + (index % 5), 3, 1),
    }),
  );
  desk.services.v1.pages = [pageOf(remotes, 1)];
  await desk.finish((await desk.api['agreements.sync']({})).jobId);
  const folder = path.join(parent, 'archive');
  const order = { folder, subfolder: '{closed:yyyy}', pattern: '{title}', parallel: 32 };
  const saved = await desk.finish((await desk.api['archive.run'](order)).jobId);
  expect(ArchiveResult.parse(saved.result)).toMatchObject({ saved: MANY, failed: [] });
  const made = await desk.finish((await desk.api['archive.bag']({ folder, to: bag })).jobId);
  expect(BagResult.parse(made.result)).toMatchObject({ files: MANY + 2, leftOut: [] });
}, 120_000);
afterAll(() => rmSync(parent, { recursive: true, force: true }));

const textOf = (name: string) => readFileSync(path.join(bag, name), 'utf8');
const hashOf = (name: string) =>
  createHash('sha256')
    .update(readFileSync(path.join(bag, name)))
    .digest('hex');
const payload = () =>
  readdirSync(path.join(bag, 'data'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(bag, path.join(entry.parentPath, entry.name)));

/** Path of the validator in Debian's package or in PYTHONPATH. */
const validate = () =>
  spawnSync('python3', ['-m', 'bagit', '--quiet', '--validate', bag], { encoding: 'utf8' });
const hasValidator = spawnSync('python3', ['-c', 'import bagit']).status === 0;
if (!hasValidator) console.warn('SKIPPED: bags checked by bagit.py (Python cannot import bagit)');

describe('a bag of a thousand agreements with hostile titles', () => {
  it('declares itself as RFC 8493 requires, byte for byte', () => {
    expect(textOf('bagit.txt')).toBe('BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n');
    expect(readdirSync(bag).toSorted()).toEqual([
      ...['bag-info.txt', 'bagit.txt', 'data', 'manifest-sha256.txt', 'tagmanifest-sha256.txt'],
    ]);
  });

  it('lists each file of its payload once, with its hash', () => {
    const lines = textOf('manifest-sha256.txt').trimEnd().split('\n');
    const listed = new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
    expect(lines).toHaveLength(MANY + 2);
    expect([...listed.keys()].toSorted()).toEqual(payload().toSorted());
    expect([...listed].filter(([name, hash]) => hashOf(name) !== hash)).toEqual([]);
  });

  it('is accepted, with its tag files, by another program', () => {
    for (const manifest of ['manifest-sha256.txt', 'tagmanifest-sha256.txt']) {
      expect(sumsMatch(bag, manifest), manifest).toBe(true);
    }
    expect(
      textOf('tagmanifest-sha256.txt')
        .match(/ {2}\S+$/gm)
        ?.toSorted(),
    ).toEqual([...['  bag-info.txt', '  bagit.txt', '  manifest-sha256.txt']]);
  });

  it('states its correct number of bytes and files', () => {
    const bytes = payload().reduce((sum, name) => sum + statSync(path.join(bag, name)).size, 0);
    expect(textOf('bag-info.txt')).toContain(`\nPayload-Oxum: ${bytes}.${MANY + 2}\n`);
  });

  it('contains no file name that a manifest must encode, or that readers decode differently', () => {
    expect(payload().filter((name) => /[%\r\n\\]|^~/.test(name))).toEqual([]);
    expect(payload().filter((name) => name !== name.normalize('NFC'))).toEqual([]);
  });

  it.skipIf(!hasValidator)('is accepted by bagit.py, and rejected when one file differs', () => {
    const accepted = validate();
    expect(accepted).toMatchObject({ status: 0 });
    const [first = ''] = payload();
    const kept = statSync(path.join(bag, first)).size;
    appendFileSync(path.join(bag, first), ' ');
    const refused = validate();
    expect(refused.status).toBe(1);
    expect(refused.stderr).toMatch(/Payload-Oxum validation failed/);
    truncateSync(path.join(bag, first), kept);
    expect(validate().status).toBe(0);
  });

  it('fails its verification when a file was changed in place', async () => {
    const [first = ''] = payload().filter((name) => name.endsWith('.pdf'));
    const at = path.join(bag, first);
    const before = readFileSync(at);
    writeFileSync(at, before.toString('latin1').replace('%PDF-1.7', '%PDF-1.6'), 'latin1');
    expect(statSync(at).size).toBe(before.length);
    const { jobId } = await desk.api['archive.verify']({ folder: bag });
    expect((await desk.finish(jobId)).result).toMatchObject({ changed: [first], missing: [] });
    if (hasValidator) expect(validate().stderr).toMatch(/sha256 validation failed/);
  });
});
