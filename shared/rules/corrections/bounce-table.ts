import { addressFieldName, type Bounce, isPermanentBounce } from './bounce-kinds.ts';

/**
 * Reads exports of mail services: the header names a column for the recipient and one for the
 * result. Null if the text does not start with such a header.
 */
export function bouncesInTable(text: string): readonly Bounce[] | null {
  const start = text.replace(/^\uFEFF/u, '');
  const heading = start
    .slice(0, 4096)
    .split(/\r\n|\r|\n/u)
    .find((line) => line.trim() !== '');
  if (heading === undefined || heading.includes('@')) return null;
  // Spreadsheet rows are separated by tabs regardless of the content of their cells.
  const sign = ['\t', ',', ';'].find((one) => heading.includes(one));
  if (sign === undefined) return null;
  const records = recordsOf(start, sign);
  const first = records.findIndex(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  const names = (records[first]?.cells ?? []).map((cell) => cell.trim().toLowerCase());
  const name = addressFieldName(names);
  if (name === null) return null;
  return records.slice(first + 1).flatMap(({ line, cells }) => {
    const fields = new Map(names.map((one, at) => [one, cells[at] ?? ''] as const));
    const address = fields.get(name)?.trim() ?? '';
    return address.includes('@') && isPermanentBounce(fields) ? [{ line, address }] : [];
  });
}

interface TableRecord {
  /** Number of the record's first line, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** Splits CSV (RFC 4180): a quoted value may have the delimiter, a line break, a doubled quote. */
function recordsOf(text: string, sign: string): readonly TableRecord[] {
  const records: TableRecord[] = [];
  let cells: string[] = [];
  let line = 1;
  let begun = 1;
  const piece = /"((?:[^"]|"")*)"|([^",;\t\r\n]+)|(\r\n|\r|\n)|([^])/gu;
  let cell = '';
  const end = (): void => {
    records.push({ line: begun, cells: [...cells, cell] });
    [cells, cell] = [[], ''];
  };
  for (const [found, quoted, plain, pause] of text.matchAll(piece)) {
    if (quoted !== undefined) cell += quoted.replaceAll('""', '"');
    else if (plain !== undefined) cell += plain;
    else if (pause !== undefined) end();
    else if (found === sign) {
      cells.push(cell);
      cell = '';
    } else cell += found;
    line += found.match(/\r\n|\r|\n/gu)?.length ?? 0;
    if (pause !== undefined) begun = line;
  }
  end();
  return records;
}
