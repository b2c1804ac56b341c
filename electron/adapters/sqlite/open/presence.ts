import { createFileLock } from './file-lock.ts';

/**
 * Open uses of a data folder: many shared uses, or one exclusive use, which reads or moves the raw
 * files.
 */
export interface Presence {
  /** Begins a shared use. Returns false while an exclusive use is open. */
  enter(): boolean;
  /** Begins an exclusive use. Returns false while any use is open. */
  enterAlone(): boolean;
  leave(): void;
}

/**
 * Creates the lock of a data folder on a separate file: testing the data file's own locks requires
 * opening it, which may write to a damaged file.
 */
export function createPresence(file: string): Presence {
  const lock = createFileLock(file);
  return {
    enter: () => lock.take('BEGIN; SELECT 1 FROM sqlite_schema'),
    enterAlone: () => lock.take('BEGIN EXCLUSIVE'),
    leave: () => lock.free(),
  };
}
