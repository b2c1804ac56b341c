import * as z from 'zod';

/** What a harness tells the program it starts, by one environment variable. */
export const Order = z.object({
  folder: z.string(),
  keyfile: z.string(),
  api: z.enum(['v1', 'v2']),
  url: z.string(),
  secret: z.string(),
  accountId: z.string().nullable(),
  begin: z.number(),
  factor: z.number(),
  /** Rows of the one batch, armed by the first process that comes so far. */
  rows: z.number().int(),
  policy: z.enum(['ask', 'auto']),
  /** Files of this size go with each row; 0 for none. */
  bytes: z.number().int(),
  /** The process ends itself at this moment, the n-th time that it passes. */
  killAt: z.string().nullable(),
  killNth: z.number().int(),
});
export type Order = z.infer<typeof Order>;
