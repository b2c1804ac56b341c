/*
 * Files beyond these limits are not realistic lists of agreements, or are malicious. Each error
 * names its limit.
 */

export const MAX_SHEET_FILE_BYTES = 20 * 1024 * 1024;
/** Maximum unpacked bytes of all parts of a workbook together. */
export const MAX_UNPACKED_TOTAL = 200 * 1024 * 1024;
/** Maximum ratio of unpacked to packed size; real sheets with one repeated value reach about 40. */
export const MAX_PACKING_RATIO = 100;
/**
 * Unpacked size from which the ratio is checked (bytes): small files with one repeated character
 * reach a high ratio legitimately.
 */
export const RATIO_CHECKED_FROM_BYTES = 10 * 1024 * 1024;
export const MAX_ZIP_ENTRIES = 2_000;
export const MAX_SHEET_ROWS = 10_000;
export const MAX_SHEET_COLUMNS = 64;
/** Maximum characters of a cell in Excel. */
export const MAX_CELL_LENGTH = 32_767;
/**
 * Maximum characters of all cells together; every cell of a workbook may refer to the same text.
 */
export const MAX_TOTAL_TEXT_LENGTH = 50_000_000;
/**
 * Maximum cells of a row in a text file, including empty ones: as many as a spreadsheet has
 * columns.
 */
export const MAX_CELLS_IN_ROW = 16_384;
/** Maximum depth of nested elements; a workbook needs about ten. */
export const MAX_SHEET_XML_DEPTH = 64;
/** Maximum time for a file (ms); a file at these limits takes two seconds. */
export const MAX_SHEET_READ_MS = 30_000;
/** Maximum heap for one file in megabytes. */
export const MAX_SHEET_HEAP_MB = 768;
