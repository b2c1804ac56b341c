import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { retryingDisk } from './disk.ts';
import {
  PRIVATE_FOLDER_MODE,
  replaceFile,
  storageError,
  syncFolder,
  systemCode,
} from './durable.ts';

/**
 * File that is in a folder while its files are being set aside; the next start completes an
 * interrupted move.
 */
const INTENT = 'set-aside.json';

const Intent = z.object({
  /** Target folder, relative to the folder that contains the files. */
  to: z.string(),
  /** Names of the files to move; a file may be missing. */
  names: z.array(z.string()),
  /** Prepared file in the folder that gets the first of `names` after the move; null for none. */
  next: z.string().nullable(),
});
type Intent = z.infer<typeof Intent>;

/**
 * Moves files of a folder into a subfolder, and can then rename a prepared file to the first of
 * their names. If the process is killed, `endSettingAside` completes the move: the prepared file
 * never gets that name while a file to be moved remains. Throws 'storage'.
 */
export async function setAside(
  folder: string,
  intent: Readonly<Omit<Intent, 'names'>> & { readonly names: readonly string[] },
): Promise<void> {
  await replaceFile(path.join(folder, INTENT), JSON.stringify(intent));
  await finishSettingAside(folder, intent);
}

/** Whether a process was killed while setting files aside. */
export const isSettingAside = (folder: string): boolean => existsSync(path.join(folder, INTENT));

/** Completes an interrupted move. Only one process may do this at a time. */
export async function endSettingAside(folder: string): Promise<void> {
  if (!isSettingAside(folder)) return;
  const file = path.join(folder, INTENT);
  await finishSettingAside(folder, Intent.parse(JSON.parse(await readFile(file, 'utf8'))));
}

async function finishSettingAside(
  folder: string,
  { to, names, next }: Parameters<typeof setAside>[1],
): Promise<void> {
  const [first = ''] = names;
  const ready = next === null ? null : path.join(folder, next);
  try {
    // If the prepared file already has its final name, that name must not be set aside again.
    if (ready === null || existsSync(ready)) {
      await mkdir(path.join(folder, to), { recursive: true, mode: PRIVATE_FOLDER_MODE });
      for (const name of names) {
        await renameIfThere(path.join(folder, name), path.join(folder, to, name));
      }
      await syncFolder(path.join(folder, to), retryingDisk);
      if (ready !== null) await renameIfThere(ready, path.join(folder, first));
      await syncFolder(folder, retryingDisk);
    }
    await rm(path.join(folder, INTENT), { force: true });
  } catch (error) {
    throw storageError(error, 'Moving the data to a subfolder');
  }
}

async function renameIfThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}
