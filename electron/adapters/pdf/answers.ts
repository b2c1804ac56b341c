import * as z from 'zod';
import { UnsureField } from '../../../shared/contract/templates.ts';
import { MissingCharacter, TextFit } from '../../../shared/errors.ts';
import { PageGuides } from '../../../shared/model/page-guides.ts';
import { PdfForm } from '../../../shared/model/pdf-form.ts';
import { FoundPlace, PlacedFields } from '../../../shared/model/placed-field.ts';

/* Answers of the thread about an untrusted file. */

/** Bytes on any type of buffer; this program never creates shared buffers for them. */
export const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

export const MergedPdfAnswer = z.object({
  data: Bytes,
  filled: z.number(),
  unfilled: z.array(z.string()).readonly(),
});
export const FoundPlacesAnswer = z.array(FoundPlace);
export const CarriedFieldsAnswer = z.object({ fits: PlacedFields, unsure: z.array(UnsureField) });
export const PageGuidesAnswer = z.array(PageGuides);
export const MissingCharactersAnswer = z.array(MissingCharacter.omit({ field: true }).nullable());
export const TextFitsShape = z.array(TextFit.nullable());
export const CompiledFormAnswer = z.object({ number: z.number(), form: PdfForm });
