import type { SheetChoices, SheetNotice } from '../../../../shared/contract/sheets.ts';
import type { ReadSheet } from '../../../core/sheet-ports.ts';
import type { Grid } from './grid.ts';
import { readCsv } from './csv.ts';
import { kindOf } from './kind.ts';
import { isOpenDocument, readFlatOds, readOds } from './ods.ts';
import { tableOf } from './table.ts';
import { decodeText } from './text.ts';
import { readXlsx } from './xlsx.ts';
import { openZip } from './zip.ts';

/** Reads a file by what is in it, whatever its name. Throws 'invalid' with a reason `sheet-…`. */
export async function readSheet(data: Uint8Array, choices: SheetChoices): Promise<ReadSheet> {
  switch (kindOf(data)) {
    case 'zip': {
      const zip = await openZip(data);
      return isOpenDocument(zip)
        ? fromBook('ods', await readOds(zip, choices), choices)
        : fromBook('xlsx', await readXlsx(zip, choices), choices);
    }
    case 'flat-ods':
      return fromBook('ods', await readFlatOds(data, choices), choices);
    case 'text':
      return fromText(data, choices);
  }
}

function fromBook(
  format: 'xlsx' | 'ods',
  { grid, sheets, sheet }: Awaited<ReturnType<typeof readXlsx | typeof readOds>>,
  choices: SheetChoices,
): ReadSheet {
  const { rows, ...table } = tableOf(filled(grid), choices.headerRow);
  const names = sheets.map(({ name, hidden }) => ({ name, hidden }));
  const text = { encoding: null, delimiter: null };
  return {
    shape: { format, sheets: names, sheet, ...text, ...table, rows: rows.length },
    rows,
  };
}

/** A workbook does not write empty cells, so no row of it ends early. */
function filled(grid: Grid): Grid {
  const width = Math.max(0, ...grid.rows.map(({ cells }) => cells.length));
  const rows = grid.rows.map((row) => ({
    ...row,
    cells: [...row.cells, ...Array<string>(width - row.cells.length).fill('')],
  }));
  return { ...grid, rows };
}

function fromText(data: Uint8Array, choices: SheetChoices): ReadSheet {
  const { text, encoding, isGuessed } = decodeText(data, choices.encoding);
  const { grid, delimiter } = readCsv(text, choices.delimiter);
  const { rows, ...table } = tableOf(grid, choices.headerRow);
  const guessed: readonly SheetNotice[] = isGuessed ? [{ code: 'guessed-encoding', count: 1 }] : [];
  const notices = [...table.notices, ...guessed];
  const about = { sheets: [], sheet: null, encoding, delimiter };
  return { shape: { format: 'csv', ...about, ...table, notices, rows: rows.length }, rows };
}
