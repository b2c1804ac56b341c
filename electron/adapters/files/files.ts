import { createReadStream } from 'node:fs';
import { access, constants, mkdir, open, readdir, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { AppError, isCode } from '../../../shared/errors.ts';
import { CHANGED_SUFFIX } from '../../core/file-ports.ts';
import type { Files } from '../../core/ports.ts';
import { type Identity, retryingDisk } from './disk.ts';
import { publishDraft, replaceFile, systemCode } from './durable.ts';
import { kindOf, resolveLocal } from './local.ts';
import { withStorageErrorsOf, type NamelessPart, type Parts, removePart } from './part.ts';
import {
  continuePart,
  hashFile,
  lstatOrNull,
  mainThreadParts,
  receivePart,
  saveNewFile,
} from './save.ts';

/** `parts` writes the files of batch downloads, one after the other. */
export function createFiles(parts: Parts = mainThreadParts): Files {
  /** Finished parts that have no final name yet. */
  const finished = new Map<string, Identity>();
  const nameless = (file: string): NamelessPart => {
    const own = finished.get(file) ?? null;
    finished.delete(file);
    return { file, own };
  };
  return {
    resolveLocal: (text) => resolveLocal(text, process.platform),
    kindOf,
    saveNew: saveNewFile,
    async receivePart(file, ...download) {
      const { own, ...written } = await receivePart(parts, file, ...download);
      finished.set(file, own);
      return written;
    },
    nameParts: (files) => parts.name(files.map(nameless)),
    continuePart,
    drop: (file) => withStorageErrorsOf('Removing', () => rm(file, { force: true })),
    dropPart: (file) =>
      withStorageErrorsOf('Removing', () => removePart(retryingDisk, nameless(file))),
    setAside: setChangedAside,
    readText,
    replaceText: replaceFile,
    prepareFolder,
    listFolder: (folder) =>
      withStorageErrorsOf(`Opening the folder ${path.basename(folder)}`, () => readdir(folder)),
    hash: hashFile,
    statFile,
    walk: walkFolder,
    chunks: (file) => createReadStream(file, { highWaterMark: READ_BYTES }),
    join,
    folderOf: (file) => path.dirname(file),
  };
}

const READ_BYTES = 256 * 1024;
/**
 * Maximum size of a text file (bytes); above any text file of this program except archive lists.
 */
const MAX_TEXT_READ_BYTES = 1024 * 1024;
/**
 * Maximum depth of folders: deeper than any archive, so that the walk of a folder that contains
 * itself ends.
 */
const MAX_DEPTH = 12;

async function setChangedAside(file: string): Promise<string> {
  return withStorageErrorsOf(`Saving ${path.basename(file)}`, async () => {
    for (let count = 1; ; count += 1) {
      const aside = `${file}${CHANGED_SUFFIX}${count === 1 ? '' : `-${count}`}`;
      try {
        await publishDraft(file, aside);
        return aside;
      } catch (error) {
        if (!isCode(error, 'conflict')) throw error;
      }
    }
  });
}

async function readText(file: string): Promise<string> {
  return withStorageErrorsOf(`Reading ${path.basename(file)}`, async () => {
    const handle = await open(file, 'r');
    try {
      const { size } = await handle.stat();
      if (size <= MAX_TEXT_READ_BYTES) return await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
    throw new AppError('invalid', 'The file is too large', { reason: 'too-large' });
  });
}

/**
 * Opens a folder for saving, and creates it if allowed, but not its parent: a disconnected drive
 * must not be replaced by a new folder. Returns the names in the folder.
 */
async function prepareFolder(
  folder: string,
  mayMake = true,
  within: string | null = null,
): Promise<readonly string[]> {
  return withStorageErrorsOf(`Opening the folder ${path.basename(folder)}`, async () => {
    try {
      if (mayMake) await mkdir(folder);
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
    }
    if (within !== null) await rejectOutside(folder, within);
    await access(folder, constants.W_OK);
    return readdir(folder);
  });
}

/**
 * Rejects a folder that is a link to a place outside `within`: in a shared archive, anyone who can
 * write could otherwise redirect saved files.
 */
async function rejectOutside(folder: string, within: string): Promise<void> {
  const [inside, root] = [await realpath(folder), await realpath(within)];
  if (inside.startsWith(root.endsWith(path.sep) ? root : `${root}${path.sep}`)) return;
  const message = `The folder ${path.basename(folder)} is a link to a place outside the archive, so nothing was saved in it`;
  throw new AppError('storage', message, { reason: 'folder-outside' });
}

async function statFile(file: string): Promise<{ bytes: number; changedAt: number } | null> {
  return withStorageErrorsOf(`Examining ${path.basename(file)}`, async () => {
    const found = await lstatOrNull(file);
    // ctime is set by the system and cannot be faked by the writing program.
    return found?.isFile() === true ? { bytes: found.size, changedAt: found.ctimeMs } : null;
  });
}

async function* walkFolder(folder: string): AsyncGenerator<string> {
  yield* within(folder, '', MAX_DEPTH);
}

async function* within(folder: string, inside: string, depth: number): AsyncGenerator<string> {
  const entries = await withStorageErrorsOf(`Reading the folder ${path.basename(folder)}`, () =>
    readdir(path.join(folder, inside), { withFileTypes: true }),
  );
  for (const entry of entries) {
    const name = inside === '' ? entry.name : `${inside}/${entry.name}`;
    if (!entry.isDirectory()) yield name;
    else if (depth > 0) yield* within(folder, name, depth - 1);
  }
}

/** Joins a folder and a file name. Throws 'invalid' if the name leads out of the folder. */
function join(folder: string, name: string): string {
  const joined = path.join(folder, name);
  if (
    path.dirname(joined) !== path.resolve(folder) &&
    path.dirname(joined) !== path.normalize(folder)
  ) {
    throw new AppError('invalid', 'A file name must not point to another folder');
  }
  return joined;
}
