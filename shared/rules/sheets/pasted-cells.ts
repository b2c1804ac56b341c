/** A block of cells as spreadsheet programs put it on the clipboard: rows by line, cells by tab. */
export function pastedCells(text: string): readonly (readonly string[])[] {
  const rows = text.replace(/\r?\n$/, '').split(/\r\n|\n|\r/);
  return rows.map((row) => row.split('\t').map(unquoted));
}

/** A cell with a quote or a break in it comes in quotes. */
function unquoted(cell: string): string {
  return /^".*"$/s.test(cell) ? cell.slice(1, -1).replaceAll('""', '"') : cell;
}
