import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { patientDisk } from './disk.ts';
import { PRIVATE_FOLDER, replaceFile, storageError, syncFolder, systemCode } from './durable.ts';

/** Stands in a folder while something in it is set aside: whoever comes next ends that. */
const INTENT = 'set-aside.json';

const Intent = z.object({
  /** The folder within the folder that they go to. */
  to: z.string(),
  /** Of files in the folder, which need not be there. */
  names: z.array(z.string()),
  /** What then gets the first of these names, as it lies within the folder; null for nothing. */
  next: z.string().nullable(),
});
type Intent = z.infer<typeof Intent>;

/**
 * Moves files of a folder into another one within it, as they are, and may give the name of the first
 * to a file that is ready. Killed at any moment, it is ended by `endSettingAside`: never does one have
 * its name beside what belongs to the other. Throws 'storage'.
 */
export async function setAside(
  folder: string,
  intent: Readonly<Omit<Intent, 'names'>> & { readonly names: readonly string[] },
): Promise<void> {
  await replaceFile(path.join(folder, INTENT), JSON.stringify(intent));
  await finish(folder, intent);
}

/** Whether a process was killed while it set something aside. */
export const isSettingAside = (folder: string): boolean => existsSync(path.join(folder, INTENT));

/** Ends what a killed process began. Nobody else may be doing the same. */
export async function endSettingAside(folder: string): Promise<void> {
  if (!isSettingAside(folder)) return;
  const file = path.join(folder, INTENT);
  await finish(folder, Intent.parse(JSON.parse(await readFile(file, 'utf8'))));
}

async function finish(
  folder: string,
  { to, names, next }: Parameters<typeof setAside>[1],
): Promise<void> {
  const [first = ''] = names;
  const ready = next === null ? null : path.join(folder, next);
  try {
    // Where it has its name already, that name is not to be set aside.
    if (ready === null || existsSync(ready)) {
      await mkdir(path.join(folder, to), { recursive: true, mode: PRIVATE_FOLDER });
      for (const name of names) {
        await renameIfThere(path.join(folder, name), path.join(folder, to, name));
      }
      await syncFolder(path.join(folder, to), patientDisk);
      if (ready !== null) await renameIfThere(ready, path.join(folder, first));
      await syncFolder(folder, patientDisk);
    }
    await rm(path.join(folder, INTENT), { force: true });
  } catch (error) {
    throw storageError(error, 'Setting the data aside');
  }
}

async function renameIfThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}
