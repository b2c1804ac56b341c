import * as z from 'zod';
import { DayFormat } from './day-format.ts';
import { NumberFormat } from './number-format.ts';
import { PdfPlace } from './pdf-place.ts';

/** Kinds of fields that can be drawn on a page. */
export const PlacedKind = z.enum([
  'text',
  'lines',
  'date',
  'number',
  'checkbox',
  'choice',
  'signature',
  'initials',
  'seal',
]);
export type PlacedKind = z.infer<typeof PlacedKind>;

/** Minimum side of a field's box in points; a smaller box can be neither seen nor clicked. */
export const MIN_FIELD_SIDE = 4;
/** Maximum number of drawn fields: more than anyone fills in by hand. */
export const MAX_PLACED_FIELDS = 2000;

/** Fonts that every viewer has (PDF 1.7, 9.6.2.2): Helvetica, Times and Courier. */
export const FontFace = z.enum(['sans', 'serif', 'mono']);
export type FontFace = z.infer<typeof FontFace>;

/** A field drawn by the user; the boxes are those of the stored page, before rotation. */
export const PlacedField = z.object({
  /** Name of the field; without a full stop, which would make it a group (PDF 1.7, 12.7.3.2). */
  name: z
    .string()
    .trim()
    .min(1)
    .max(120)
    .regex(/^[^.\u0000-\u001f]+$/u),
  kind: PlacedKind,
  /** Positions of the field on the pages; all of them always show the same value. */
  places: z.array(PdfPlace).min(1).max(MAX_PLACED_FIELDS),
  /** Label for screen readers; if empty, the name is used. */
  label: z.string().max(200),
  required: z.boolean(),
  /** Maximum number of characters; null for as many as fit. */
  maxLength: z.number().int().min(1).max(10_000).nullable(),
  /** Font size in points; null for the largest size that fits. */
  fontSize: z.number().min(4).max(72).nullable(),
  /** Font of the field; default: sans serif. */
  font: FontFace.optional(),
  align: z.enum(['left', 'center', 'right']),
  /** Entries of a choice. */
  options: z.array(z.string().min(1).max(200)).max(500),
  /** Initial value; `true` for a checked box. */
  value: z.string().max(10_000),
  /** Day format of a date field; default: year-month-day. */
  format: DayFormat.optional(),
  /** Number format of a number field; default: unchanged. */
  number: NumberFormat.optional(),
});
export type PlacedField = z.infer<typeof PlacedField>;

export const PlacedFields = z.array(PlacedField).max(MAX_PLACED_FIELDS);

/** A position on a page that looks like a blank to fill in, and why. */
export const FoundPlace = z.object({
  field: PlacedField,
  by: z.enum(['anchor', 'blank', 'rule', 'cell', 'box']),
});
export type FoundPlace = z.infer<typeof FoundPlace>;
