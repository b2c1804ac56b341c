import * as z from 'zod';

/** How a script of the form formats a field's value (Acrobat's `AFNumber_Format` and others). */
export const FormFormat = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('number'),
    /** Number of digits after the decimal separator. */
    places: z.number().int(),
    /** Separator of groups of three digits; empty if digits are not grouped. */
    group: z.enum(['', ',', '.', "'"]),
    point: z.enum(['.', ',']),
    /** Format of a negative number. `colour`: without a sign, in red. */
    negative: z.enum(['minus', 'parentheses', 'colour']),
    /** Currency before the number, with its spaces; empty if there is none. */
    before: z.string(),
    /** Currency after the number, with its spaces; empty if there is none. */
    after: z.string(),
  }),
  z.object({
    kind: z.literal('day'),
    /**
     * Pattern of the date: `d`, `dd`, `m`, `mm`, `mmm`, `mmmm`, `yy` and `yyyy`, with spaces and
     * `.,/-` between them.
     */
    pattern: z.string(),
  }),
  /** A script that the program does not recognise. */
  z.object({ kind: z.literal('other') }),
]);
export type FormFormat = z.infer<typeof FormFormat>;

/** How a script of the form calculates a field from others (Acrobat's `AFSimple_Calculate`). */
export const Calculation = z.object({
  how: z.enum(['SUM', 'PRD', 'AVG', 'MIN', 'MAX']),
  /** Names of the fields, or groups of fields, from which the value is calculated. */
  of: z.array(z.string()),
  /** Position in the form's calculation order (PDF 1.7, 12.7.2, `CO`). */
  order: z.number().int(),
});
export type Calculation = z.infer<typeof Calculation>;

/** How a script of the form validates a value (Acrobat's `AFRange_Validate`). */
export const FormCheck = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('range'),
    /** Minimum (`least`) and maximum as written in the script; null if the script has none. */
    least: z.string().nullable(),
    most: z.string().nullable(),
  }),
  /** A script that the program does not recognise, and that may also change the text. */
  z.object({ kind: z.literal('other') }),
]);
export type FormCheck = z.infer<typeof FormCheck>;
