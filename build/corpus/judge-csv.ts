import { parseCsv } from 'hucre/csv';
import type { CellAt } from './verdicts.ts';
import { decodeText } from '../../electron/adapters/sheets/read/text.ts';
import type { SheetShape } from '../../shared/contract/sheets.ts';
import { unguardCsv } from '../../shared/rules/sheets/csv-guard.ts';

const SEPARATOR_LINE = /^\uFEFF?sep=(.)(?:\r\n|\r|\n|$)/i;

/**
 * Returns a text file's cells as read by another parser, with the encoding and delimiter that the
 * program found.
 */
export function readCsv(data: Uint8Array, { encoding, delimiter }: SheetShape): CellAt {
  const { text } = decodeText(data, encoding ?? undefined);
  const separatorLine = SEPARATOR_LINE.exec(text)?.[0] ?? '';
  const rows = parseCsv(text.slice(separatorLine.length), { delimiter: delimiter ?? ';' });
  const skipped = separatorLine === '' ? 0 : 1;
  return (row, column) => {
    const value = rows[row - skipped]?.[column];
    // The apostrophe that keeps a spreadsheet program from calculating a text does not belong to
    // the text.
    return [typeof value === 'string' ? unguardCsv(value) : value];
  };
}
