import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleStale, hosts, page } from '../../build/bundle/bundle.ts';
import { place } from '../../build/places.ts';
import { shippedFiles } from '../../build/package/shipped.ts';
import type { Licence } from '../../renderer/features/settings/licence.ts';

const listed = async (): Promise<readonly Licence[]> =>
  JSON.parse(await readFile(place('dist/renderer/licences.json'), 'utf8')) as readonly Licence[];

/** Returns the packages that the bundler names in the notices of a part, as `name version`. */
async function noticed(part: 'electron' | 'renderer'): Promise<readonly string[]> {
  const notices = await readFile(place('dist', part, 'licences.md'), 'utf8');
  return [...notices.matchAll(/^## (\S+) - (\S+) \(/gm)].map(
    ([, name = '', version = '']) => `${name} ${version}`,
  );
}

describe('the licences shown in the window', () => {
  beforeAll(() => bundleStale([page, hosts]));

  it.each(['electron', 'renderer'] as const)(
    'name every package in the bundle of %s',
    async (part) => {
      const names = new Set((await listed()).map(({ name, version }) => `${name} ${version}`));
      const wanted = await noticed(part);
      expect(wanted.length).toBeGreaterThan(5);
      expect(wanted.filter((one) => !names.has(one))).toEqual([]);
    },
  );

  it('name every package shipped next to the bundle, and Electron', async () => {
    const names = new Set((await listed()).map(({ name }) => name));
    const folders = shippedFiles(process).map(
      (file) => /^(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? file,
    );
    const shipped = await Promise.all(
      [...new Set([...folders, 'electron'])].map(async (folder) => {
        const manifest = await readFile(place('node_modules', folder, 'package.json'), 'utf8');
        const { name } = JSON.parse(manifest) as { name: string };
        return name;
      }),
    );
    expect(shipped.filter((name) => !names.has(name))).toEqual([]);
  });

  it('include their text, if the package has one, and the terms of its fonts', async () => {
    const all = await listed();
    const textOf = (name: string): string => all.find((one) => one.name === name)?.text ?? '';
    expect(textOf('svelte')).toContain('Permission is hereby granted');
    expect(textOf('better-sqlite3-multiple-ciphers')).toContain('Permission is hereby granted');
    expect(textOf('pdfjs-dist')).toContain('Apache License');
    expect(textOf('pdfjs-dist/standard_fonts/LICENSE_LIBERATION')).toContain('LIBERATION');
    expect(all.filter(({ licence, text }) => licence === '' && text === '')).toEqual([]);
  });
});
