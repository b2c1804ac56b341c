import type {
  SheetChoices,
  SheetNotice,
  SheetRow,
  SheetShape,
} from '../../shared/contract/sheets.ts';

/** A file that was read: what it is, and its rows of data below the header. */
export interface ReadSheet {
  readonly shape: SheetShape;
  readonly rows: readonly SheetRow[];
}

/** A file as a list of lines, none of which is a header. */
export interface ReadLines {
  /** A text file's own; of a workbook a line for each row, at its number, with tabs between cells. */
  readonly text: string;
  /** Of a workbook; a text file has none. */
  readonly sheets: SheetShape['sheets'];
  readonly sheet: string | null;
  readonly notices: readonly SheetNotice[];
}

export interface SheetReader {
  /**
   * Reads a CSV, TSV, XLSX or ODS file apart from the program, within limits of time, size and memory.
   * Throws 'invalid' with a reason `sheet-…` and the place in words.
   */
  read(data: Uint8Array, choices: SheetChoices): Promise<ReadSheet>;
  /** The same, as lines; what other programs wrote as text is taken with whatever signs it holds. */
  readLines(data: Uint8Array, choices: Pick<SheetChoices, 'sheet' | 'hidden'>): Promise<ReadLines>;
  /**
   * Whether a text, a workbook or another document in a ZIP file holds what is, or may be, a personal number in any of
   * its texts: also notes, formulas, properties and names, but in no picture. Apart from the program as `read`.
   * Throws 'invalid' for what cannot be searched.
   */
  holdsNumber(data: Uint8Array): Promise<boolean>;
  /** Ends what is under way. */
  close(): Promise<void>;
}
