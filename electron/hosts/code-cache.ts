import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { codeCache } from './data-dir.ts';

/** The right to write, of the group and of everybody else. */
const OTHERS_WRITE = 0o022;
const PRIVATE = 0o700;
const PERMISSIONS = 0o777;

/** Code compiled at one start is there at the next; what is imported before this is not kept. */
export function keepCompiledCode(): void {
  const folder = codeCache(process.env, process.platform);
  if (folder !== null && mayKeepCode(folder)) enableCompileCache(folder);
}

/**
 * Whether compiled code may be kept in `folder`, which is made for its owner only, whatever the
 * umask. What lies there is run: a folder of someone else, one that others could write to, and a
 * link are refused, since nobody knows what was put there meanwhile.
 * @internal
 */
export function mayKeepCode(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: PRIVATE });
    const found = lstatSync(folder);
    if (!found.isDirectory()) return false;
    // Windows keeps the folder of the person's own programs from others, and has no modes.
    if (process.platform === 'win32') return true;
    if (found.uid !== process.getuid?.() || (found.mode & OTHERS_WRITE) !== 0) return false;
    // Where nothing can be written, what was kept before can still be read.
    if ((found.mode & PERMISSIONS) !== PRIVATE) chmodSync(folder, PRIVATE);
    return true;
  } catch {
    // A start without the cache is slower and otherwise the same.
    return false;
  }
}
