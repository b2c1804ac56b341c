/** A line of a list: a row, the heading of a group, or a row that is still being read. */
export type GridEntry<Row> =
  | { readonly kind: 'row'; readonly key: string; readonly row: Row }
  | {
      readonly kind: 'heading';
      readonly key: string;
      readonly title: string;
      readonly count: string;
    }
  | { readonly kind: 'pending' };

export interface GridColumn {
  /** Names it to whoever sorts or resizes by it; the title does where it is left out. */
  readonly id?: string;
  readonly title: string;
  /** One track of `grid-template-columns`. */
  readonly width: string;
  /** Its title is read out only. */
  readonly narrow?: boolean;
  /** Its title stands at the end, as what is in it does. */
  readonly atEnd?: boolean;
  /** It stands at the end of what is seen of a list that is wider than its room. */
  readonly pinned?: boolean;
  /** How the list is sorted by it; left out where it cannot be. */
  readonly sort?: 'ascending' | 'descending' | 'none';
  /** Its edge can be dragged. */
  readonly resizable?: boolean;
}

/** A move of the cursor; `extends` marks everything between, as Shift does. */
export interface GridMove {
  readonly index: number;
  readonly extends: boolean;
}

/** The least width of a list with these columns: what its rows take when they are wider than its room. */
export function leastWidth(columns: readonly GridColumn[]): string {
  const tracks = columns.map(({ width }) => /^minmax\(([^,]+),/.exec(width)?.[1] ?? width);
  return `calc(${tracks.join(' + ')} + ${columns.length - 1} * var(--s3) + 2 * var(--s4))`;
}
