import * as z from 'zod';
import { call } from './call.ts';
import { ConnectionId, Instant } from '../model/ids.ts';
import { SavedFile } from './agreements.ts';

/** Number of days ahead for which the board shows expiries. */
export const boardDays = [14, 30, 90] as const;
export const BoardDays = z.union([z.literal(14), z.literal(30), z.literal(90)]);
export type BoardDays = z.infer<typeof BoardDays>;

const count = z.number().int();
/** Milliseconds from sending to the last signature: median and 90th percentile. */
const durationFields = { count, median: z.number(), ninety: z.number() } as const;

export const FailedKind = z.enum([
  'send-refused',
  'send-unclear',
  'action-refused',
  'action-unclear',
  'archive-file',
  'archive-run',
]);
export type FailedKind = z.infer<typeof FailedKind>;

/** Statistics from the copies on this computer, and the number of agreements they exclude. */
export const Board = z.object({
  at: Instant,
  days: BoardDays,
  /** Open agreements by days since sending. `to` is null for no upper limit. */
  waiting: z.object({
    bars: z.array(z.object({ from: count, to: count.nullable(), count })),
    /** Number of agreements whose time of sending the service does not report. */
    unknown: count,
  }),
  /** Time until signing, for the last twelve months by the time the agreement closed. */
  signing: z.object({
    /**
     * Durations by month (`2026-11`), earliest first; months without signed agreements are omitted.
     */
    months: z.array(z.object({ month: z.string(), ...durationFields })),
    /**
     * Durations by template, most used first; null for agreements without a template that this
     * computer knows.
     */
    templates: z.array(z.object({ template: z.string().nullable(), ...durationFields })),
    moreTemplates: count,
    /** Number of signed agreements whose time of sending or closing is not known. */
    unknown: count,
  }),
  /** Open agreements by expiry, in days, or in weeks if there are many. `to` is exclusive. */
  expiring: z.object({
    bars: z.array(z.object({ from: Instant, to: Instant, count })),
    unknown: count,
    /** Number of agreements that are past their expiry, but still open according to the service. */
    past: count,
  }),
  failed: z.object({
    bars: z.array(z.object({ kind: FailedKind, count })),
    /** Time from which refused actions are counted; all other numbers are the current state. */
    since: Instant,
  }),
});
export type Board = z.infer<typeof Board>;

const label = z.string().max(300);

/** A bar plot with the caller's texts; each group has a value for each series. */
export const BoardChart = z.object({
  title: label,
  /** Notes that explain the numbers and the exclusions. */
  notes: z.array(z.string().max(600)).max(8),
  /** Header of the table's first column. */
  group: label,
  /** Names of the series, one or two; the second series is drawn with a pattern. */
  series: z.array(label).min(1).max(2),
  /** Unit of the values; null if the values are counts. Each text includes its own unit. */
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
export type BoardChart = z.infer<typeof BoardChart>;

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
      plots: z.array(BoardChart).min(1).max(8),
    }),
    SavedFile,
  ),
} as const;
