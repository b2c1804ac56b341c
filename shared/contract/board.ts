import * as z from 'zod';
import { call } from './call.ts';
import { ConnectionId, Instant } from '../model/ids.ts';
import { SavedFile } from './agreements.ts';

/** How many days ahead the board looks for what expires. */
export const boardDays = [14, 30, 90] as const;
export const BoardDays = z.union([z.literal(14), z.literal(30), z.literal(90)]);
export type BoardDays = z.infer<typeof BoardDays>;

const count = z.number().int();
/** Milliseconds from sending to the last signature: half took no longer, and nine in ten. */
const took = { count, median: z.number(), ninety: z.number() } as const;

export const FailedKind = z.enum([
  'send-refused',
  'send-unclear',
  'action-refused',
  'action-unclear',
  'archive-file',
  'archive-run',
]);
export type FailedKind = z.infer<typeof FailedKind>;

/** The numbers of the office, from the copies on this computer, and what they leave out. */
export const Board = z.object({
  at: Instant,
  days: BoardDays,
  /** Agreements sent, open and still there, by days since they were sent; null has no end. */
  waiting: z.object({
    bars: z.array(z.object({ from: count, to: count.nullable(), count })),
    /** The service does not say when they were sent. */
    unknown: count,
  }),
  /** Of the last twelve months, by when the agreement closed. */
  signing: z.object({
    /** As `2026-11`, the earliest first; months in which nothing was signed have none. */
    months: z.array(z.object({ month: z.string(), ...took })),
    /** The most used first; null is of no template that is known here. */
    templates: z.array(z.object({ template: z.string().nullable(), ...took })),
    moreTemplates: count,
    /** Signed, but when it was sent or closed is not known. */
    unknown: count,
  }),
  /** Open agreements by when they expire: days, or weeks where there are many. `to` is not included. */
  expiring: z.object({
    bars: z.array(z.object({ from: Instant, to: Instant, count })),
    /** No expiry is known. */
    unknown: count,
    /** Past their expiry, and the service still calls them open. */
    past: count,
  }),
  failed: z.object({
    bars: z.array(z.object({ kind: FailedKind, count })),
    /** Refused actions are counted from here on; all else is as it is now. */
    since: Instant,
  }),
});
export type Board = z.infer<typeof Board>;

const label = z.string().max(300);

/** A plot of bars in the words of whoever asks; of each group a value for each series. */
export const Plot = z.object({
  title: label,
  /** What is counted, and what is left out. */
  notes: z.array(z.string().max(600)).max(8),
  /** What the groups are: the head of the table's first column. */
  group: label,
  /** One or two; the second is drawn with a pattern. */
  series: z.array(label).min(1).max(2),
  /** Of the values, where they are no counts; each text says its own. */
  unit: label.nullable(),
  groups: z
    .array(
      z.object({
        label,
        values: z
          .array(z.object({ value: z.number(), text: label }))
          .min(1)
          .max(2),
      }),
    )
    .max(100),
});
export type Plot = z.infer<typeof Plot>;

export const boardCalls = {
  'board.read': call(
    z.object({ connectionId: ConnectionId.optional(), days: BoardDays.default(30) }),
    Board,
  ),
  /** Saves plots as one table (CSV), or one plot as a picture (SVG); `file` must not exist. */
  'board.save': call(
    z.object({
      file: z.string().min(1),
      form: z.enum(['csv', 'svg']),
      plots: z.array(Plot).min(1).max(8),
    }),
    SavedFile,
  ),
} as const;
