import * as z from 'zod';
import { PageGuides } from '../../../shared/model/page-guides.ts';
import { PdfForm, PdfValues } from '../../../shared/model/pdf-form.ts';
import { UnsureField } from '../../../shared/contract/templates.ts';
import { FoundPlace, PlacedFields } from '../../../shared/model/placed-field.ts';
import { Failure, MissingLetter, TextFit } from '../../../shared/errors.ts';

/** Of any buffer; a shared one is never made here. */
const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

/** What the worker is given when it starts. */
export const Given = z.object({ fontFolders: z.array(z.string()) });
export type Given = z.infer<typeof Given>;

/** What the worker is asked, one thing at a time. */
export const Ask = z.discriminatedUnion('do', [
  z.object({ do: z.literal('read'), data: Bytes }),
  z.object({ do: z.literal('find'), data: Bytes }),
  z.object({ do: z.literal('guides'), data: Bytes }),
  z.object({ do: z.literal('place'), data: Bytes, fields: PlacedFields }),
  z.object({ do: z.literal('carry'), before: Bytes, after: Bytes, fields: PlacedFields }),
  z.object({ do: z.literal('merge'), data: Bytes, values: PdfValues, flatten: z.boolean() }),
  z.object({ do: z.literal('missing'), texts: z.array(z.string()) }),
  z.object({
    do: z.literal('fits'),
    data: Bytes,
    values: z.array(z.object({ field: z.string(), text: z.string() })),
  }),
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
export const Found = z.object({ found: z.array(FoundPlace) });
export const Carried = z.object({ fits: PlacedFields, unsure: z.array(UnsureField) });
export const Guided = z.object({ pages: z.array(PageGuides) });
export const WithFields = z.object({ data: Bytes });
export const Missing = z.object({
  missing: z.array(MissingLetter.omit({ field: true }).nullable()),
});
export const Fits = z.object({ fits: z.array(TextFit.nullable()) });
export const Compiled = z.object({ number: z.number(), form: PdfForm });
export const Closed = z.null();

/** Said before the reply, while somebody waits for a long piece of work. */
export const Progress = z.object({ done: z.number(), total: z.number() });
export type Progress = z.infer<typeof Progress>;

/** Only failures the program throws on purpose keep their words; others tell their stack to the log. */
export const Reply = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), failure: Failure.nullable(), stack: z.string() }),
]);
export type Reply = z.infer<typeof Reply>;
