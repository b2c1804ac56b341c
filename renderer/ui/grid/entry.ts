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
  /** Id of the column for sorting and resizing; the title if absent. */
  readonly id?: string;
  readonly title: string;
  /** One track of `grid-template-columns`. */
  readonly width: string;
  /** The title is only read out. */
  readonly narrow?: boolean;
  /** Aligns heading and cells to the end. */
  readonly atEnd?: boolean;
  /** Pinned to the end of the visible part of a list that scrolls sideways. */
  readonly pinned?: boolean;
  /** How the list is sorted by this column; absent if it cannot be sorted by it. */
  readonly sort?: 'ascending' | 'descending' | 'none';
  readonly resizable?: boolean;
}

/** A move of the active row; `extends` selects everything between, like Shift. */
export interface GridMove {
  readonly index: number;
  readonly extends: boolean;
}

/** Minimum width of a list with these columns: width of its rows if they do not fit the list. */
export function minGridWidth(columns: readonly GridColumn[]): string {
  const tracks = columns.map(({ width }) => /^minmax\(([^,]+),/.exec(width)?.[1] ?? width);
  return `calc(${tracks.join(' + ')} + ${columns.length - 1} * var(--s3) + 2 * var(--s4))`;
}
