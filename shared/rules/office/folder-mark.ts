import * as z from 'zod';
import { Instant } from '../../model/ids.ts';

/** File in a folder where the computers of an office take turns. */
export const FOLDER_MARK = '.signing-desk-office.json';

/** Maximum number of completed works in the file: more than an office's rules for one folder. */
const MAX_DONE_ENTRIES = 100;

const Done = z.object({
  desk: z.uuid(),
  /** Name of the user whose computer did the work, for anyone who opens the file. */
  seat: z.string(),
  /** Time of the work, by the office's clock. */
  at: Instant,
  /** Hash of the IDs of all processed items. */
  items: z.string(),
});
export type FolderDone = z.infer<typeof Done>;

const FolderMark = z.object({
  /** Text that explains the file to anyone who finds it. */
  note: z.string(),
  /** ID of the folder, equal on every computer regardless of the folder's path. */
  folder: z.uuid(),
  /** Number of the last turn in the folder; only increases. */
  number: z.int().min(0),
  /** Random ID of the last turn, which distinguishes turns that the office could not number. */
  turn: z.uuid().nullable(),
  /** Completed work, by the hash of its parameters. */
  done: z.record(z.string(), Done),
});
export type FolderMark = z.infer<typeof FolderMark>;

export const newFolderMark = (folder: string): FolderMark => ({
  note: 'Signing Desk wrote this: the computers of one office take turns in this folder.',
  folder,
  number: 0,
  turn: null,
  done: {},
});

/** Parses the file; null if no computer of an office wrote it. */
export function readFolderMark(text: string): FolderMark | null {
  try {
    const mark = FolderMark.safeParse(JSON.parse(text));
    return mark.success ? mark.data : null;
  } catch {
    return null;
  }
}

/** Adds completed work; the oldest entries are dropped above the maximum. */
export function withCompletedWork(mark: FolderMark, what: string, done: FolderDone): FolderMark {
  const others = Object.entries(mark.done).filter(([one]) => one !== what);
  const newest = others
    .toSorted(([, one], [, other]) => other.at - one.at)
    .slice(0, MAX_DONE_ENTRIES - 1);
  return { ...mark, done: Object.fromEntries([[what, done], ...newest]) };
}
