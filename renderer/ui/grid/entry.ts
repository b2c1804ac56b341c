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
  /** Whole name for a title that must be short; shown when the pointer is over the title. */
  readonly wholeName?: string;
  /** Width of the column, as one track of `grid-template-columns`. */
  readonly width: string;
  /** Whether the title is only read out, not shown. */
  readonly narrow?: boolean;
  /** Whether heading and cells are aligned to the end of the line. */
  readonly atEnd?: boolean;
  /**
   * Whether the column is pinned to the end of the visible part of a list that scrolls sideways.
   */
  readonly pinned?: boolean;
  /** Direction in which the list is sorted by this column; absent if it cannot be sorted by it. */
  readonly sort?: 'ascending' | 'descending' | 'none';
  readonly resizable?: boolean;
}

/** A move of the active row; `extends` selects all rows between, as with Shift. */
export interface GridMove {
  readonly index: number;
  readonly extends: boolean;
}

/** Minimum width of a list with these columns: width of its rows if they do not fit the list. */
export function minGridWidth(columns: readonly GridColumn[]): string {
  const tracks = columns.map(({ width }) => /^minmax\(([^,]+),/.exec(width)?.[1] ?? width);
  return `calc(${tracks.join(' + ')} + ${columns.length - 1} * var(--s3) + 2 * var(--s4))`;
}
