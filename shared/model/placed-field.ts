import * as z from 'zod';
import { DayFormat } from './day-format.ts';
import { NumberFormat } from './number-format.ts';
import { PdfPlace } from './pdf-place.ts';

/** What can be placed on a page that has no form of its own. */
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

/** Points; a smaller box can neither be seen nor be clicked. */
export const LEAST_SIDE = 4;
/** More than a form holds that a person fills. */
export const MAX_PLACED = 2000;

/** Fonts that every viewer has (PDF 1.7, 9.6.2.2): Helvetica, Times and Courier. */
export const FontFace = z.enum(['sans', 'serif', 'mono']);
export type FontFace = z.infer<typeof FontFace>;

/** A field as a person draws it; the boxes are of the page as it is stored, however it is turned. */
export const PlacedField = z.object({
  /** A full stop would make a group of it (PDF 1.7, 12.7.3.2). */
  name: z
    .string()
    .trim()
    .min(1)
    .max(120)
    .regex(/^[^.\u0000-\u001f]+$/u),
  kind: PlacedKind,
  /** Several always show the same value. */
  places: z.array(PdfPlace).min(1).max(MAX_PLACED),
  /** What a screen reader says; empty for the name. */
  label: z.string().max(200),
  required: z.boolean(),
  /** Characters; null for as many as fit. */
  maxLength: z.number().int().min(1).max(10_000).nullable(),
  /** Points; null for as large as the box allows. */
  fontSize: z.number().min(4).max(72).nullable(),
  /** Of what is written there; absent for one without serifs. */
  font: FontFace.optional(),
  align: z.enum(['left', 'center', 'right']),
  /** Of a choice. */
  options: z.array(z.string().min(1).max(200)).max(500),
  /** What it holds from the start; `true` for a box that is checked. */
  value: z.string().max(10_000),
  /** Of a date: how an answer is written there; absent for year-month-day. */
  format: DayFormat.optional(),
  /** Of a number: how it is written there; absent for as it was given. */
  number: NumberFormat.optional(),
});
export type PlacedField = z.infer<typeof PlacedField>;

export const PlacedFields = z.array(PlacedField).max(MAX_PLACED);

/** A place that looks as if something were to be filled in there, and by what that was seen. */
export const FoundPlace = z.object({
  field: PlacedField,
  by: z.enum(['anchor', 'blank', 'rule', 'cell', 'box']),
});
export type FoundPlace = z.infer<typeof FoundPlace>;
