import * as z from 'zod';
import { Failure } from '../../../shared/errors.ts';
import { PlacedKind } from '../../../shared/model/placed-field.ts';

/** Of any buffer; a shared one is never made here. */
const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

/** What the thread is asked. */
export const Task = z.discriminatedUnion('task', [
  z.object({ task: z.literal('prepare'), data: Bytes, codes: z.boolean() }),
  z.object({ task: z.literal('clean'), data: Bytes }),
  z.object({ task: z.literal('picture'), data: Bytes, kind: z.enum(['jpeg', 'png']) }),
  z.object({ task: z.literal('outside'), data: Bytes, kind: z.enum(['rtf', 'doc']) }),
]);
export type Task = z.infer<typeof Task>;

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
export const Made = z.object({ data: Bytes });

export const Reply = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), failure: Failure }),
]);
export type Reply = z.infer<typeof Reply>;
