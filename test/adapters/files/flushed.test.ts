import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFiles } from '../../../electron/adapters/files/files.ts';
import { createVault } from '../../../electron/adapters/vault/vault.ts';
import { createKeyFile } from '../../../electron/adapters/vault/key-source.ts';
import { assertWholePdf } from '../../../shared/rules/files/pdf-shape.ts';
import { type Flush, watchFlushes } from '../../support/flushes.ts';
import { downloadOf } from '../../support/fakes/fake-service.ts';
import { pdfOf } from '../../support/small-pdf.ts';

/* Only flushed data survives a power failure: the file must be flushed first, then its name. */

const PDF = pdfOf('the lease');
const files = createFiles();
const never = new AbortController().signal;

let folder: string;
let keyFile: string;
const at = (name: string) => path.join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'desk-flushed-'));
  keyFile = path.join(mkdtempSync(path.join(os.tmpdir(), 'desk-key-')), 'desk.key');
});
afterEach(() => {
  for (const one of [folder, path.dirname(keyFile)]) rmSync(one, { recursive: true, force: true });
});

const savePdf = () => files.saveNew(at('lease.pdf'), downloadOf(PDF), assertWholePdf, never);
const saveList = (text: string) => files.replaceText(at('index.csv'), text);
const vault = () => createVault({ store: 'keyfile', path: keyFile, dataDir: folder });

/** Returns the files and folders flushed during `work`. */
async function flushesOf(work: () => Promise<unknown>): Promise<readonly Flush[]> {
  using flushes = await watchFlushes(folder);
  await work();
  return flushes.seen;
}

/** Returns the flushes of files, without those of folders. */
const filesAmong = (seen: readonly Flush[]) => seen.filter(({ what }) => what === 'file');

describe('a saved file', () => {
  it('is a complete PDF on the disk before it gets its name (TE-F01)', async () => {
    const [first, ...more] = filesAmong(await flushesOf(savePdf));
    expect(first?.bytes).toBe(PDF.length);
    expect(first?.lying.get('lease.pdf.part')).toBe(PDF);
    expect(first?.lying.has('lease.pdf')).toBe(false);
    expect(more).toEqual([]);
  });

  it('is a complete list on the disk before it replaces the old one (TE-F02)', async () => {
    await saveList('old');
    const [first, ...more] = filesAmong(await flushesOf(() => saveList('the new one')));
    expect(first?.bytes).toBe('the new one'.length);
    expect(first?.lying.get('index.csv')).toBe('old');
    expect([...(first?.lying.values() ?? [])]).toContain('the new one');
    expect(more).toEqual([]);
  });

  it('is a complete sealed vault on the disk before it replaces the old one (TE-F02)', async () => {
    await createKeyFile(keyFile);
    await vault().write('credential', 'first');
    const [first, ...more] = filesAmong(
      await flushesOf(() => vault().write('credential', 'second')),
    );
    const lying = [...(first?.lying ?? [])].filter(([name]) => name.startsWith('vault.sealed'));
    expect(lying.map(([name]) => name.replace(/[0-9a-f]{8}/u, '*'))).toEqual([
      'vault.sealed',
      'vault.sealed.*.tmp',
    ]);
    expect(first?.bytes).toBe(lying[1]?.[1].length);
    expect(await vault().read('credential')).toBe('second');
    expect(more).toEqual([]);
  });
});

describe.runIf(process.platform !== 'win32')('the name of a saved file', () => {
  it.each<[string, string, () => Promise<unknown>]>([
    ['PDF', 'lease.pdf', savePdf],
    ['list', 'index.csv', () => saveList('anew')],
    ['key', 'data.key', () => createKeyFile(at('data.key'))],
  ])(
    'is the only new name, and is flushed to disk before the saving of a %s ends (TE-F03)',
    async (_, name, save) => {
      const seen = await flushesOf(save);
      expect(seen.map(({ what }) => what)).toEqual(['file', 'folder']);
      const names = [...(seen[1]?.lying.keys() ?? [])];
      expect(names.filter((one) => one.startsWith(name))).toEqual([name]);
    },
  );

  it('is flushed when the partial file of a killed process gets this name (TE-F03)', async () => {
    writeFileSync(at('lease.pdf.part'), PDF);
    const sha256 = (await files.hash(at('lease.pdf.part'))) ?? '';
    const seen = await flushesOf(() => files.continuePart(at('lease.pdf'), sha256));
    expect(seen.map(({ what }) => what)).toEqual(['folder']);
    expect(seen[0]?.lying.get('lease.pdf')).toBe(PDF);
  });

  it('is flushed again if it appeared during a flush of the folder (TE-F03)', async () => {
    const late = ['b.txt', 'c.txt'];
    const saved: Promise<unknown>[] = [];
    using flushes = await watchFlushes(folder, async ({ what }) => {
      if (what === 'file' || saved.length > 0) return;
      saved.push(...late.map((name) => files.replaceText(at(name), name)));
      await vi.waitFor(() => expect(readdirSync(folder)).toEqual(expect.arrayContaining(late)));
      // The two late files have their names now, and request the flush a moment later.
      await new Promise((resolve) => setTimeout(resolve, 100));
    });
    await files.replaceText(at('a.txt'), 'a.txt');
    await Promise.all(saved);
    const folders = flushes.seen.filter(({ what }) => what === 'folder');
    const shown = folders.map(({ lying }) => [...lying.keys()]);
    // The two late files share one flush.
    expect(shown).toEqual([['a.txt'], ['a.txt', ...late]]);
  });

  it('is flushed after a secret is written to a sealed vault (TE-F03)', async () => {
    await createKeyFile(keyFile);
    await vault().write('credential', 'first');
    const seen = await flushesOf(() => vault().write('credential', 'second'));
    expect(seen.map(({ what }) => what)).toEqual(['file', 'folder']);
  });
});
