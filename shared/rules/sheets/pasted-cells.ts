/** A block of cells in the clipboard format of spreadsheet programs: rows by line, cells by tab. */
export function pastedCells(text: string): readonly (readonly string[])[] {
  const rows = text.replace(/\r?\n$/, '').split(/\r\n|\n|\r/);
  return rows.map((row) => row.split('\t').map(unquoted));
}

/** A cell with a quote or a line break is quoted. */
function unquoted(cell: string): string {
  return /^".*"$/s.test(cell) ? cell.slice(1, -1).replaceAll('""', '"') : cell;
}
