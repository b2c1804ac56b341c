import {
  type ListColumn,
  type ListLayout,
  defaultListLayout,
} from '../../../../shared/contract/agreement-views.ts';
import type { AgreementSort } from '../../../../shared/contract/agreement-query.ts';
import { columnKind } from '../../../../shared/rules/agreements/columns.ts';
import { columnTitle, columnWidth } from '../column-words.ts';
import type { GridColumn } from '../../../ui/grid/entry.ts';
import { m } from '../../../ui/language.svelte.ts';

/** Widths of the list (CSS px) below which fewer columns fit next to the title. */
const MIN_WIDTH_FOR_COLUMNS = { titleAndState: 430, three: 620 } as const;

/** Default directions: dates with the newest first, titles from A. */
const defaultDirectionBySort = {
  updated: 'descending',
  closed: 'descending',
  expires: 'ascending',
  title: 'ascending',
} as const satisfies Record<AgreementSort, unknown>;

/**
 * Maximum number of columns without scrolling. With more, each column keeps its readable width, and
 * the list scrolls sideways.
 */
const MAX_COLUMNS_WITHOUT_SCROLL = 6;
const PX_PER_REM = 16;
/** Maximum share of the list's width (%) that a column keeps for each rem of its kept width. */
const KEPT_PERCENT_PER_REM = 2.5;

/** Whether the columns together are wider than the list (CSS px). */
export function areWiderThan(shown: readonly ListColumn[], room: number): boolean {
  const least = shown.reduce((sum, column) => sum + columnWidth(column).least * PX_PER_REM, 0);
  return shown.length > MAX_COLUMNS_WITHOUT_SCROLL || least > room;
}

const sortOf = (column: ListColumn): AgreementSort | null =>
  column === 'title' || column === 'updated' || column === 'closed' || column === 'expires'
    ? column
    : null;

export const directionOf = ({ sort, direction }: Pick<ListLayout, 'sort' | 'direction'>) =>
  direction ?? defaultDirectionBySort[sort];

/**
 * Returns the change that sorts the layout by this column, or reverses the direction if it is
 * sorted by it already. Returns null for a column that cannot be sorted.
 */
export function sortedBy(layout: ListLayout, column: string): Partial<ListLayout> | null {
  const sort = layout.columns.map(sortOf).find((one) => one === column) ?? null;
  if (sort === null) return null;
  if (sort !== layout.sort) return { sort, direction: null };
  const turned = directionOf(layout) === 'ascending' ? 'descending' : 'ascending';
  return { direction: turned === defaultDirectionBySort[sort] ? null : turned };
}

/**
 * Columns to draw: the default ones that fit, and all that the user added. If a row has two lines,
 * the parties are in the second line.
 */
export function visibleColumns(
  { columns }: ListLayout,
  room: number,
  isTwoLines: boolean,
): readonly ListColumn[] {
  const narrow: readonly ListColumn[] =
    room < MIN_WIDTH_FOR_COLUMNS.titleAndState ? ['title', 'state'] : ['title', 'state', 'updated'];
  const isKept = (one: ListColumn): boolean =>
    narrow.includes(one) || !defaultListLayout.columns.includes(one);
  const fitting = room >= MIN_WIDTH_FOR_COLUMNS.three ? columns : columns.filter(isKept);
  const shown = fitting.length === 0 ? columns.slice(0, 1) : fitting;
  return isTwoLines && shown.includes('title') ? shown.filter((one) => one !== 'parties') : shown;
}

/**
 * Minimum width of a column in a list that does not scroll sideways. With more than the default
 * columns, the kept widths shrink, so that each column stays visible.
 */
function keptWidth(column: ListColumn, columns: number): string {
  const { kept } = columnWidth(column);
  if (kept === 0) return '0';
  const share = KEPT_PERCENT_PER_REM * Math.min(1, defaultListLayout.columns.length / columns);
  return `min(${String(kept)}rem, ${(kept * share).toFixed(1)}%)`;
}

/** The columns of the grid. The title takes the remaining width. */
export function gridColumns(
  layout: ListLayout,
  shown: readonly ListColumn[],
  hasLeast: boolean,
): readonly GridColumn[] {
  const stretches = shown.find((one) => one === 'title') ?? shown[0];
  const direction = directionOf(layout);
  return [
    { id: 'mark', title: m.agreements_column_mark(), width: '1.25rem', narrow: true },
    ...shown.map((column, at): GridColumn => {
      const own = layout.widths[column];
      const { width, least } = columnWidth(column);
      const isStretched = column === stretches;
      const isOwn = own !== undefined && !isStretched;
      const to = isOwn ? `${String(own)}px` : width;
      const leastWidth = isOwn ? to : `${String(least)}rem`;
      const from = isOwn ? '0' : keptWidth(column, shown.length);
      const sort = sortOf(column);
      return {
        id: column,
        title: columnTitle(column),
        atEnd: at === shown.length - 1 && columnKind(column) === 'date',
        width: `minmax(${hasLeast ? leastWidth : from}, ${isStretched ? '2fr' : to})`,
        resizable: !isStretched,
        ...(sort === null ? {} : { sort: sort === layout.sort ? direction : 'none' }),
      };
    }),
  ];
}
