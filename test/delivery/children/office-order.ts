import * as z from 'zod';

/** Instructions of a harness for a computer of an office, passed in one environment variable. */
export const OfficeOrder = z.object({
  folder: z.string(),
  keyfile: z.string(),
  url: z.string(),
  secret: z.string(),
  begin: z.number(),
  factor: z.number(),
  /** Milliseconds by which this computer's clock is ahead. */
  ahead: z.number(),
  /** Number of rows, all of which every computer of the office has in its batches. */
  rows: z.number().int(),
  /** Index of the computer; each computer starts with another batch. */
  at: z.number().int(),
  /**
   * Id of a computer that does not come back, so that others settle its sends; null if all come
   * back.
   */
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
