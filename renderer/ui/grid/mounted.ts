import type { GridEntry } from './entry.ts';

interface ListPart<Row> {
  readonly gridId: string;
  readonly drawn: { readonly first: number; readonly last: number };
  /** Index of the active row, which is always mounted because the focus is on it. */
  readonly active: number;
  readonly count: number;
  readonly entryAt: (index: number) => GridEntry<Row>;
}

interface MountedLine<Row> {
  /** Id of the line's element; stays the same for the same row, wherever it moves. */
  readonly id: string;
  readonly index: number;
  readonly entry: GridEntry<Row>;
}

/** Lines of a list that have elements now. */
export function mountedLines<Row>({
  gridId,
  drawn: { first, last },
  active,
  count,
  entryAt,
}: ListPart<Row>): readonly MountedLine<Row>[] {
  const indices = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
  if (active >= 0 && active < first) indices.unshift(active);
  if (active > last && active < count) indices.push(active);
  const ids = new Set<string>();
  return indices.map((index) => {
    const entry = entryAt(index);
    const own = entry.kind === 'pending' ? '' : `${gridId}-${entry.key}`;
    // A row that moved while the next rows were read may be listed twice for a moment.
    const id = own === '' || ids.has(own) ? `${gridId}-at-${String(index)}` : own;
    ids.add(id);
    return { id, index, entry };
  });
}
