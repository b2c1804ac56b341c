/*
 * A file that is larger than these is no office's list of agreements, or is meant to hurt. Each
 * refusal names its limit.
 */

export const FILE_MAX = 20 * 1024 * 1024;
/** Unpacked, all parts of a workbook together. */
export const UNPACKED_MAX = 200 * 1024 * 1024;
/** Unpacked against packed; real sheets of one repeated value reach some 40. */
export const RATIO_MAX = 100;
/** Below this a high ratio hurts nobody: small files of one letter reach it honestly. */
export const RATIO_FROM = 10 * 1024 * 1024;
export const ENTRIES_MAX = 2_000;
export const ROWS_MAX = 10_000;
export const COLUMNS_MAX = 64;
/** The longest text a cell of Excel takes is 32,767 characters. */
export const CELL_MAX = 32_767;
/** Characters of all cells together; one text may be named by every cell of a workbook. */
export const TEXT_MAX = 50_000_000;
/** Cells of one row of a text file, empty ones too: the last column that a spreadsheet has. */
export const ROW_CELLS_MAX = 16_384;
/** Elements within elements; a workbook needs some ten. */
export const DEPTH_MAX = 64;
/** A file at its limits takes two seconds. */
export const TIME_MAX = 30_000;
/** Megabytes of heap for one file. */
export const HEAP_MAX = 768;
