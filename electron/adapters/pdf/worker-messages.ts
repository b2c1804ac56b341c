import * as z from 'zod';
import { PdfForm, PdfValues } from '../../../shared/model/pdf-form.ts';
import { Failure } from '../../../shared/errors.ts';

/** Of any buffer; a shared one is never made here. */
const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

/** What the worker is asked, one thing at a time. */
export const Ask = z.discriminatedUnion('do', [
  z.object({ do: z.literal('read'), data: Bytes }),
  z.object({ do: z.literal('merge'), data: Bytes, values: PdfValues, flatten: z.boolean() }),
  z.object({ do: z.literal('compile'), data: Bytes, letters: z.array(z.string()) }),
  z.object({ do: z.literal('fill'), form: z.number(), values: PdfValues }),
  z.object({ do: z.literal('close'), form: z.number() }),
]);
export type Ask = z.infer<typeof Ask>;

export const Merged = z.object({
  data: Bytes,
  filled: z.number(),
  unfilled: z.array(z.string()).readonly(),
});
export const Read = PdfForm;
export const Compiled = z.object({ number: z.number(), form: PdfForm });
export const Closed = z.null();

/** Only failures the program throws on purpose keep their words; others tell their stack to the log. */
export const Reply = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), failure: Failure.nullable(), stack: z.string() }),
]);
export type Reply = z.infer<typeof Reply>;
