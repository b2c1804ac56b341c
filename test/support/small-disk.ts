import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const run = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: 'pipe' });

interface SmallDisk extends Disposable {
  /** Takes it away as a drive that is pulled out: what is open on it can be written on, and is lost. */
  pull(): void;
}

/** Lays a small file system over `folder` until it is disposed of; needs the right to mount. */
export function mountSmallDisk(folder: string, options: string): SmallDisk {
  run('mount', '-t', 'tmpfs', '-o', options, 'tmpfs', folder);
  let isThere = true;
  return {
    [Symbol.dispose]: () => {
      if (isThere) run('umount', folder);
    },
    pull() {
      run('umount', '--lazy', folder);
      isThere = false;
    },
  };
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
