import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const DRIVE_BYTES = 64 * 1024 * 1024;

const run = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: 'pipe' });

interface SmallDisk extends Disposable {
  /** Removes the disk like a disconnected drive: open files can still be written, and are lost. */
  pull(): void;
}

/** Mounts a small file system over `folder` until it is disposed of; needs the right to mount. */
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

/** Reason why this user may not mount a file system; empty if the user may. */
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

interface DyingDrive extends Disposable {
  /** Makes the last `bytes` of the drive unreadable, as on a disconnected drive. */
  die(bytes: number): void;
}

/**
 * Mounts a drive of 64 MB over `folder` and writes `files` to it; no file stays in the cache. Needs
 * the right to mount a file as a drive.
 */
export function mountDyingDrive(
  folder: string,
  files: Readonly<Record<string, Uint8Array>> = {},
): DyingDrive {
  const place = mkdtempSync(path.join(os.tmpdir(), 'desk-drive-'));
  const image = path.join(place, 'image');
  writeFileSync(image, '');
  truncateSync(image, DRIVE_BYTES);
  run('mkfs.ext4', '-q', '-F', '-O', '^has_journal', image);
  const mount = (): void => void run('mount', '-o', 'loop', image, folder);
  mount();
  for (const [name, bytes] of Object.entries(files)) {
    writeFileSync(path.join(folder, name), bytes);
  }
  run('umount', folder);
  mount();
  return {
    [Symbol.dispose]: () => {
      run('umount', '--lazy', folder);
      rmSync(place, { recursive: true, force: true });
    },
    die: (bytes) => truncateSync(image, DRIVE_BYTES - bytes),
  };
}

/** Reason why this user may not mount a file as a drive; empty if the user may. */
export function whyNoDrive(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'desk-mount-'));
  try {
    using _ = mountDyingDrive(folder);
    return '';
  } catch (error) {
    return String(error).split('\n')[0] ?? 'unknown';
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
