import type { ReportCell } from '../../../shared/contract/reports.ts';

/** A table to write; `rows` yields portions and can be read only once. */
export interface ReportTable {
  /** Name of the sheet, if the format has sheets. */
  readonly title: string;
  readonly headings: readonly string[];
  readonly rows: AsyncIterable<readonly (readonly ReportCell[])[]>;
}

export type CsvDelimiter = ',' | ';' | '\t';

/** Writes tables in spreadsheet formats; each method yields the bytes of a file. */
export interface ReportWriter {
  csv(table: ReportTable, delimiter: CsvDelimiter): AsyncIterable<Uint8Array>;
  xlsx(table: ReportTable): AsyncIterable<Uint8Array>;
}
