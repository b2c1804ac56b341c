import type { SheetChoices, SheetRow, SheetShape } from '../../shared/contract/sheets.ts';

/** A file that was read: what it is, and its rows of data below the header. */
export interface ReadSheet {
  readonly shape: SheetShape;
  readonly rows: readonly SheetRow[];
}

export interface SheetReader {
  /**
   * Reads a CSV, TSV, XLSX or ODS file apart from the program, within limits of time, size and memory.
   * Throws 'invalid' with a reason `sheet-…` and the place in words.
   */
  read(data: Uint8Array, choices: SheetChoices): Promise<ReadSheet>;
  /** Ends what is under way. */
  close(): Promise<void>;
}
