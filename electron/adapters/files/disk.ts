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

/** Attributes that distinguish a file from another file under the same name. */
export type Identity = Pick<Stats, 'ino' | 'dev' | 'birthtimeMs' | 'size' | 'mtimeMs'>;

/** An open file; Node's `FileHandle` implements it. */
export interface OpenFile {
  /** Appends the data to the file. */
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

/** System calls needed to save a file; the steps are the same on the main loop and in a thread. */
export interface DiskAccess {
  open(file: string, flags: string, mode?: number): Promise<OpenFile>;
  lstat(file: string): Promise<Identity & Pick<Stats, 'ctimeMs'>>;
  link(existing: string, added: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Removes a file; a missing file is no error. */
  remove(file: string): Promise<void>;
}

/** Asynchronous calls through Node's thread pool, so that the main loop stays responsive. */
export const retryingDisk: DiskAccess = {
  open: (file, flags, mode): Promise<FileHandle> => open(file, flags, mode),
  lstat: (file) => lstat(file),
  link: (existing, added) => link(existing, added),
  rename: (from, to) => rename(from, to),
  remove: (file) => rm(file, { force: true }),
};

/**
 * Synchronous calls, for a thread with no other work: Node's pool costs more than most of these
 * calls. Flushes still use the pool, so that several run in parallel.
 */
export const directDisk: DiskAccess = {
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

  /** May be called repeatedly, like Node's own `close`. */
  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    closeSync(this.#fd);
  }
}
