import * as z from 'zod';
import { SHEET_ENCODINGS } from '../model/sheet-encodings.ts';

export const SheetEncoding = z.enum(SHEET_ENCODINGS);
export type SheetEncoding = z.infer<typeof SheetEncoding>;

export const SheetDelimiter = z.enum([';', ',', '\t', '|']);
export type SheetDelimiter = z.infer<typeof SheetDelimiter>;

/** The user's choices for a file; missing ones are detected. */
export const SheetChoices = z.object({
  sheet: z.string().optional(),
  /** Row number of the headers in the spreadsheet, from 1. */
  headerRow: z.number().int().min(1).optional(),
  delimiter: SheetDelimiter.optional(),
  encoding: SheetEncoding.optional(),
  /** Whether rows and columns that the spreadsheet hides or filters out are skipped or read. */
  hidden: z.enum(['skip', 'read']).optional(),
});
export type SheetChoices = z.infer<typeof SheetChoices>;

/** Notice about the whole file, for the user to read before its rows are used. */
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
  /** For `guessed-delimiter`: the other delimiter that is possible. */
  detail: z.string().optional(),
});
export type SheetNotice = z.infer<typeof SheetNotice>;

/**
 * Property of a cell or a row. `date` is not shown to the user; `formula`, `decimal`, `truth` and
 * `date-form` are warnings; the others prevent sending the row.
 */
export const CellFlag = z.enum([
  'formula',
  'date',
  'date-form',
  'decimal',
  /**
   * A value for yes or no, which each computer shows in its own language: `TRUE`, `SANT`, `WAHR`.
   */
  'truth',
  'formula-empty',
  'cell-error',
  'rounded',
  'formatted',
  'shown-rounded',
  'wrong-date',
  'merged',
  'ragged',
  /** The whole row is a total of the rows above. */
  'total',
]);
export type CellFlag = z.infer<typeof CellFlag>;

export const SheetColumn = z.object({
  name: z.string(),
  /** Column letter of the spreadsheet: A, B … AA. */
  letter: z.string(),
});
export type SheetColumn = z.infer<typeof SheetColumn>;

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

export const FlaggedCell = z.tuple([z.number().int(), CellFlag]).rest(z.string());
export type FlaggedCell = z.infer<typeof FlaggedCell>;

/**
 * One row of data. `row` is the row number in the spreadsheet; `marks` are by column index, each
 * with replacement texts that the user may choose.
 */
export const SheetRow = z.object({
  row: z.number().int(),
  cells: z.array(z.string()),
  marks: z.array(FlaggedCell),
});
export type SheetRow = z.infer<typeof SheetRow>;
