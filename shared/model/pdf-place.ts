import * as z from 'zod';

/** Position of a field. `box` is in PDF points, with the origin at the page's lower left. */
export const PdfPlace = z.object({
  /** Page number; 1 for the first page. */
  page: z.number().int(),
  box: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }),
});
export type PdfPlace = z.infer<typeof PdfPlace>;
