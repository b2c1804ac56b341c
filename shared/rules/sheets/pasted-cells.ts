/** Parses cells in the clipboard format of spreadsheet programs: a line per row, tabs between. */
export function parsePastedCells(text: string): readonly (readonly string[])[] {
  const rows = text.replace(/\r?\n$/, '').split(/\r\n|\n|\r/);
  return rows.map((row) => row.split('\t').map(unquotePastedCell));
}

/** Returns a cell without the quotes that a cell with a quote or a line break has. */
function unquotePastedCell(cell: string): string {
  return /^".*"$/s.test(cell) ? cell.slice(1, -1).replaceAll('""', '"') : cell;
}
