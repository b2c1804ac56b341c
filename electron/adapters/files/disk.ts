import {
  closeSync,
  fstatSync,
  fsync,
  linkSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, link, lstat, open, rename, rm } from 'node:fs/promises';
import { promisify } from 'node:util';

/** What tells a file from another one that has its name. */
export type Identity = Pick<Stats, 'ino' | 'dev' | 'birthtimeMs' | 'size' | 'mtimeMs'>;

/** An open file; Node's own `FileHandle` is one. */
export interface OpenFile {
  /** Goes on behind what was written before. */
  writeFile(data: Uint8Array): Promise<void>;
  read(
    into: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesRead: number }>;
  stat(): Promise<Identity>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** What is asked of the system to save a file: the same steps on the main loop and in a thread. */
export interface Disk {
  open(file: string, flags: string, mode?: number): Promise<OpenFile>;
  lstat(file: string): Promise<Identity & Pick<Stats, 'ctimeMs'>>;
  link(existing: string, added: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Removes a file that may be gone already. */
  remove(file: string): Promise<void>;
}

/** Asks in Node's pool of threads, so that the loop that a person waits for goes on. */
export const patientDisk: Disk = {
  open: (file, flags, mode): Promise<FileHandle> => open(file, flags, mode),
  lstat: (file) => lstat(file),
  link: (existing, added) => link(existing, added),
  rename: (from, to) => rename(from, to),
  remove: (file) => rm(file, { force: true }),
};

/**
 * Asks at once, for a thread that does nothing else: the way through Node's pool and back costs more
 * than most of these calls. Flushes go through the pool all the same, several side by side.
 */
export const directDisk: Disk = {
  open: async (file, flags, mode) => new DirectFile(openSync(file, flags, mode)),
  lstat: async (file) => lstatSync(file),
  link: async (existing, added) => linkSync(existing, added),
  rename: async (from, to) => renameSync(from, to),
  remove: async (file) => rmSync(file, { force: true }),
};

class DirectFile implements OpenFile {
  readonly #fd: number;
  #isOpen = true;

  constructor(fd: number) {
    this.#fd = fd;
  }

  async writeFile(data: Uint8Array): Promise<void> {
    writeFileSync(this.#fd, data);
  }

  async read(into: Uint8Array, offset: number, length: number, position: number) {
    return { bytesRead: readSync(this.#fd, into, offset, length, position) };
  }

  async stat(): Promise<Stats> {
    return fstatSync(this.#fd);
  }

  sync(): Promise<void> {
    return promisify(fsync)(this.#fd);
  }

  /** As often as one likes, as Node's own. */
  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    closeSync(this.#fd);
  }
}
