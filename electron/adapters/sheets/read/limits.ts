/*
 * Files beyond these limits are not realistic lists of agreements, or are malicious. Each error
 * names its limit.
 */

export const FILE_MAX = 20 * 1024 * 1024;
/** Unpacked bytes of all parts of a workbook together. */
export const MAX_UNPACKED_TOTAL = 200 * 1024 * 1024;
/** Ratio of unpacked to packed size; real sheets with one repeated value reach about 40. */
export const MAX_PACKING_RATIO = 100;
/**
 * Smaller files may have a high ratio: small files with one repeated character reach it
 * legitimately.
 */
export const RATIO_CHECKED_FROM_BYTES = 10 * 1024 * 1024;
export const MAX_ZIP_ENTRIES = 2_000;
export const MAX_SHEET_ROWS = 10_000;
export const MAX_SHEET_COLUMNS = 64;
/** Maximum characters of a cell in Excel. */
export const MAX_CELL_LENGTH = 32_767;
/** Characters of all cells together; every cell of a workbook may refer to the same text. */
export const MAX_TOTAL_TEXT_LENGTH = 50_000_000;
/** Cells of a row in a text file, including empty ones: the last column of a spreadsheet. */
export const MAX_CELLS_IN_ROW = 16_384;
/** Nested elements; a workbook needs about ten. */
export const DEPTH_MAX = 64;
/** Milliseconds; a file at its limits takes two seconds. */
export const TIME_MAX = 30_000;
/** Heap for one file in megabytes. */
export const HEAP_MAX = 768;
