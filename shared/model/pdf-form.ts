import * as z from 'zod';
import { DayFormat } from './day-format.ts';
import { Calculation, FormCheck, FormFormat } from './form-scripts.ts';
import { NumberFormat } from './number-format.ts';
import { PdfPlace } from './pdf-place.ts';
import { PlacedFields } from './placed-field.ts';

/** One place where a field is drawn. */
export const PdfWidget = PdfPlace.extend({
  /** The value a checkbox or a radio button stands for at this place. */
  onValue: z.string().optional(),
});
export type PdfWidget = z.infer<typeof PdfWidget>;

/** A field of a PDF form (AcroForm); several places of one name are one field to a person. */
export const PdfField = z.object({
  name: z.string(),
  type: z.enum(['text', 'checkbox', 'radio', 'choice', 'signature', 'button']),
  /** 1 for the first page; of the field's first place. */
  page: z.number().int(),
  value: z.string(),
  /** Of a list: as they are shown. */
  options: z.array(z.string()).optional(),
  /** What the PDF holds for each of `options`, where that is another text. */
  exports: z.array(z.string()).optional(),
  maxLength: z.number().int().optional(),
  multiline: z.boolean(),
  required: z.boolean(),
  readOnly: z.boolean(),
  /** One cell for each of `maxLength` characters. */
  comb: z.boolean().optional(),
  /** The only letters of its font, which cannot be another one: a bar code, OCR, symbols. */
  alphabet: z.string().optional(),
  /** A script of the form calculates its value. Scripts are never run here. */
  calculated: z.boolean().optional(),
  /** What that script calculates, where it is one simple call, which is then applied here. */
  calculation: Calculation.optional(),
  /** A script of the form writes what is typed in its own way. */
  format: FormFormat.optional(),
  /** A script of the form checks what is typed, or changes it. */
  check: FormCheck.optional(),
  /** Viewers hide what is typed. A value in the PDF could be read by everyone. */
  password: z.boolean().optional(),
  /** A choice that also takes a text of one's own. */
  editable: z.boolean().optional(),
  /** A list of which several may be chosen. */
  multiple: z.boolean().optional(),
  /** It was drawn here for a day, which is written so. */
  day: DayFormat.optional(),
  /** It was drawn here for a number, which is written so. */
  number: NumberFormat.optional(),
  /** How earlier versions called it, under which a template or a draft may know it still. */
  formerName: z.string().optional(),
  /** What the form's maker wrote for people who hear the field instead of seeing it. */
  label: z.string().optional(),
  places: z.array(PdfWidget).optional(),
});
export type PdfField = z.infer<typeof PdfField>;

/** What is worth knowing of a PDF that can be read all the same. */
export const PdfNotice = z.enum([
  'no-fields',
  'xfa',
  'already-signed',
  'owner-locked',
  // Junk before `%PDF-`, which some readers refuse.
  'late-start',
  // Scripts, launch actions, rich media, links to local files.
  'active-content',
  'embedded-files',
  'fonts-missing',
  // Layers, and annotations outside the visible page: two readers may see two texts.
  'hidden-parts',
  'unusual-size',
  // Two fields of one name: they always show the same value.
  'shared-names',
  // Fields that the form does not list, or without a name, by which they could be filled.
  'stray-fields',
]);
export type PdfNotice = z.infer<typeof PdfNotice>;

export const PdfForm = z.object({
  pages: z.number().int(),
  fields: z.array(PdfField),
  notices: z.array(PdfNotice),
  /** Fields that were placed here, on a file that stays as it was beneath them. */
  placed: PlacedFields.optional(),
});
export type PdfForm = z.infer<typeof PdfForm>;

/** Texts as a person writes them, by the field's name; `fitValue` says what each of them does. */
export const PdfValues = z.record(z.string(), z.union([z.string(), z.boolean()]));
export type PdfValues = z.infer<typeof PdfValues>;
