import { createFileLock } from './file-lock.ts';

/** Who has the data of a folder open: many at once, or one alone, who reads its raw files or moves them. */
export interface Presence {
  /** False while one is alone there. */
  enter(): boolean;
  /** False while anybody is there. */
  enterAlone(): boolean;
  leave(): void;
}

/** The data file's own locks can't be asked: who opens a damaged file may write to it. */
export function createPresence(file: string): Presence {
  const lock = createFileLock(file);
  return {
    enter: () => lock.take('BEGIN; SELECT 1 FROM sqlite_schema'),
    enterAlone: () => lock.take('BEGIN EXCLUSIVE'),
    leave: () => lock.free(),
  };
}
