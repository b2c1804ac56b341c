import type {
  AgreementFilter,
  AgreementView,
} from '../../../../shared/contract/agreement-query.ts';
import type { AgreementState, RemoteAgreement } from '../../../../shared/model/agreement.ts';
import { closedStates } from '../../../../shared/model/agreement.ts';
import { DAY } from '../../../../shared/rules/time/units.ts';

/** Agreement as received from the service, with its local data. */
export interface Known {
  readonly connectionId: string;
  readonly received: RemoteAgreement;
  readonly archived: boolean;
  /** Whether the archived file was found missing or changed. */
  readonly damaged: boolean;
  readonly gone: boolean;
  readonly live: boolean;
}

/** Whether an agreement matches the filter; the program's fast filters must agree with this. */
export function isMatch(known: Known, filter: AgreementFilter, now: number): boolean {
  const { received, archived, gone, live } = known;
  const within = (time: number | null, from?: number, to?: number) =>
    (from === undefined && to === undefined) ||
    (time !== null && time >= (from ?? 1) && time < (to ?? Infinity));
  return (
    isOneOf(filter.connectionId, known.connectionId) &&
    (filter.states === undefined || filter.states.includes(received.state)) &&
    isOneOf(filter.myTurn, isMyTurn(known)) &&
    isOneOf(filter.archived, archived && !known.damaged) &&
    isOneOf(filter.gone, gone) &&
    isOneOf(filter.connected, live) &&
    (filter.tag === undefined || tagsOf(received).includes(filter.tag)) &&
    (filter.search === undefined || hasWords(received, filter.search)) &&
    within(received.updatedAt, filter.updatedFrom, filter.updatedTo) &&
    within(received.closedAt, filter.closedFrom, filter.closedTo) &&
    within(received.expiresAt, filter.expiresFrom, filter.expiresTo) &&
    (filter.counter === undefined ||
      (filter.counter === 'attention' && known.damaged) ||
      (live && !gone && isCounted(known, filter.counter, now)))
  );
}

const isOneOf = <Value>(wanted: Value | undefined, value: Value) =>
  wanted === undefined || wanted === value;

function isMyTurn({ received, gone, live }: Known): boolean {
  const turns = received.parties?.some(
    ({ apiSigning, state }) => apiSigning !== null && state === 'turn',
  );
  return turns === true && live && !gone && !closedStates.includes(received.state);
}

function isCounted(known: Known, counter: string, now: number): boolean {
  const { received } = known;
  const ended = received.updatedAt ?? received.closedAt ?? received.expiresAt;
  const open: readonly AgreementState[] = ['waiting', 'part-signed', 'unknown'];
  switch (counter) {
    case 'attention':
      return (
        received.state === 'unknown' ||
        (['rejected', 'expired'].includes(received.state) && (ended ?? 0) >= now - 30 * DAY)
      );
    case 'expiring':
      return (
        open.includes(received.state) &&
        received.expiresAt !== null &&
        received.expiresAt >= now &&
        received.expiresAt <= now + 7 * DAY
      );
    case 'my-turn':
      return isMyTurn(known);
    case 'not-archived':
      return received.state === 'signed' && (!known.archived || known.damaged);
    default:
      throw new RangeError(counter);
  }
}

const tagsOf = ({ tags }: RemoteAgreement) =>
  Object.entries(tags ?? {}).flatMap(([key, value]) => [key, `${key}=${value}`]);

function hasWords({ title, id, parties, tags }: RemoteAgreement, search: string): boolean {
  const people = (parties ?? []).flatMap(({ name, email }) => [name, email ?? '']);
  const words = plain([title, id, ...people, ...Object.entries(tags ?? {}).flat()].join(' '));
  return plain(search).every((wanted) => words.some((word) => word.startsWith(wanted)));
}

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** Returns a comparison for the list order; its result is 0 if both orders are valid. */
export function compare(view: Pick<AgreementView, 'sort' | 'direction'>) {
  const { sort } = view;
  const usual = sort === 'title' || sort === 'expires' ? 'ascending' : 'descending';
  const sign = (view.direction ?? usual) === 'ascending' ? 1 : -1;
  const order = new Intl.Collator('sv', { sensitivity: 'accent' });
  if (sort === 'title') {
    return (one: RemoteAgreement, other: RemoteAgreement) =>
      sign * order.compare(one.title, other.title);
  }
  const time = (one: RemoteAgreement) => one[`${sort}At`];
  return (one: RemoteAgreement, other: RemoteAgreement) => {
    const [a, b] = [time(one), time(other)];
    if (a === null || b === null) return (a === null ? 1 : 0) - (b === null ? 1 : 0);
    return sign * (a - b);
  };
}
