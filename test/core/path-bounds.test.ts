import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { resolveLocal } from '../../electron/adapters/files/local.ts';
import { createDesk, type Desk } from '../../electron/compose/compose.ts';
import { BytesId } from '../../shared/model/ids.ts';
import { calls } from '../../shared/contract/index.ts';
import { pathArguments } from '../../shared/page-asks.ts';
import { connectDirectly } from '../../shared/wire.ts';
import { noHostFeatures, offersNothing } from '../support/fakes/no-host-features.ts';

let folder: string;
let desk: Desk | undefined;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'desk-paths-'));
  mkdirSync(path.join(folder, 'documents'));
  writeFileSync(path.join(folder, 'key'), randomBytes(32), { mode: 0o600 });
});

afterEach(async () => {
  await desk?.close();
  desk = undefined;
  rmSync(folder, { recursive: true });
});

/** A desk with real files, seen from a window. `chooses`: what a person picks in the host's dialog. */
async function startWindow({ chooses }: { readonly chooses?: string } = {}) {
  const opened: string[] = [];
  desk = createDesk({
    dataDir: path.join(folder, 'data'),
    stateDir: path.join(folder, 'state'),
    vault: { keyfile: path.join(folder, 'key') },
    version: '0',
    locale: 'en',
    platform: 'linux',
    documentsFolder: path.join(folder, 'documents'),
    interactive: true,
    features: {
      ...noHostFeatures,
      describe: { ...offersNothing, openPath: true, chooseFolder: chooses !== undefined },
      chooseFolder: async () => chooses ?? null,
      openPath: async (file) => void opened.push(file),
    },
  });
  await desk.open();
  return { api: connectDirectly(desk.handlers, desk.toFailure).api, opened };
}

const refusal = (reason: string) => ({ failure: { code: 'forbidden', reason } });

describe('a path from the page is opened only if it', () => {
  it.each([
    ['a program', '/usr/bin/env'],
    ['a program on a network share', String.raw`\\evil\share\x.exe`],
    ['a script', 'javascript:alert(1)'],
    ['an address', 'https://example.com/'],
    ['a file address', 'file:///usr/bin/env'],
    ['a relative path', 'documents'],
    ['a device', '/dev/null'],
    ['the program of a running process', '/proc/self/exe'],
    ['a path with a line break', '/tmp\n/usr'],
    ['an empty path', ''],
  ])('is a folder, not %s given as the archive folder (SEC-M1)', async (_, given) => {
    const { api, opened } = await startWindow();
    await api['settings.write']({ archiveFolder: given }).catch(() => undefined);
    await expect(api['host.openPath']({ path: given })).rejects.toMatchObject({
      failure: { code: 'forbidden' },
    });
    expect(opened).toEqual([]);
  });

  it('is still a folder when it is opened (SEC-M1)', async () => {
    const { api, opened } = await startWindow();
    const place = path.join(folder, 'archive');
    mkdirSync(place);
    await api['settings.write']({ archiveFolder: place });
    await api['host.openPath']({ path: place });
    rmSync(place, { recursive: true });
    await expect(api['host.openPath']({ path: place })).rejects.toMatchObject({
      failure: { code: 'storage', reason: 'folder-missing' },
    });
    writeFileSync(place, '#!/bin/sh\n');
    chmodSync(place, 0o755);
    const { failure } = refusal('path-not-local');
    await expect(api['host.openPath']({ path: place })).rejects.toMatchObject({ failure });
    rmSync(place);
    symlinkSync('/usr/bin/env', place);
    await expect(api['host.openPath']({ path: place })).rejects.toMatchObject({ failure });
    expect(opened).toEqual([place]);
  });

  it('is not a macOS app bundle, which is a folder (SEC-M1)', async () => {
    const { api, opened } = await startWindow();
    const bundle = path.join(folder, 'Tool.app');
    mkdirSync(path.join(bundle, 'Contents'), { recursive: true });
    const writing = api['settings.write']({ archiveFolder: bundle });
    await expect(writing).rejects.toMatchObject(refusal('path-not-local'));
    await expect(api['host.openPath']({ path: bundle })).rejects.toMatchObject({
      failure: { code: 'forbidden' },
    });
    expect(opened).toEqual([]);
  });
});

describe('the page of a host with a folder dialog', () => {
  const writes = (place: string) => ({
    'settings.write': { archiveFolder: place },
    'evidence.anchor': { folder: place },
    'archive.run': { folder: place },
    'archive.verify': { folder: place },
    'archive.bag': { folder: place, to: path.join(place, 'bag') },
    'evidence.export': { file: path.join(place, 'evidence.csv'), form: 'csv' as const },
  });

  it('is refused every folder that the user did not choose in the dialog (SEC-M1)', async () => {
    const { api } = await startWindow({ chooses: path.join(folder, 'chosen') });
    mkdirSync(path.join(folder, 'other'));
    const asked = writes(path.join(folder, 'other'));
    const refused = refusal('folder-not-chosen');
    await expect(api['settings.write'](asked['settings.write'])).rejects.toMatchObject(refused);
    await expect(api['evidence.anchor'](asked['evidence.anchor'])).rejects.toMatchObject(refused);
    await expect(api['archive.run'](asked['archive.run'])).rejects.toMatchObject(refused);
    await expect(api['archive.verify'](asked['archive.verify'])).rejects.toMatchObject(refused);
    await expect(api['archive.bag'](asked['archive.bag'])).rejects.toMatchObject(refused);
    await expect(api['evidence.export'](asked['evidence.export'])).rejects.toMatchObject(refused);
  });

  it('may use a chosen folder and its content, in later runs too if it is a setting (SEC-M1)', async () => {
    const chosen = path.join(folder, 'chosen');
    mkdirSync(chosen);
    const first = await startWindow({ chooses: chosen });
    await expect(first.api['settings.write']({ archiveFolder: chosen })).rejects.toThrow('chose');
    expect(await first.api['host.chooseFolder']({})).toEqual({ path: chosen });
    await first.api['settings.write']({ archiveFolder: chosen });
    await first.api['host.openPath']({ path: chosen });
    expect(first.opened).toEqual([chosen]);
    await desk?.close();

    const { api } = await startWindow({ chooses: path.join(folder, 'another') });
    await api['settings.write']({ archiveFolder: chosen, holdSeconds: 5 });
    await api['evidence.export']({ file: path.join(chosen, 'evidence.csv'), form: 'csv' });
    const above = { file: path.join(chosen, '../evidence.csv'), form: 'csv' } as const;
    await expect(api['evidence.export'](above)).rejects.toMatchObject(refusal('folder-not-chosen'));
    const beside = { file: `${chosen}-beside/evidence.csv`, form: 'csv' } as const;
    await expect(api['evidence.export'](beside)).rejects.toMatchObject(
      refusal('folder-not-chosen'),
    );
  });
});

describe('a typed folder', () => {
  it('is accepted only if it is no file, and it or its parent folder exists (SEC-M1)', async () => {
    const { api } = await startWindow();
    const write = (archiveFolder: string) => api['settings.write']({ archiveFolder });
    await write(path.join(folder, 'made by the first run'));
    await expect(write(path.join(folder, 'a', 'b'))).rejects.toMatchObject({
      failure: { code: 'storage', reason: 'folder-missing' },
    });
    await expect(write(path.join(folder, 'key'))).rejects.toMatchObject(refusal('path-not-local'));
  });
});

it.each(['run.desktop', '.bashrc', 'evidence', 'evidence.csv.sh', 'x.bat'])(
  'the page cannot export to a file that the system could run, such as %s (SEC-M1)',
  async (name) => {
    const { api } = await startWindow();
    const order = { file: path.join(folder, 'documents', name), form: 'csv' } as const;
    await expect(api['evidence.export'](order)).rejects.toMatchObject(refusal('file-ending'));
  },
);

describe('a result file that the page saves for the user', () => {
  const report = { fileName: 'Rents result.csv' };
  const documents = () => path.join(folder, 'documents');

  it('is written unchanged under a free name, and never replaces a file', async () => {
    const { api } = await startWindow();
    const data = randomBytes(3000);
    const out = BytesId.parse(desk?.acceptBytes(data));
    rmSync(documents(), { recursive: true });
    const saved = [];
    for (let time = 0; time < 3; time += 1) {
      const { file } = await api['files.save']({ ...report, out, folder: documents() });
      saved.push(file);
      if (time === 0) writeFileSync(file, 'edited by a person');
    }
    expect(saved.map((file) => path.relative(documents(), file))).toEqual([
      'Rents result.csv',
      'Rents result (2).csv',
      'Rents result (3).csv',
    ]);
    expect(readFileSync(saved[0] ?? '', 'utf8')).toBe('edited by a person');
    expect(readFileSync(saved[1] ?? '').equals(data)).toBe(true);
  });

  it('is written into the chosen folder, even if its name contains a path', async () => {
    const { api } = await startWindow();
    const out = BytesId.parse(desk?.acceptBytes(randomBytes(9)));
    const order = { out, folder: documents(), fileName: '../../up/Prices: 1|2.csv' };
    const { file } = await api['files.save'](order);
    expect(readdirSync(documents())).toEqual([path.basename(file)]);
    expect(path.basename(file)).toBe('_.._up_Prices_ 1_2.csv');
  });

  it('is refused if it could be run, or if the user did not choose its folder', async () => {
    const { api } = await startWindow({ chooses: path.join(folder, 'chosen') });
    const out = BytesId.parse(desk?.acceptBytes(randomBytes(9)));
    for (const fileName of ['run.desktop', 'x.csv.bat', '.bashrc', 'x.pdf', 'x.pdf.exe', 'csv']) {
      const order = { out, folder: documents(), fileName };
      await expect(api['files.save'](order)).rejects.toMatchObject(refusal('file-ending'));
    }
    const elsewhere = api['files.save']({ ...report, out, folder });
    await expect(elsewhere).rejects.toMatchObject(refusal('folder-not-chosen'));
    expect(readdirSync(documents())).toEqual([]);
  });
});

it.each([
  [String.raw`C:\Users\ada\Archive`, String.raw`C:\Users\ada\Archive`],
  ['C:/Users/ada', String.raw`C:\Users\ada`],
  [String.raw`C:\Users\..\Windows`, String.raw`C:\Windows`],
  [String.raw`\\server\share`, null],
  ['//server/share', null],
  [String.raw`\\?\C:\Users`, null],
  [String.raw`\\.\pipe\x`, null],
  [String.raw`\Users\ada`, null],
  ['C:Users', null],
  [String.raw`C:\Users\CON`, null],
  [String.raw`C:\Users\nul.txt`, null],
  [String.raw`C:\Users\x.pdf:hidden.exe`, null],
  [String.raw`C:\Users\x.exe.`, null],
  ['file:///C:/Users', null],
  ['shell:startup', null],
])('on Windows, the local path for %j is %j (null: refused) (SEC-M1)', (text, resolved) => {
  expect(resolveLocal(text, 'win32')).toBe(resolved);
});

/** Strings of an input whose name says that they may be a path, a file or an address. */
function suspects(schema: unknown, at: readonly string[] = []): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties, items, additionalProperties, anyOf, oneOf, allOf, type, format, ...rest } = z
    .looseObject({
      properties: z.record(z.string(), z.unknown()).default({}),
      items: z.unknown().optional(),
      additionalProperties: z.unknown().optional(),
      anyOf: z.array(z.unknown()).default([]),
      oneOf: z.array(z.unknown()).default([]),
      allOf: z.array(z.unknown()).default([]),
      type: z.unknown().optional(),
      format: z.unknown().optional(),
      enum: z.unknown().optional(),
    })
    .parse(schema);
  const name = at.at(-1) ?? '';
  const isSuspect =
    /path|folder|file|ur[li]|href|link|anchor|command|program|^to$/i.test(name) &&
    [type].flat().includes('string') &&
    format !== 'uuid' &&
    rest.enum === undefined;
  return [
    ...(isSuspect ? [at[0] ?? ''] : []),
    ...Object.entries(properties).flatMap(([key, value]) => suspects(value, [...at, key])),
    ...suspects(items, at),
    ...suspects(additionalProperties, at),
    ...[...anyOf, ...oneOf, ...allOf].flatMap((one) => suspects(one, at)),
  ];
}

it('the table of path arguments lists each contract argument that may be a path or address (SEC-M1)', () => {
  const found = Object.entries(calls).flatMap(([name, { input }]) => {
    const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any', reused: 'inline' });
    return suspects(schema).map((key) => `${name} ${key}`);
  });
  const listed = Object.entries(pathArguments).flatMap(([name, bounds]) =>
    Object.keys(bounds).map((key) => `${name} ${key}`),
  );
  expect(found.length).toBeGreaterThan(30);
  expect([...new Set(found)].filter((one) => !listed.includes(one))).toEqual([]);
  // The table has no argument that the contract no longer has.
  expect(listed.filter((one) => !found.includes(one))).toEqual([]);
});
