import * as z from 'zod';
import { PlacedKind } from '../../../shared/model/placed-field.ts';

/* Answers of a thread about an untrusted file. */

/** Bytes on any type of buffer; this program never creates shared buffers for them. */
export const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

export const PreparedDocumentShape = z.object({
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
