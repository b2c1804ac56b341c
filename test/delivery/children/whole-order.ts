import * as z from 'zod';

/** What a process of a whole desk does: works until it is killed, or comes to rest and reports. */
export const WholeOrder = z.object({
  /** Of the desk; its data and what the computer keeps are in folders of their own there. */
  folder: z.string(),
  keyfile: z.string(),
  begin: z.number(),
  factor: z.number(),
  seed: z.number(),
  does: z.enum(['work', 'settle']),
  /** Drafts of later days wait. */
  day: z.number().int(),
  /** Files in which each desk writes its id in the office; a desk that is in none of them is gone. */
  ids: z.array(z.string()),
  /** The number of this desk in `ids`. */
  at: z.number().int(),
  /** A line for each decision of the clerk, before it is carried out. Nothing puts this file back. */
  decisions: z.string(),
  /** Where it reports what it has once it has come to rest. */
  report: z.string(),
  killAt: z.string().nullable(),
  killNth: z.number().int(),
});
export type WholeOrder = z.infer<typeof WholeOrder>;

/**
 * What a clerk decided. `again`: it may be sent once more. `proven`: the same, since the program says that the
 * service was looked through twice and has none. `gave-up`: it need not be sent. `excuse`: the office does not
 * wait for a desk that is gone. `rule`: a paused rule goes on.
 */
export const Decision = z.object({
  what: z.enum(['again', 'proven', 'gave-up', 'excuse', 'rule']),
  /** Empty for what is about no agreement. */
  title: z.string(),
  /** Desks, for `excuse`. */
  desks: z.array(z.string()),
  ref: z.string(),
  at: z.number(),
});
export type Decision = z.infer<typeof Decision>;

/** What a desk has in the end. */
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
      /** Decisions of a person that the journal has, to send it again. */
      again: z.number(),
    }),
  ),
  drafts: z.array(z.string()),
  /** What the office has open. */
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
  /** Of this desk, in the office. */
  desk: z.string(),
  rules: z.array(z.string()),
});
export type WholeReport = z.infer<typeof WholeReport>;
