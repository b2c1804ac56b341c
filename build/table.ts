/** Returns the rows of the first table in a Markdown text, as cells, without the header. */
export function readTable(markdown: string): string[][] {
  const lines = markdown.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map(cellsOf);
}

/**
 * Returns the cells of a line of a table. A bar inside a cell is written `\|`; the quotes around a
 * cell that is code are removed.
 */
function cellsOf(line: string): string[] {
  const cells = line
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/);
  return cells.map((cell) => unquoteTableCell(cell.trim().replaceAll(String.raw`\|`, '|')));
}

function unquoteTableCell(cell: string): string {
  const marks = /^`+/.exec(cell)?.[0] ?? '';
  if (marks === '' || !cell.endsWith(marks) || cell.length < 2 * marks.length) return cell;
  const inside = cell.slice(marks.length, -marks.length);
  return marks.length > 1 ? inside.trim() : inside;
}
