import * as z from 'zod';

/** Order of a harness for a desk of an office, passed in one environment variable. */
export const OfficeOrder = z.object({
  folder: z.string(),
  keyfile: z.string(),
  url: z.string(),
  secret: z.string(),
  begin: z.number(),
  factor: z.number(),
  /** Milliseconds by which this desk's clock is ahead. */
  ahead: z.number(),
  /** Number of rows, which every desk of the office has in batches. */
  rows: z.number().int(),
  /** Index of the desk; each starts with another batch. */
  at: z.number().int(),
  /** Id of a desk that does not come back, so that others settle its sends. */
  gone: z.string().nullable(),
  killAt: z.string().nullable(),
  killNth: z.number().int(),
  office: z.object({
    port: z.number().int(),
    database: z.string(),
    role: z.string(),
    password: z.string(),
    id: z.string(),
    desk: z.string(),
    seat: z.string(),
    key: z.base64(),
  }),
});
export type OfficeOrder = z.infer<typeof OfficeOrder>;
