import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { codeCacheFolder } from './data-dir.ts';

/** Mode bits that let the group or others write. */
const WRITABLE_BY_OTHERS = 0o022;
const OWNER_ONLY_MODE = 0o700;
const PERMISSION_BITS = 0o777;

/** Caches compiled code for the next start; modules imported before this call are not cached. */
export function keepCompiledCode(): void {
  const folder = codeCacheFolder(process.env, process.platform);
  if (folder !== null && mayKeepCode(folder)) enableCompileCache(folder);
}

/**
 * Whether compiled code may be kept in `folder`. Creates the folder for its owner only, with any
 * umask. Files in it are run, so the function refuses links, folders of another owner, and
 * folders that others could write to: their content cannot be trusted.
 * @internal
 */
export function mayKeepCode(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: OWNER_ONLY_MODE });
    const found = lstatSync(folder);
    if (!found.isDirectory()) return false;
    // Windows protects the folder of the user's own programs, and has no modes.
    if (process.platform === 'win32') return true;
    if (found.uid !== process.getuid?.() || (found.mode & WRITABLE_BY_OTHERS) !== 0) return false;
    // If nothing can be written, existing entries can still be read.
    if ((found.mode & PERMISSION_BITS) !== OWNER_ONLY_MODE) chmodSync(folder, OWNER_ONLY_MODE);
    return true;
  } catch {
    // Without the cache, only the start is slower.
    return false;
  }
}
