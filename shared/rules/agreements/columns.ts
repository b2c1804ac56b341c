import type { OptionalRowPart } from '../../contract/agreement-query.ts';
import type { ListColumn } from '../../contract/agreement-views.ts';
import type { Agreement, AgreementExtraDetails } from '../../contract/agreements.ts';
import type { ReportCell, ReportWords } from '../../contract/reports.ts';
import { closedStates } from '../../model/agreement.ts';
import type { ConnectionId } from '../../model/ids.ts';
import { DAY } from '../time/units.ts';

interface CellContext {
  /** Words of the report, in the reader's language. */
  readonly words: ReportWords;
  readonly nameOf: (connection: ConnectionId) => string;
  readonly now: number;
}

/** Kind of a column, which determines its default width. */
export type ColumnKind = 'title' | 'state' | 'text' | 'long' | 'number' | 'date';

interface Column {
  readonly cell: (row: Agreement, context: CellContext) => ReportCell;
  /** Extra data to request with the rows, if they do not always include it. */
  readonly more?: OptionalRowPart;
  readonly kind: ColumnKind;
  /** English name and heading on the command line. */
  readonly option: string;
  readonly heading: string;
  /** Value for scripts, if it is more than the text of the cell. */
  readonly json?: (row: Agreement) => unknown;
}

const timeReportCell = (at: number | null): ReportCell => (at === null ? null : { at });
const countReportCell = (number: number | null | undefined): ReportCell =>
  number === null || number === undefined ? null : { number };
const textOrNull = (text: string): ReportCell => (text === '' ? null : text);

/** Columns of the list, for every screen and report; a window adds its own titles. */
const columnDefinitions: Readonly<Record<ListColumn, Column>> = {
  title: { kind: 'title', option: 'title', heading: 'Title', cell: ({ title }) => title },
  parties: {
    kind: 'long',
    option: 'parties',
    heading: 'Parties',
    cell: ({ parties }) => parties?.filter((name) => name !== '').join(', ') ?? null,
    json: ({ parties }) => parties,
  },
  state: {
    kind: 'state',
    option: 'state',
    heading: 'State',
    cell: (row, { words }) => stateText(row, words),
    json: ({ state }) => state,
  },
  updated: {
    kind: 'date',
    option: 'updated',
    heading: 'Updated',
    cell: ({ updatedAt }) => timeReportCell(updatedAt),
  },
  expires: {
    kind: 'date',
    option: 'expires',
    heading: 'Expires',
    cell: ({ expiresAt }) => timeReportCell(expiresAt),
  },
  closed: {
    kind: 'date',
    option: 'closed',
    heading: 'Closed',
    cell: ({ closedAt }) => timeReportCell(closedAt),
  },
  deletes: {
    kind: 'date',
    option: 'deletes',
    heading: 'Deleted on',
    cell: ({ deletesAt }) => timeReportCell(deletesAt),
  },
  connection: {
    kind: 'text',
    option: 'connection',
    heading: 'Connection',
    cell: ({ connectionId }, { nameOf }) => nameOf(connectionId),
  },
  archived: {
    kind: 'date',
    option: 'archived',
    heading: 'Archived',
    cell: ({ archivedAt }) => timeReportCell(archivedAt),
  },
  id: { kind: 'text', option: 'id', heading: 'ID', cell: ({ id }) => id },
  nativeState: {
    kind: 'text',
    option: 'service-state',
    heading: 'State on the service',
    cell: ({ nativeState }) => nativeState,
  },
  sent: {
    kind: 'date',
    option: 'sent',
    heading: 'Sent',
    cell: ({ sentAt }) => timeReportCell(sentAt),
  },
  daysWaiting: {
    kind: 'number',
    option: 'days-waiting',
    heading: 'Days waiting',
    cell: (row, { now }) => countReportCell(daysWaiting(row, now)),
  },
  sentBy: {
    kind: 'text',
    option: 'sent-by',
    heading: 'Sent by',
    more: 'remote',
    cell: ({ more }) => more?.sentBy ?? null,
  },
  partyStates: {
    kind: 'long',
    option: 'party-states',
    heading: 'What parties did',
    more: 'remote',
    cell: (row, { words }) => textOrNull(partyStatesText(row.more?.people ?? null, row, words)),
    json: ({ more }) => more?.people?.map(({ name, state }) => ({ name, state })),
  },
  addresses: {
    kind: 'long',
    option: 'addresses',
    heading: 'Addresses',
    more: 'remote',
    cell: ({ more }) => textOrNull(addressesText(more?.people ?? null)),
    json: ({ more }) => more?.people?.map(({ email, mobile }) => email ?? mobile),
  },
  tags: {
    kind: 'long',
    option: 'tags',
    heading: 'Tags',
    more: 'remote',
    cell: ({ more }) => textOrNull(tagsText(more?.tags ?? null)),
    json: ({ more }) => more?.tags,
  },
  template: {
    kind: 'text',
    option: 'template',
    heading: 'Template',
    more: 'sending',
    cell: ({ more }) => more?.template ?? null,
  },
  batch: {
    kind: 'text',
    option: 'batch',
    heading: 'Batch',
    more: 'sending',
    cell: ({ more }) => more?.batch ?? null,
  },
  batchRow: {
    kind: 'number',
    option: 'batch-row',
    heading: 'Row of the batch',
    more: 'sending',
    cell: ({ more }) => countReportCell(more?.batchRow),
  },
};

export const columnKind = (column: ListColumn): ColumnKind => columnDefinitions[column].kind;

/** Name of a column in the options of a command. */
export const columnOption = (column: ListColumn): string => columnDefinitions[column].option;

/** English heading of a column in tables and reports of the command line. */
export const englishHeading = (column: ListColumn): string => columnDefinitions[column].heading;

/** A column's value for scripts, if it is more than its text; otherwise undefined. */
export const columnJson = (row: Agreement, column: ListColumn): unknown =>
  columnDefinitions[column].json?.(row);

export const cellOf = (row: Agreement, column: ListColumn, context: CellContext): ReportCell =>
  columnDefinitions[column].cell(row, context);

/** Extra data to request with rows that are shown in these columns. */
export function optionalPartsFor(shown: readonly ListColumn[]): OptionalRowPart[] {
  const wanted = shown.flatMap((column) => columnDefinitions[column].more ?? []);
  return [...new Set(wanted)].toSorted();
}

/** Text of an agreement's state; an unknown state is shown in the service's own word. */
function stateText(row: Agreement, { states, rejectedOrExpired }: CellContext['words']): string {
  if (row.perhapsExpired) return rejectedOrExpired;
  return row.state === 'unknown' ? row.nativeState : states[row.state];
}

/** Whether the agreement was sent, has not ended, and is still on the service. */
const isWaiting = ({ state, gone }: Pick<Agreement, 'state' | 'gone'>): boolean =>
  state !== 'draft' && !closedStates.includes(state) && gone === null;

/**
 * Number of calendar days since the agreement was sent; null if no signature is pending or the
 * sending time is not known. @internal
 */
export function daysWaiting(
  row: Pick<Agreement, 'state' | 'gone' | 'sentAt'>,
  now: number,
): number | null {
  if (!isWaiting(row) || row.sentAt === null) return null;
  return Math.max(0, Math.round((startOfLocalDay(now) - startOfLocalDay(row.sentAt)) / DAY));
}

/** The first instant of the day, in local time. */
const startOfLocalDay = (at: number): number => new Date(at).setHours(0, 0, 0, 0);

/** Tags as `key: value`, or only the key if its value is empty; '' if no tags are known. */
const tagsText = (tags: AgreementExtraDetails['tags']): string =>
  Object.entries(tags ?? {})
    .map(([key, value]) => (value === '' ? key : `${key}: ${value}`))
    .join(', ');

/** Email address of each party, otherwise its phone number; parties without both are omitted. */
const addressesText = (people: AgreementExtraDetails['people']): string =>
  (people ?? []).flatMap(({ email, mobile }) => email ?? mobile ?? []).join(', ');

/** Lists each party with its state; an unknown state is in the service's own word. */
function partyStatesText(
  people: AgreementExtraDetails['people'],
  row: Pick<Agreement, 'state'>,
  { partyStates, unsigned }: CellContext['words'],
): string {
  const isOver = closedStates.includes(row.state);
  const wordOf = ({ state, nativeState }: NonNullable<typeof people>[number]): string => {
    if (isOver && (state === 'turn' || state === 'waiting')) return unsigned;
    return state === 'unknown' ? nativeState : partyStates[state];
  };
  return (people ?? []).map((one) => `${one.name}: ${wordOf(one)}`).join(', ');
}
