import * as z from 'zod';
import { Instant } from '../../model/ids.ts';

/** Stands in a folder in which the desks of an office take turns. */
export const FOLDER_MARK = '.signing-desk-office.json';

/** More than the rules of an office that lead to one folder. */
const MAX_DONE = 100;

const Done = z.object({
  desk: z.uuid(),
  /** Who sits there, for whoever opens the file. */
  seat: z.string(),
  /** By the office's clock. */
  at: Instant,
  /** The hash of the ids of all that it was about. */
  items: z.string(),
});
export type FolderDone = z.infer<typeof Done>;

const FolderMark = z.object({
  /** What it is, for whoever finds it. */
  note: z.string(),
  /** The same at every desk, whatever path leads there. */
  folder: z.uuid(),
  /** Of the turn that worked here last: it only grows. */
  number: z.int().min(0),
  /** Drawn for that turn: what tells two apart that the office could not number. */
  turn: z.uuid().nullable(),
  /** What was done in whole, by the hash of its terms. */
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

/** Null for what no desk wrote. */
export function readFolderMark(text: string): FolderMark | null {
  try {
    const mark = FolderMark.safeParse(JSON.parse(text));
    return mark.success ? mark.data : null;
  } catch {
    return null;
  }
}

/** With what was done now; the oldest is forgotten beyond what an office has rules. */
export function withDone(mark: FolderMark, what: string, done: FolderDone): FolderMark {
  const others = Object.entries(mark.done).filter(([one]) => one !== what);
  const newest = others.toSorted(([, one], [, other]) => other.at - one.at).slice(0, MAX_DONE - 1);
  return { ...mark, done: Object.fromEntries([[what, done], ...newest]) };
}
