import * as z from 'zod';
import { DayFormat } from './day-format.ts';
import { Calculation, FormCheck, FormFormat } from './form-scripts.ts';
import { NumberFormat } from './number-format.ts';
import { PdfPlace } from './pdf-place.ts';
import { PlacedFields } from './placed-field.ts';

export const PdfWidget = PdfPlace.extend({
  /** Value of a checkbox or radio button at this place. */
  onValue: z.string().optional(),
});
export type PdfWidget = z.infer<typeof PdfWidget>;

/** A field of a PDF form (AcroForm); the user sees several places with one name as one field. */
export const PdfField = z.object({
  name: z.string(),
  type: z.enum(['text', 'checkbox', 'radio', 'choice', 'signature', 'button']),
  /** Page of the field's first place; 1 for the first page. */
  page: z.number().int(),
  value: z.string(),
  /** Displayed entries of a list. */
  options: z.array(z.string()).optional(),
  /** Stored values for `options`, if they differ. */
  exports: z.array(z.string()).optional(),
  maxLength: z.number().int().optional(),
  multiline: z.boolean(),
  required: z.boolean(),
  readOnly: z.boolean(),
  /** One cell for each of `maxLength` characters. */
  comb: z.boolean().optional(),
  /** All characters of its font, if the font cannot be replaced: a bar code, OCR, symbols. */
  alphabet: z.string().optional(),
  /** A script of the form calculates its value. Scripts are never run here. */
  calculated: z.boolean().optional(),
  /** That calculation, if it is one simple call, which the program then applies. */
  calculation: Calculation.optional(),
  /** A script of the form formats the value. */
  format: FormFormat.optional(),
  /** A script of the form validates or changes the value. */
  check: FormCheck.optional(),
  /** Viewers hide the input. A value in the PDF could be read by everyone. */
  password: z.boolean().optional(),
  /** A choice that also accepts free text. */
  editable: z.boolean().optional(),
  /** A list that allows several choices. */
  multiple: z.boolean().optional(),
  /** Day format, if it was drawn here as a date field. */
  day: DayFormat.optional(),
  /** Number format, if it was drawn here as a number field. */
  number: NumberFormat.optional(),
  /** Name in earlier versions of the program, which a template or draft may still use. */
  formerName: z.string().optional(),
  /** The form's own label for screen readers. */
  label: z.string().optional(),
  places: z.array(PdfWidget).optional(),
});
export type PdfField = z.infer<typeof PdfField>;

/** Notices about a PDF that can be read anyway. */
export const PdfNotice = z.enum([
  'no-fields',
  'xfa',
  'already-signed',
  'owner-locked',
  // Bytes before `%PDF-`, which some readers reject.
  'late-start',
  // Scripts, launch actions, rich media, links to local files.
  'active-content',
  'embedded-files',
  'fonts-missing',
  // Layers, and annotations outside the visible page: two readers may see two texts.
  'hidden-parts',
  'unusual-size',
  // Two fields with the same name: they always show the same value.
  'shared-names',
  // Fields that the form does not list, or without the name needed to fill them.
  'stray-fields',
]);
export type PdfNotice = z.infer<typeof PdfNotice>;

export const PdfForm = z.object({
  pages: z.number().int(),
  fields: z.array(PdfField),
  notices: z.array(PdfNotice),
  /** Fields that were drawn here; the file without them is unchanged. */
  placed: PlacedFields.optional(),
});
export type PdfForm = z.infer<typeof PdfForm>;

/** Values by field name, as the user writes them; `fitValue` converts them. */
export const PdfValues = z.record(z.string(), z.union([z.string(), z.boolean()]));
export type PdfValues = z.infer<typeof PdfValues>;
