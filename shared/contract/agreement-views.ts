import * as z from 'zod';
import {
  AgreementFilter,
  AgreementGrouping,
  AgreementSort,
  SortDirection,
} from './agreement-query.ts';

/** What can stand in a column of the list, and in a report. */
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

const NARROWEST = 56;
const WIDEST = 640;

/** How the list is drawn and ordered. */
export const ListLayout = z.object({
  /** From left to right, each at most once. */
  columns: z.array(ListColumn).min(1).max(ListColumn.options.length),
  /** CSS pixels of columns a person made wider or narrower. */
  widths: z.partialRecord(ListColumn, z.number().int().min(NARROWEST).max(WIDEST)),
  group: AgreementGrouping,
  sort: AgreementSort,
  /** Null is the usual direction of what it is sorted by. */
  direction: SortDirection.nullable(),
  /** The details stand beside the list where there is room. */
  details: z.boolean(),
});
export type ListLayout = z.infer<typeof ListLayout>;

export const usualLayout: ListLayout = {
  columns: ['title', 'parties', 'state', 'updated'],
  widths: {},
  group: 'none',
  sort: 'updated',
  direction: null,
  details: true,
};

/** What narrows the list; where the window works with one connection, that one counts. */
export const ListFilter = AgreementFilter;
export type ListFilter = z.infer<typeof ListFilter>;

export const SavedView = z.object({
  id: z.uuid(),
  name: z.string().trim().min(1).max(60),
  filter: ListFilter,
  layout: ListLayout,
});
export type SavedView = z.infer<typeof SavedView>;

/** More would not be found in the rail. */
export const MAX_VIEWS = 40;

/** The least and the most a column can be, CSS pixels. */
export const columnWidths = { least: NARROWEST, most: WIDEST } as const;
