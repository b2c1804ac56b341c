import {
  type ListColumn,
  type ListLayout,
  usualLayout,
} from '../../../../shared/contract/agreement-views.ts';
import type { AgreementSort } from '../../../../shared/contract/agreement-query.ts';
import { columnKind } from '../../../../shared/rules/agreements/columns.ts';
import { columnTitle, columnWidth } from '../column-words.ts';
import type { GridColumn } from '../../../ui/grid/entry.ts';
import { m } from '../../../ui/language.svelte.ts';

/** List widths, CSS pixels, below which less and less fits beside the title. */
const ROOM = { titleAndState: 430, three: 620 } as const;

/** Sorted the other way round, dates begin with the newest; a title begins with A. */
const usualDirection = {
  updated: 'descending',
  closed: 'descending',
  expires: 'ascending',
  title: 'ascending',
} as const satisfies Record<AgreementSort, unknown>;

/** With more columns each keeps a width it can be read in, and the list scrolls sideways. */
const MAX_BESIDE = 6;
const REM = 16;

const leastOf = (column: ListColumn): string => `${String(columnWidth(column).least)}rem`;

/** Whether the columns have more width together than the list, in CSS pixels. */
export function isWide(shown: readonly ListColumn[], room: number): boolean {
  const least = shown.reduce((sum, column) => sum + columnWidth(column).least * REM, 0);
  return shown.length > MAX_BESIDE || least > room;
}

const sortOf = (column: ListColumn): AgreementSort | null =>
  column === 'title' || column === 'updated' || column === 'closed' || column === 'expires'
    ? column
    : null;

/** How the list is ordered now. */
export const directionOf = ({ sort, direction }: Pick<ListLayout, 'sort' | 'direction'>) =>
  direction ?? usualDirection[sort];

/** The layout after its column was chosen to sort by; chosen again, the other way round. */
export function sortedBy(layout: ListLayout, column: string): Partial<ListLayout> | null {
  const sort = layout.columns.map(sortOf).find((one) => one === column) ?? null;
  if (sort === null) return null;
  if (sort !== layout.sort) return { sort, direction: null };
  const turned = directionOf(layout) === 'ascending' ? 'descending' : 'ascending';
  return { direction: turned === usualDirection[sort] ? null : turned };
}

/**
 * Which columns are drawn: of the usual ones those that there is room for, and every one that a person
 * added to them. With two lines a row, the parties stand below the title.
 */
export function columnsShown(
  { columns }: ListLayout,
  room: number,
  isTwoLines: boolean,
): readonly ListColumn[] {
  const narrow: readonly ListColumn[] =
    room < ROOM.titleAndState ? ['title', 'state'] : ['title', 'state', 'updated'];
  const isKept = (one: ListColumn): boolean =>
    narrow.includes(one) || !usualLayout.columns.includes(one);
  const fitting = room >= ROOM.three ? columns : columns.filter(isKept);
  const shown = fitting.length === 0 ? columns.slice(0, 1) : fitting;
  return isTwoLines && shown.includes('title') ? shown.filter((one) => one !== 'parties') : shown;
}

/** The columns as the grid draws them. The title takes what the others leave. */
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
      const pixels = `${String(own)}px`;
      const { width: fitting } = columnWidth(column);
      const usual = hasLeast ? fitting.replace('(0,', `(${leastOf(column)},`) : fitting;
      const width = own === undefined ? usual : `minmax(${hasLeast ? pixels : '0'}, ${pixels})`;
      const sort = sortOf(column);
      return {
        id: column,
        title: columnTitle(column),
        atEnd: at === shown.length - 1 && columnKind(column) === 'date',
        width: column === stretches ? `minmax(${hasLeast ? leastOf('title') : '0'}, 2fr)` : width,
        resizable: column !== stretches,
        ...(sort === null ? {} : { sort: sort === layout.sort ? direction : 'none' }),
      };
    }),
  ];
}
