import * as z from 'zod';
import { PlacedKind } from '../../../shared/model/placed-field.ts';

/* What a thread says of a stranger's file. */

/** Of any buffer; a shared one is never made here. */
export const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

export const Prepared = z.object({
  data: Bytes,
  ending: z.enum(['docx', 'odt']),
  hasAnchors: z.boolean(),
  codes: z.array(
    z.object({
      anchor: z.string(),
      name: z.string(),
      kind: PlacedKind,
      options: z.array(z.string()),
    }),
  ),
});
