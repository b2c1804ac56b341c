import * as z from 'zod';

/** What a harness tells a desk of an office that it starts, by one environment variable. */
export const OfficeOrder = z.object({
  folder: z.string(),
  keyfile: z.string(),
  url: z.string(),
  secret: z.string(),
  begin: z.number(),
  factor: z.number(),
  /** The clock of this desk is so many of its milliseconds ahead. */
  ahead: z.number(),
  /** Rows that every desk of the office has, shared out over batches. */
  rows: z.number().int(),
  /** Which desk it is: each begins with another batch. */
  at: z.number().int(),
  /** A desk that comes back no more: others settle what it has left. */
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
