import * as z from 'zod';

/** How the bytes of a text file stand for letters. */
export const SheetEncoding = z.enum([
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'windows-1250',
  'macintosh',
  'ibm850',
]);
export type SheetEncoding = z.infer<typeof SheetEncoding>;

export const SheetDelimiter = z.enum([';', ',', '\t', '|']);
export type SheetDelimiter = z.infer<typeof SheetDelimiter>;

/** What a person may say about a file; what is left out is found out. */
export const SheetChoices = z.object({
  sheet: z.string().optional(),
  /** The spreadsheet's own row number, from 1. */
  headerRow: z.number().int().min(1).optional(),
  delimiter: SheetDelimiter.optional(),
  encoding: SheetEncoding.optional(),
  /** Rows and columns that the spreadsheet hides or filters out. */
  hidden: z.enum(['skip', 'read']).optional(),
});
export type SheetChoices = z.infer<typeof SheetChoices>;

/** Something about the whole file that a person should know before its rows are used. */
export const SheetNotice = z.object({
  code: z.enum([
    'hidden-rows',
    'hidden-columns',
    'hidden-sheets',
    'other-sheets',
    'filtered-rows',
    'empty-rows',
    'empty-columns',
    'unnamed-columns',
    'rows-above-header',
    'guessed-encoding',
    'guessed-delimiter',
    'double-encoded',
    'dates-1904',
    'external-content',
    'formulas',
  ]),
  count: z.number().int(),
  /** For `guessed-delimiter`: the sign that may be meant as well. */
  detail: z.string().optional(),
});
export type SheetNotice = z.infer<typeof SheetNotice>;

/**
 * What is special about a cell or a row. `date` says nothing to a person; `formula`, `decimal`,
 * `truth` and `date-form` are warnings; the others keep the row from being sent.
 */
export const CellMark = z.enum([
  'formula',
  'date',
  'date-form',
  'decimal',
  /** Yes or no, which each computer shows in its own language: `TRUE`, `SANT`, `WAHR`. */
  'truth',
  'formula-empty',
  'cell-error',
  'rounded',
  'formatted',
  'shown-rounded',
  'wrong-date',
  'merged',
  'ragged',
  /** The row as a whole is a sum of those above. */
  'total',
]);
export type CellMark = z.infer<typeof CellMark>;

export const SheetColumn = z.object({
  name: z.string(),
  /** As the spreadsheet calls it: A, B … AA. */
  letter: z.string(),
});
export type SheetColumn = z.infer<typeof SheetColumn>;

/** What was found out about a file, without its rows. */
export const SheetShape = z.object({
  format: z.enum(['csv', 'xlsx', 'ods']),
  sheets: z.array(z.object({ name: z.string(), hidden: z.boolean() })),
  sheet: z.string().nullable(),
  encoding: SheetEncoding.nullable(),
  delimiter: SheetDelimiter.nullable(),
  headerRow: z.number().int(),
  columns: z.array(SheetColumn),
  rows: z.number().int(),
  notices: z.array(SheetNotice),
});
export type SheetShape = z.infer<typeof SheetShape>;

export const SheetMark = z.tuple([z.number().int(), CellMark]).rest(z.string());
export type SheetMark = z.infer<typeof SheetMark>;

/**
 * One row of data. `row` is the spreadsheet's own number; `marks` by the index of the column, each
 * with the texts that a person may put in the place of the cell's.
 */
export const SheetRow = z.object({
  row: z.number().int(),
  cells: z.array(z.string()),
  marks: z.array(SheetMark),
});
export type SheetRow = z.infer<typeof SheetRow>;
