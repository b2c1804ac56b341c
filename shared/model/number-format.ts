import * as z from 'zod';

/** How a number is written in a document, by the example of one. */
export const NumberFormat = z.enum([
  '1 234',
  '1 234,50',
  '1.234,50',
  '1,234.50',
  '1234,50',
  '1234.50',
]);
export type NumberFormat = z.infer<typeof NumberFormat>;
