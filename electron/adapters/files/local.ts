import { lstat, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { PathKind } from '../../core/ports.ts';
import { systemCode } from './durable.ts';

/** Virtual file systems: devices, processes, kernel interfaces. */
const DEVICE_FOLDERS = ['/dev', '/proc', '/sys'];
/** Reserved device names of Windows, in every folder and with any extension. */
const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])$/i;
const DRIVE = /^[a-z]:[\\/]/i;
/** Name of the folder in every macOS bundle: a bundle is a program, and opening it starts it. */
const BUNDLE_CONTENT = 'Contents';

/** See `Files.resolveLocal`. */
export function resolveLocal(text: string, platform: NodeJS.Platform): string | null {
  // Rejects invisible control characters, and `\\server\share` or `\\?\` on every system.
  if (/\p{Cc}/u.test(text) || /^[\\/]{2}/.test(text)) return null;
  return platform === 'win32' ? resolveWindows(text) : resolvePosix(text);
}

function resolvePosix(text: string): string | null {
  if (!path.posix.isAbsolute(text)) return null;
  const resolved = path.posix.resolve(text);
  return DEVICE_FOLDERS.some((one) => resolved === one || resolved.startsWith(`${one}/`))
    ? null
    : resolved;
}

function resolveWindows(text: string): string | null {
  if (!DRIVE.test(text)) return null;
  const resolved = path.win32.resolve(text);
  const names = resolved.slice(3).split('\\');
  // A colon names an alternate data stream; Windows drops trailing dots and spaces.
  const isOdd = (name: string): boolean =>
    name.includes(':') || /[. ]$/.test(name) || WINDOWS_DEVICE.test(name.split('.', 1)[0] ?? '');
  return names.some(isOdd) ? null : resolved;
}

/** See `Files.kindOf`. */
export async function kindOf(file: string): Promise<PathKind> {
  try {
    const itself = await lstat(file);
    if (itself.isFile()) return 'file';
    if (itself.isDirectory() || (itself.isSymbolicLink() && (await stat(file)).isDirectory())) {
      return (await readdir(file)).includes(BUNDLE_CONTENT) ? 'program' : 'folder';
    }
    return 'other';
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'nothing';
    return 'other';
  }
}
