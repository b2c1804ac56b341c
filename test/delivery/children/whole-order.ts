import * as z from 'zod';

/**
 * Instructions for the process of a whole computer. `does` says whether it works until it is
 * killed, or settles and reports its data.
 */
export const WholeOrder = z.object({
  /** Folder of the computer, with its data and its external state in separate folders. */
  folder: z.string(),
  keyfile: z.string(),
  begin: z.number(),
  factor: z.number(),
  seed: z.number(),
  does: z.enum(['work', 'settle']),
  /** Number of the day; drafts of later days wait. */
  day: z.number().int(),
  /**
   * Files with each computer's ids in the office; an id in none of them belongs to a lost computer.
   */
  ids: z.array(z.string()),
  /** Index of this computer in `ids`. */
  at: z.number().int(),
  /**
   * File with a line for each decision. It is written before the decision takes effect, and never
   * restored.
   */
  decisions: z.string(),
  /** File for the report after settling. */
  report: z.string(),
  killAt: z.string().nullable(),
  killNth: z.number().int(),
});
export type WholeOrder = z.infer<typeof WholeOrder>;

/**
 * A decision of the clerk. `again`: send the row once more. `proven`: send it once more, after two
 * scans without a match. `gave-up`: do not send it. `excuse`: the office stops waiting for a lost
 * computer. `rule`: a paused rule continues.
 */
export const Decision = z.object({
  what: z.enum(['again', 'proven', 'gave-up', 'excuse', 'rule']),
  /** Title of the agreement; empty for a decision about no agreement. */
  title: z.string(),
  /** Ids of the lost computers for `excuse`. */
  desks: z.array(z.string()),
  ref: z.string(),
  at: z.number(),
});
export type Decision = z.infer<typeof Decision>;

/** Data of a computer at the end. */
export const WholeReport = z.object({
  rows: z.array(
    z.object({
      ref: z.string(),
      title: z.string(),
      state: z.string(),
      verify: z.boolean(),
      isHeld: z.boolean(),
      remoteId: z.string().nullable(),
      reason: z.string().nullable(),
      steps: z.array(z.string()),
      /** Number of decisions in the journal to send the row again. */
      again: z.number(),
    }),
  ),
  drafts: z.array(z.string()),
  /** Open items of the office. */
  open: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      kind: z.string(),
      desk: z.string(),
      state: z.string(),
      startedAt: z.number(),
    }),
  ),
  /** Id of this computer in the office. */
  desk: z.string(),
  rules: z.array(z.string()),
});
export type WholeReport = z.infer<typeof WholeReport>;
