import * as z from 'zod';
import { call } from './call.ts';
import { BytesId } from './ids.ts';

/** A field of a PDF form (AcroForm). `box` is in PDF points, origin at the page's lower left. */
export const PdfField = z.object({
  name: z.string(),
  type: z.enum(['text', 'checkbox', 'radio', 'choice', 'signature', 'button']),
  /** 1 for the first page. */
  page: z.number().int(),
  value: z.string(),
  options: z.array(z.string()).optional(),
  maxLength: z.number().int().optional(),
  multiline: z.boolean(),
  required: z.boolean(),
  readOnly: z.boolean(),
});
export type PdfField = z.infer<typeof PdfField>;

export const PdfNotice = z.enum(['no-fields', 'xfa', 'already-signed', 'owner-locked']);

export const PdfForm = z.object({
  pages: z.number().int(),
  fields: z.array(PdfField),
  notices: z.array(PdfNotice),
});
export type PdfForm = z.infer<typeof PdfForm>;

/** A checkbox takes `true` or `false`, in words; radio and choice take one of the options. */
export const PdfValues = z.record(z.string(), z.union([z.string(), z.boolean()]));
export type PdfValues = z.infer<typeof PdfValues>;

export const templateCalls = {
  'templates.fields': call(z.object({ bytes: BytesId }), PdfForm),
  /** The merged file waits under `out` on the private origin. */
  'templates.merge': call(
    z.object({ bytes: BytesId, values: PdfValues, flatten: z.boolean() }),
    z.object({
      out: BytesId,
      bytes: z.number().int(),
      sha256: z.string(),
      filled: z.number().int(),
      unfilled: z.array(z.string()),
    }),
  ),
} as const;
