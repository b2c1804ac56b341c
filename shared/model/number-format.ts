import * as z from 'zod';

/** Format of a number in a document, as an example. */
export const NumberFormat = z.enum([
  '1 234',
  '1 234,50',
  '1.234,50',
  '1,234.50',
  '1234,50',
  '1234.50',
]);
export type NumberFormat = z.infer<typeof NumberFormat>;
