import * as z from 'zod';
import { DayFormat } from './day-format.ts';
import { Calculation, FormCheck, FormFormat } from './form-scripts.ts';
import { NumberFormat } from './number-format.ts';
import { PdfPlace } from './pdf-place.ts';
import { PlacedFields } from './placed-field.ts';

export const PdfWidget = PdfPlace.extend({
  /** Value that a checkbox or radio button has when this widget is selected. */
  onValue: z.string().optional(),
});
export type PdfWidget = z.infer<typeof PdfWidget>;

/** A field of a PDF form (AcroForm). Several widgets with one name are one field for the user. */
export const PdfField = z.object({
  name: z.string(),
  type: z.enum(['text', 'checkbox', 'radio', 'choice', 'signature', 'button']),
  /** Page number of the field's first position; 1 for the first page. */
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
  /** Whether the field has one cell for each of `maxLength` characters. */
  comb: z.boolean().optional(),
  /**
   * All characters of the field's font, if the font cannot be replaced: a bar code, OCR, symbols.
   */
  alphabet: z.string().optional(),
  /** Whether a script of the form calculates the field's value. The program never runs scripts. */
  calculated: z.boolean().optional(),
  /**
   * Calculation of the value, if the script is one simple call, which the program then applies
   * itself.
   */
  calculation: Calculation.optional(),
  /** Format of the value, if a script of the form formats it. */
  format: FormFormat.optional(),
  /** Check of the value, if a script of the form validates or changes it. */
  check: FormCheck.optional(),
  /**
   * Whether the field is a password field: viewers hide the input, but everyone could read the
   * value in the PDF.
   */
  password: z.boolean().optional(),
  /** Whether a choice also accepts free text. */
  editable: z.boolean().optional(),
  /** Whether a list allows several choices. */
  multiple: z.boolean().optional(),
  /** Date format, if the user drew this field in the program as a date field. */
  day: DayFormat.optional(),
  /** Number format, if the user drew this field in the program as a number field. */
  number: NumberFormat.optional(),
  /**
   * Name of the field in earlier versions of the program, which a template or draft may still use.
   */
  formerName: z.string().optional(),
  /** The form's own label of the field, for screen readers. */
  label: z.string().optional(),
  places: z.array(PdfWidget).optional(),
});
export type PdfField = z.infer<typeof PdfField>;

/** Notices about a PDF that can still be read. */
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
  /** Fields that the user drew in the program; the PDF file without them is unchanged. */
  placed: PlacedFields.optional(),
});
export type PdfForm = z.infer<typeof PdfForm>;

/** Values by field name, as the user writes them; `fitValue` converts them. */
export const PdfValues = z.record(z.string(), z.union([z.string(), z.boolean()]));
export type PdfValues = z.infer<typeof PdfValues>;
