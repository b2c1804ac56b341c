import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { readSources } from '../../build/checks/import-graph.ts';
import { place, root } from '../../build/places.ts';
import { stage } from '../../build/package/stage.ts';
import { languages } from '../../shared/model/languages.ts';

const Manifest = z.looseObject({
  author: z.object({ name: z.string(), email: z.email() }),
  homepage: z.url(),
});

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({ peerDependencies: z.record(z.string(), z.string()).optional() }),
  ),
});

/** Returns the package of an import: `@a/b` of `@a/b/c`, and `b` of `b/c`. */
const packageOf = (imported: string): string =>
  imported
    .split('/')
    .slice(0, imported.startsWith('@') ? 2 : 1)
    .join('/');

const settings = (): Promise<string> =>
  readFile(place('build/package/electron-builder.yml'), 'utf8');

it('the packaged program names its maintainer and homepage, as a .deb must (PK-02)', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'desk-staged-'));
  try {
    await stage(folder);
    const staged: unknown = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
    expect(Manifest.safeParse(staged).error).toBeUndefined();
  } finally {
    await rm(folder, { recursive: true });
  }
});

it('a new publisher has to change only one host name', async () => {
  const { homepage, bugs, repository, author } = JSON.parse(
    await readFile(place('package.json'), 'utf8'),
  );
  const { host } = new URL(homepage);
  const others = [new URL(bugs.url).host, new URL(repository.url).host, author.email.split('@')[1]];
  const named = (await settings()).matchAll(/https?:\/\/\S+/g);
  others.push(...[...named].map(([url]) => new URL(url).host));
  expect(new Set(others)).toEqual(new Set([host]));
});

it('an AppImage starts with its sandbox, and without FUSE 2 (PK-06)', async () => {
  expect(await settings()).toMatch(/^toolsets:\n  appimage: 1\.0\.3$/m);
  expect(await settings()).not.toContain('no-sandbox');
});

it('the browser has texts only in the languages of the window', async () => {
  const [, list = ''] = /^electronLanguages: \[(.*)\]$/m.exec(await settings()) ?? [];
  expect(list.split(', ').toSorted()).toEqual(languages.toSorted());
});

it('the dependencies are exactly the parts of the packaged program', async () => {
  const sources = await readSources(root);
  const imported = sources
    .filter(({ file }) => /^(?:electron|shared)\//.test(file))
    // The Chromium window is only for development and tests, and is not in the package.
    .filter(({ file }) => !file.startsWith('electron/hosts/chromium/'))
    .flatMap(({ imports }) => imports)
    .filter((name) => !/^(?:electron\/|shared\/|node:)/.test(name))
    .map(packageOf);
  const { dependencies, devDependencies } = JSON.parse(
    await readFile(place('package.json'), 'utf8'),
  );
  // The fonts of pdfjs-dist are read when a PDF is filled. Electron is not a dependency, because
  // the installers contain it.
  const needed = new Set([...imported, 'pdfjs-dist']);
  needed.delete('electron');
  expect(Object.keys(dependencies).toSorted()).toEqual([...needed].toSorted());
  expect(Object.keys(devDependencies)).toContain('electron');
});

it('every npm may install the pinned Node: newer ones match scripts by name only (PK-01)', async () => {
  const { allowScripts, devDependencies } = JSON.parse(
    await readFile(place('package.json'), 'utf8'),
  );
  expect(allowScripts.node).toBe(true);
  expect(Object.keys(allowScripts).filter((name) => name.includes('@'))).toEqual([]);
  expect(devDependencies.node).toMatch(/^24\./);
});

it('a package alias of ours also serves other packages that ask for it, or npm 10 refuses the lock file (PK-01)', async () => {
  const { dependencies, devDependencies, overrides } = JSON.parse(
    await readFile(place('package.json'), 'utf8'),
  );
  const { packages } = Lock.parse(JSON.parse(await readFile(place('package-lock.json'), 'utf8')));
  const peers = new Set(
    Object.values(packages).flatMap(({ peerDependencies = {} }) => Object.keys(peerDependencies)),
  );
  const asked = Object.entries({ ...dependencies, ...devDependencies })
    .filter(([name, wanted]) => String(wanted).startsWith('npm:') && peers.has(name))
    .map(([name]) => name);
  expect(asked).toEqual(['@typescript/native']);
  expect(asked.filter((name) => overrides[name] !== `$${name}`)).toEqual([]);
});
