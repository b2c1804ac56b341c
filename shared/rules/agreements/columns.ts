import type { RowMore } from '../../contract/agreement-query.ts';
import type { ListColumn } from '../../contract/agreement-views.ts';
import type { Agreement, AgreementMore } from '../../contract/agreements.ts';
import { closedStates, type PartyState } from '../../model/agreement.ts';
import { DAY } from '../time/units.ts';

/** The columns that are not in every row, and what has to be asked for. */
const rowMore: Readonly<Partial<Record<ListColumn, RowMore>>> = {
  tags: 'remote',
  addresses: 'remote',
  partyStates: 'remote',
  sentBy: 'remote',
  template: 'sending',
  batch: 'sending',
  batchRow: 'sending',
};

/** What has to be asked for with rows that are shown in these columns. */
export function moreFor(columns: readonly ListColumn[]): RowMore[] {
  const wanted = columns.flatMap((column) => rowMore[column] ?? []);
  return [...new Set(wanted)].toSorted();
}

/** Whether somebody's signature is waited for: it was sent, did not end, and is still there. */
const isWaiting = ({ state, gone }: Pick<Agreement, 'state' | 'gone'>): boolean =>
  state !== 'draft' && !closedStates.includes(state) && gone === null;

/**
 * Days since it was sent, by this computer's calendar; null where nobody is waited for any more, or
 * the service does not say when it was sent.
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
export const tagsText = (tags: AgreementMore['tags']): string =>
  Object.entries(tags ?? {})
    .map(([key, value]) => (value === '' ? key : `${key}: ${value}`))
    .join(', ');

/** Where the parties are written to: an e-mail address, else a phone number, of those that have one. */
export const addressesText = (people: AgreementMore['people']): string =>
  (people ?? []).flatMap(({ email, mobile }) => email ?? mobile ?? []).join(', ');

/** What party states are called, and those that were left as they were when the agreement ended. */
export interface PartyWords {
  readonly partyStates: Readonly<Record<PartyState, string>>;
  readonly unsigned: string;
}

/** Each party with what it did; a state nobody knows in the service's own word. */
export function partyStatesText(
  people: AgreementMore['people'],
  row: Pick<Agreement, 'state'>,
  { partyStates, unsigned }: PartyWords,
): string {
  const isOver = closedStates.includes(row.state);
  const wordOf = ({ state, nativeState }: NonNullable<typeof people>[number]): string => {
    if (isOver && (state === 'turn' || state === 'waiting')) return unsigned;
    return state === 'unknown' ? nativeState : partyStates[state];
  };
  return (people ?? []).map((one) => `${one.name}: ${wordOf(one)}`).join(', ');
}
