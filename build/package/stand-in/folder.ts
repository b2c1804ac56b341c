import { appendFile, chmod, copyFile, cp, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { place } from '../../places.ts';

/**
 * Marker of the fuses in Electron's program; a version, the number of fuses and the fuses follow
 * it.
 */
const FUSE_WIRE_MARKER = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const FUSE_WIRE_VERSION = 1;
/** Default fuses of Electron 45: on (1), except for the options that lock a program. */
const DEFAULT_FUSES = '101100011';

/** Some of Electron's 55 locales: those of our languages, and others. */
const ELECTRON_LOCALES = [
  ...['da', 'de', 'en-GB', 'en-US', 'es', 'es-419', 'fi', 'fr', 'it', 'nb', 'nl', 'pl', 'sv'],
  ...['ar', 'ja', 'pt-BR', 'ru', 'zh-CN'],
];

/**
 * Creates a folder like Electron's, with the files that packaging reads: a program with fuses that
 * runs commands by Node, a sandbox, locales, licences.
 */
export async function makeElectron(folder: string): Promise<void> {
  const program = path.join(folder, 'electron');
  await makeElectronFiles(folder);
  await copyFile(place('build/package/stand-in/electron/program.sh'), program);
  await addFuses(program);
  await chmod(program, 0o755);
  await writeFile(path.join(folder, 'chrome-sandbox'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  await cp(place('build/package/stand-in/electron'), path.join(folder, 'stand-in'), {
    recursive: true,
    filter: (file) => !file.endsWith('.sh'),
  });
  await writeFile(path.join(folder, 'stand-in/node'), process.execPath);
}

/**
 * Creates a folder like Electron's for Windows. `program` is any Windows program whose resources
 * can be edited.
 */
export async function makeElectronForWindows(folder: string, program: string): Promise<void> {
  await makeElectronFiles(folder);
  await copyFile(program, path.join(folder, 'electron.exe'));
  await addFuses(path.join(folder, 'electron.exe'));
}

async function makeElectronFiles(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(path.join(folder, 'locales'), { recursive: true });
  for (const locale of ELECTRON_LOCALES)
    await writeFile(path.join(folder, `locales/${locale}.pak`), locale);
  await copyFile(place('node_modules/electron/LICENSE'), path.join(folder, 'LICENSE'));
  await writeFile(path.join(folder, 'LICENSES.chromium.html'), '<!doctype html>\n');
  await writeFile(path.join(folder, 'version'), '0.0.0-stand-in');
}

async function addFuses(program: string): Promise<void> {
  const head = Buffer.from([FUSE_WIRE_VERSION, DEFAULT_FUSES.length]);
  await appendFile(
    program,
    Buffer.concat([Buffer.from(FUSE_WIRE_MARKER), head, Buffer.from(DEFAULT_FUSES)]),
  );
}
