import type { ReportCell } from '../../../shared/contract/reports.ts';

/** A table to be written: `rows` comes in portions, and is read once. */
export interface ReportTable {
  /** Of the sheet, where the form has sheets. */
  readonly title: string;
  readonly headings: readonly string[];
  readonly rows: AsyncIterable<readonly (readonly ReportCell[])[]>;
}

export type CsvDelimiter = ',' | ';' | '\t';

/** Writes tables in the forms that spreadsheet programs read; each gives the bytes of a file. */
export interface ReportWriter {
  csv(table: ReportTable, delimiter: CsvDelimiter): AsyncIterable<Uint8Array>;
  xlsx(table: ReportTable): AsyncIterable<Uint8Array>;
}
