import { formatValue, read } from 'hucre';
import { readSheet as readByOther } from 'read-excel-file/node';
import type { CellAt } from './verdicts.ts';
import type { SheetShape } from '../../shared/contract/sheets.ts';
import { SECOND } from '../../shared/rules/time/units.ts';

const DECIMALS = [0, 1, 2, 3, 4, 5, 6];

/**
 * Returns the results of other readers for one sheet of a spreadsheet. Readers that cannot read the
 * sheet are skipped.
 */
export async function referenceReadingsOf(
  data: Uint8Array,
  shape: Pick<SheetShape, 'format' | 'sheet'>,
): Promise<readonly CellAt[]> {
  const all = await Promise.allSettled([
    readByHucre(data, shape),
    readByReadExcelFile(data, shape.sheet),
  ]);
  return all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}

/**
 * Reads a sheet with hucre, a judge: returns for each cell its value, and the texts in which the
 * judge formats the value.
 */
async function readByHucre(
  data: Uint8Array,
  { format, sheet: name }: Pick<SheetShape, 'format' | 'sheet'>,
): Promise<CellAt> {
  const book = await read(data, { readStyles: true });
  const found = book.sheets.find((sheet) => sheet.name === name);
  if (found === undefined) throw new Error('The judge has no such sheet');
  const keepsShown = format === 'ods';
  return (row, column) => {
    const value = found.rows[row]?.[column];
    const code = found.cells?.get(`${String(row)},${String(column)}`)?.style?.numFmt;
    const shown = code === undefined ? [] : [formatValue(roundToSecond(value), code)];
    // The judge returns an unknown format unchanged, and then cannot decide.
    if (code !== undefined && shown[0] === code && value !== code) return null;
    return [
      value,
      ...shown,
      ...(keepsShown && typeof value === 'number' ? roundedTexts(value) : []),
    ];
  };
}

/**
 * Rounds a time to whole seconds, as spreadsheets do; the judge's formatter would cut off the
 * fraction.
 */
function roundToSecond<Value>(value: Value): Value | Date {
  return value instanceof Date ? new Date(Math.round(value.getTime() / SECOND) * SECOND) : value;
}

/**
 * Returns the value, as a number and as a percentage, with each number of decimals. OpenDocument
 * stores the displayed text, which may have fewer digits than the value.
 */
function roundedTexts(value: number): readonly string[] {
  return [value, value * 100].flatMap((one) => DECIMALS.map((count) => one.toFixed(count)));
}

async function readByReadExcelFile(data: Uint8Array, name: string | null): Promise<CellAt> {
  const rows = await readByOther(Buffer.from(data), name ?? undefined);
  return (row, column) => [rows[row]?.[column]];
}
