import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const run = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: 'pipe' });

/** Lays a small file system over `folder` until it is disposed of; needs the right to mount. */
export function mountSmallDisk(folder: string, options: string): Disposable {
  run('mount', '-t', 'tmpfs', '-o', options, 'tmpfs', folder);
  return { [Symbol.dispose]: () => run('umount', folder) };
}

/** Empty when this user may mount; else why not. */
export function whyNoMount(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'desk-mount-'));
  try {
    using _ = mountSmallDisk(folder, 'size=64k');
    return '';
  } catch (error) {
    return String(error).split('\n')[0] ?? 'unknown';
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
