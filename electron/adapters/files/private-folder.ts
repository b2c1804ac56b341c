import { chmod, lstat, readdir } from 'node:fs/promises';
import { PRIVATE_FOLDER_MODE, systemCode } from './durable.ts';

/**
 * Access to a folder: private, made private now, or shared because the folder is not ours to
 * change. `mode` is the previous mode, in octal.
 */
export type FolderPrivacy =
  | { readonly kind: 'private' }
  | { readonly kind: 'tightened'; readonly mode: string }
  | { readonly kind: 'shared'; readonly mode: string; readonly why: 'owner' | 'content' };

/** Permissions of the group and all other users. */
const OTHERS_MODE_BITS = 0o077;
const PERMISSION_MODE_BITS = 0o7777;
/** Every data folder contains at least one of these files. */
const OWN_DATA_FILES = ['vault.json', 'desk.db'];

/**
 * Removes access to a data folder for everyone but its owner. A folder of another user, or one with
 * other files but without data of this program (`--data /tmp`), is left unchanged, with a warning.
 * Windows uses access lists instead of modes; a missing folder is made private later.
 */
export async function makeFolderPrivate(
  folder: string,
  platform: NodeJS.Platform = process.platform,
): Promise<FolderPrivacy> {
  const found = platform === 'win32' ? null : await ownerAndMode(folder);
  if (found === null || (found.mode & OTHERS_MODE_BITS) === 0) return { kind: 'private' };
  const mode = (found.mode & PERMISSION_MODE_BITS).toString(8).padStart(4, '0');
  if (found.uid !== process.getuid?.()) return { kind: 'shared', mode, why: 'owner' };
  const names = await readdir(folder);
  if (names.length > 0 && !OWN_DATA_FILES.some((name) => names.includes(name))) {
    return { kind: 'shared', mode, why: 'content' };
  }
  await chmod(folder, PRIVATE_FOLDER_MODE);
  return { kind: 'tightened', mode };
}

async function ownerAndMode(folder: string): Promise<{ mode: number; uid: number } | null> {
  try {
    const found = await lstat(folder);
    return found.isDirectory() ? found : null;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}
