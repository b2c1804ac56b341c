import type { SheetChoices } from '../../../../shared/contract/sheets.ts';
import type { Grid } from './grid.ts';
import { kindOf } from './kind.ts';
import { isOpenDocument, readFlatOds, readOds } from './ods.ts';
import { readXlsx } from './xlsx.ts';
import { openZip } from './zip.ts';

/** One sheet of a workbook, and the list of all sheets. */
export interface Book {
  readonly format: 'xlsx' | 'ods';
  readonly grid: Grid;
  readonly sheets: readonly { readonly name: string; readonly hidden: boolean }[];
  readonly sheet: string;
}

/**
 * Reads a workbook by its content regardless of its file name; null for a text file. Throws
 * 'invalid' with a reason `sheet-…`.
 */
export async function readBook(data: Uint8Array, choices: SheetChoices): Promise<Book | null> {
  switch (kindOf(data)) {
    case 'zip': {
      const zip = await openZip(data);
      return isOpenDocument(zip)
        ? { format: 'ods', ...(await readOds(zip, choices)) }
        : { format: 'xlsx', ...(await readXlsx(zip, choices)) };
    }
    case 'flat-ods':
      return { format: 'ods', ...(await readFlatOds(data, choices)) };
    case 'text':
      return null;
  }
}
