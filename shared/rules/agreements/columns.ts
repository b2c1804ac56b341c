import type { RowMore } from '../../contract/agreement-query.ts';
import type { ListColumn } from '../../contract/agreement-views.ts';
import type { Agreement, AgreementMore } from '../../contract/agreements.ts';
import type { ReportCell, ReportWords } from '../../contract/reports.ts';
import { closedStates } from '../../model/agreement.ts';
import type { ConnectionId } from '../../model/ids.ts';
import { DAY } from '../time/units.ts';

interface CellContext {
  /** In the language of whoever reads it. */
  readonly words: ReportWords;
  /** What connections are called. */
  readonly nameOf: (connection: ConnectionId) => string;
  readonly now: number;
}

interface Column {
  readonly cell: (row: Agreement, context: CellContext) => ReportCell;
  /** What has to be asked for with the rows, where it does not come with every one. */
  readonly more?: RowMore;
}

const time = (at: number | null): ReportCell => (at === null ? null : { at });
const count = (number: number | null | undefined): ReportCell =>
  number === null || number === undefined ? null : { number };
const known = (text: string): ReportCell => (text === '' ? null : text);

const listColumns: Readonly<Record<ListColumn, Column>> = {
  title: { cell: ({ title }) => title },
  parties: { cell: ({ parties }) => parties?.join(', ') ?? null },
  state: { cell: (row, { words }) => stateText(row, words) },
  updated: { cell: ({ updatedAt }) => time(updatedAt) },
  expires: { cell: ({ expiresAt }) => time(expiresAt) },
  closed: { cell: ({ closedAt }) => time(closedAt) },
  deletes: { cell: ({ deletesAt }) => time(deletesAt) },
  connection: { cell: ({ connectionId }, { nameOf }) => nameOf(connectionId) },
  archived: { cell: ({ archivedAt }) => time(archivedAt) },
  id: { cell: ({ id }) => id },
  nativeState: { cell: ({ nativeState }) => nativeState },
  sent: { cell: ({ sentAt }) => time(sentAt) },
  daysWaiting: { cell: (row, { now }) => count(daysWaiting(row, now)) },
  sentBy: { more: 'remote', cell: ({ more }) => more?.sentBy ?? null },
  partyStates: {
    more: 'remote',
    cell: (row, { words }) => known(partyStatesText(row.more?.people ?? null, row, words)),
  },
  addresses: { more: 'remote', cell: ({ more }) => known(addressesText(more?.people ?? null)) },
  tags: { more: 'remote', cell: ({ more }) => known(tagsText(more?.tags ?? null)) },
  template: { more: 'sending', cell: ({ more }) => more?.template ?? null },
  batch: { more: 'sending', cell: ({ more }) => more?.batch ?? null },
  batchRow: { more: 'sending', cell: ({ more }) => count(more?.batchRow) },
};

/** What a column says of an agreement. */
export const cellOf = (row: Agreement, column: ListColumn, context: CellContext): ReportCell =>
  listColumns[column].cell(row, context);

/** What has to be asked for with rows that are shown in these columns. */
export function moreFor(columns: readonly ListColumn[]): RowMore[] {
  const wanted = columns.flatMap((column) => listColumns[column].more ?? []);
  return [...new Set(wanted)].toSorted();
}

/** A state that is not known is shown in the service's own word. */
function stateText(row: Agreement, { states, rejectedOrExpired }: CellContext['words']): string {
  if (row.perhapsExpired) return rejectedOrExpired;
  return row.state === 'unknown' ? row.nativeState : states[row.state];
}

/** Whether somebody's signature is waited for: it was sent, did not end, and is still there. */
const isWaiting = ({ state, gone }: Pick<Agreement, 'state' | 'gone'>): boolean =>
  state !== 'draft' && !closedStates.includes(state) && gone === null;

/**
 * Days since it was sent, by this computer's calendar; null where nobody is waited for any more, or
 * the service does not say when it was sent.
 * @internal
 */
export function daysWaiting(
  row: Pick<Agreement, 'state' | 'gone' | 'sentAt'>,
  now: number,
): number | null {
  if (!isWaiting(row) || row.sentAt === null) return null;
  return Math.max(0, Math.round((midnight(now) - midnight(row.sentAt)) / DAY));
}

/** The first instant of the day, by this computer's clock. */
const midnight = (at: number): number => new Date(at).setHours(0, 0, 0, 0);

/** `key: value`, and the key alone where there is no value; empty where no tags are known. */
const tagsText = (tags: AgreementMore['tags']): string =>
  Object.entries(tags ?? {})
    .map(([key, value]) => (value === '' ? key : `${key}: ${value}`))
    .join(', ');

/** Where the parties are written to: an e-mail address, else a phone number, of those that have one. */
const addressesText = (people: AgreementMore['people']): string =>
  (people ?? []).flatMap(({ email, mobile }) => email ?? mobile ?? []).join(', ');

/** Each party with what it did; a state nobody knows in the service's own word. */
function partyStatesText(
  people: AgreementMore['people'],
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
