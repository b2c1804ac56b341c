import * as z from 'zod';

/** Instructions of a harness for the program that it starts, passed in one environment variable. */
export const Order = z.object({
  folder: z.string(),
  keyfile: z.string(),
  api: z.enum(['v1', 'v2']),
  url: z.string(),
  secret: z.string(),
  accountId: z.string().nullable(),
  begin: z.number(),
  factor: z.number(),
  /** Number of rows of the one batch, armed by the first process that gets that far. */
  rows: z.number().int(),
  policy: z.enum(['ask', 'auto']),
  /** Size of the file that is sent with each row; 0 for none. */
  bytes: z.number().int(),
  /**
   * Kill point at which the process ends itself when it passes the point for the `killNth` time.
   */
  killAt: z.string().nullable(),
  killNth: z.number().int(),
});
export type Order = z.infer<typeof Order>;
