import { createFileLock } from './file-lock.ts';

/**
 * Open uses of a data folder: many shared ones, or one exclusive one, which reads or moves the raw
 * files.
 */
export interface Presence {
  /** False while an exclusive use is open. */
  enter(): boolean;
  /** False while any use is open. */
  enterAlone(): boolean;
  leave(): void;
}

/**
 * Uses a separate file: testing the data file's own locks requires opening it, which may write to a
 * damaged file.
 */
export function createPresence(file: string): Presence {
  const lock = createFileLock(file);
  return {
    enter: () => lock.take('BEGIN; SELECT 1 FROM sqlite_schema'),
    enterAlone: () => lock.take('BEGIN EXCLUSIVE'),
    leave: () => lock.free(),
  };
}
