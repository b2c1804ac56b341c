import * as z from 'zod';

/** How a script of the form writes what is typed into a field (Acrobat's `AFNumber_Format` and others). */
export const FormFormat = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('number'),
    /** Digits after the decimal mark. */
    places: z.number().int(),
    /** Separates groups of three digits; empty where digits are not grouped. */
    group: z.enum(['', ',', '.', "'"]),
    /** The decimal mark. */
    point: z.enum(['.', ',']),
    /** How a negative number is shown. By colour alone: it then has no sign, and is drawn in red. */
    negative: z.enum(['minus', 'parentheses', 'colour']),
    /** The currency where it comes first, with its blanks; else empty. */
    before: z.string(),
    /** The currency where it comes last, with its blanks; else empty. */
    after: z.string(),
  }),
  z.object({
    kind: z.literal('day'),
    /** Of `d`, `dd`, `m`, `mm`, `mmm`, `mmmm`, `yy` and `yyyy`, and of blanks and `.,/-` between them. */
    pattern: z.string(),
  }),
  /** A script that is not understood here. */
  z.object({ kind: z.literal('other') }),
]);
export type FormFormat = z.infer<typeof FormFormat>;

/** How a script of the form calculates a field from others (Acrobat's `AFSimple_Calculate`). */
export const Calculation = z.object({
  how: z.enum(['SUM', 'PRD', 'AVG', 'MIN', 'MAX']),
  /** Names of fields, or of groups of fields. */
  of: z.array(z.string()),
  /** The field's place in the form's order of calculation (PDF 1.7, 12.7.2, `CO`). */
  order: z.number().int(),
});
export type Calculation = z.infer<typeof Calculation>;

/** How a script of the form checks what is typed (Acrobat's `AFRange_Validate`). */
export const FormCheck = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('range'),
    /** The least and the greatest number, as the script writes them; null where there is none. */
    least: z.string().nullable(),
    most: z.string().nullable(),
  }),
  /** A script that is not understood here. It may change the text too. */
  z.object({ kind: z.literal('other') }),
]);
export type FormCheck = z.infer<typeof FormCheck>;
