import type {
  SheetChoices,
  SheetNotice,
  SheetRow,
  SheetShape,
} from '../../shared/contract/sheets.ts';

/** Shape of a spreadsheet, and its data rows below the header. */
export interface ReadSheet {
  readonly shape: SheetShape;
  readonly rows: readonly SheetRow[];
}

export interface ReadLines {
  /**
   * Content of a text file. For a spreadsheet: one line per row, so that line number and row number
   * agree, with tabs between cells.
   */
  readonly text: string;
  /** Sheets of a spreadsheet; not set for a text file. */
  readonly sheets: SheetShape['sheets'];
  readonly sheet: string | null;
  readonly notices: readonly SheetNotice[];
}

export interface SheetReader {
  /**
   * Reads a CSV, TSV, XLSX or ODS file in a separate process, with limits of time, size and memory.
   * Throws 'invalid' with a reason `sheet-…` and a description of the cell or row.
   */
  read(data: Uint8Array, choices: SheetChoices): Promise<ReadSheet>;
  /** Like `read`, but returns lines. Text files may contain any characters. */
  readLines(data: Uint8Array, choices: Pick<SheetChoices, 'sheet' | 'hidden'>): Promise<ReadLines>;
  /**
   * Whether a text file, a spreadsheet or another document in a ZIP file may contain a personal
   * number in any of its texts. Searches notes, formulas, properties and names too, but not
   * pictures. Runs in a separate process like `read`. Throws 'invalid' if the file cannot be
   * searched.
   */
  holdsNumber(data: Uint8Array): Promise<boolean>;
  close(): Promise<void>;
}
