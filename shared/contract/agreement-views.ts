import * as z from 'zod';
import {
  AgreementFilter,
  AgreementGrouping,
  AgreementSort,
  SortDirection,
} from './agreement-query.ts';

export const ListColumn = z.enum([
  'title',
  'parties',
  'state',
  'updated',
  'expires',
  'closed',
  'deletes',
  'connection',
  'archived',
  'id',
  'nativeState',
  'sent',
  'daysWaiting',
  'sentBy',
  'partyStates',
  'addresses',
  'tags',
  'template',
  'batch',
  'batchRow',
]);
export type ListColumn = z.infer<typeof ListColumn>;

const MIN_LIST_COLUMN_WIDTH = 56;
const MAX_LIST_COLUMN_WIDTH = 640;

export const ListLayout = z.object({
  /** Columns from left to right, each at most once. */
  columns: z.array(ListColumn).min(1).max(ListColumn.options.length),
  /** Column widths that the user changed (CSS pixels). */
  widths: z.partialRecord(
    ListColumn,
    z.number().int().min(MIN_LIST_COLUMN_WIDTH).max(MAX_LIST_COLUMN_WIDTH),
  ),
  group: AgreementGrouping,
  sort: AgreementSort,
  /** Sort direction; null for the default direction of the sort column. */
  direction: SortDirection.nullable(),
  /** Whether the details are shown next to the list if there is room. */
  details: z.boolean(),
});
export type ListLayout = z.infer<typeof ListLayout>;

export const defaultListLayout: ListLayout = {
  columns: ['title', 'parties', 'state', 'updated'],
  widths: {},
  group: 'none',
  sort: 'updated',
  direction: null,
  details: true,
};

/**
 * Filter of the agreement list. If the window works with one connection, the filter applies to that
 * connection.
 */
export const ListFilter = AgreementFilter;
export type ListFilter = z.infer<typeof ListFilter>;

export const SavedView = z.object({
  id: z.uuid(),
  name: z.string().trim().min(1).max(60),
  filter: ListFilter,
  layout: ListLayout,
});
export type SavedView = z.infer<typeof SavedView>;

/** Maximum number of saved views: the user would not find more of them in the navigation rail. */
export const MAX_SAVED_VIEWS = 40;

/** Minimum and maximum width of a column (CSS pixels). */
export const columnWidths = { least: MIN_LIST_COLUMN_WIDTH, most: MAX_LIST_COLUMN_WIDTH } as const;
