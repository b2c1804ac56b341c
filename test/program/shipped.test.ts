// tier: quick, 20 s, because it runs the program as it is shipped
import { glob, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundleProblems } from '../../build/package/check-bundle.ts';
import { root } from '../../build/places.ts';
import { stage } from '../../build/package/stage.ts';
import { createHome, type Home } from '../support/desks/desk-process.ts';

let folder: string;
let home: Home;

beforeAll(async () => {
  // The folder is far from the project's own packages, so that only shipped files can be found.
  folder = await mkdtemp(path.join(tmpdir(), 'desk-shipped-'));
  await stage(folder);
  home = await createHome('keyfile', path.join(folder, 'dist/electron/cli-main.mjs'));
});

afterAll(async () => {
  await home.remove();
  await rm(folder, { recursive: true, force: true });
});

it('the shipped program is complete, without additional files', async () => {
  expect(await bundleProblems(folder, process, root)).toEqual([]);
});

it('the shipped program contains the licence notices of its parts (PK-05)', async () => {
  const without: string[] = [];
  for await (const manifest of glob('node_modules/{*,@*/*}/package.json', { cwd: folder })) {
    const names = await readdir(path.join(folder, path.dirname(manifest)));
    if (!names.some((name) => /^licen[cs]e/i.test(name))) without.push(path.dirname(manifest));
  }
  // Only this package contains no licence file; its manifest names MIT.
  expect(without).toEqual(['node_modules/woff2sfnt-sfnt2woff']);
  const bundled = async (part: string): Promise<string> =>
    readFile(path.join(folder, 'dist', part, 'licences.md'), 'utf8');
  for (const name of ['undici', 'commander', 'zod', '@cantoo/pdf-lib', 'saxes', 'yauzl']) {
    expect(await bundled('electron')).toContain(`## ${name} - `);
  }
  for (const name of ['svelte', 'bits-ui', '@lucide/svelte', 'pdfjs-dist', 'tinykeys']) {
    expect(await bundled('renderer')).toContain(`## ${name} - `);
  }
});

it('the shipped program, without the drawing library, finds blank places to fill in on a PDF page', async () => {
  const flat = path.join(root, 'test/fixtures/flat/lease-en.pdf');
  const { exit, stdout, stderr } = await home.desk(['templates', 'find', flat]);
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  expect(stdout).toContain('Signature of the landlord');
});

it('the shipped program does the main task without any other file of the project', async () => {
  const { exit, stdout, stderr } = await home.desk([
    'demo',
    '--keep',
    path.join(home.folder, 'demo'),
  ]);
  expect({ exit, stderr }).toMatchObject({ exit: 0 });
  expect(stdout).toMatch(/v1 +\d+ +2 +1 +2 +16/);
});
