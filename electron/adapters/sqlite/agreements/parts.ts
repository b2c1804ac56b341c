import type {
  AgreementFilter,
  AgreementView,
} from '../../../../shared/contract/agreement-query.ts';
import { AgreementState } from '../../../../shared/model/agreement.ts';
import { readFacets, stateCode } from './facets.ts';
import type { Snapshot } from './listings.ts';
import type { ListOrder } from './plan.ts';

/** One listing of a view. `group` is undefined if the view has no groups. */
export interface ListSegment {
  readonly group?: string | null;
  readonly order: ListOrder;
}

const descendingBySort: Readonly<Record<AgreementView['sort'], boolean>> = {
  updated: true,
  title: false,
  closed: true,
  expires: false,
};

/** Returns the first and the last known time of a sort key; null if no time is known. */
export type TimesOf = (
  key: 'updated_key' | 'closed_key' | 'expires_at',
) => { readonly first: number; readonly last: number } | null;

const timeKeys = { updated: 'updated_key', closed: 'closed_key', expires: 'expires_at' } as const;

/**
 * Returns the parts of a view, in order: by group, and within each group with unknown times last.
 */
export function partsOf(
  view: Pick<AgreementView, 'group' | 'sort' | 'direction'> & AgreementFilter,
  snapshot: Snapshot,
  timesOf: TimesOf,
): readonly ListSegment[] {
  const { group, sort, direction, ...filter } = view;
  const isDown = direction === undefined ? descendingBySort[sort] : direction === 'descending';
  const order: Omit<ListOrder, 'times'> = {
    filter,
    sort,
    direction: isDown ? 'descending' : 'ascending',
  };
  switch (group) {
    case 'none':
      return splitByTimes(order).map((one) => ({ order: one }));
    case 'state':
      return AgreementState.options
        .filter((state) => hasState(snapshot, state) && (filter.states ?? [state]).includes(state))
        .flatMap((state) =>
          partsInGroup(state, { ...order, filter: { ...filter, states: [state] } }),
        );
    case 'connection':
      return [...snapshot.connections]
        .filter(([id]) => filter.connectionId === undefined || filter.connectionId === id)
        .filter(([, number]) => hasConnection(snapshot, number))
        .flatMap(([id]) => partsInGroup(id, { ...order, filter: { ...filter, connectionId: id } }));
    case 'month':
      return partsByMonth(order, timesOf);
  }
}

function hasState({ tally }: Snapshot, state: AgreementState): boolean {
  return [...tally.keys()].some((facets) => readFacets(facets).state === stateCode(state));
}

function hasConnection({ tally }: Snapshot, number: number): boolean {
  return [...tally.keys()].some((facets) => readFacets(facets).connection === number);
}

const partsInGroup = (
  group: string | null,
  order: Omit<ListOrder, 'times'>,
): readonly ListSegment[] => splitByTimes(order).map((one) => ({ group, order: one }));

/**
 * Splits an order so that agreements of unknown time come last. In descending order they are last
 * anyway, since an unknown time of an update or of closing is stored as 0. An unknown expiry is
 * null, and an index cannot be read beyond null.
 */
function splitByTimes(order: Omit<ListOrder, 'times'>): readonly ListOrder[] {
  const isLastAnyway = order.direction === 'descending' && order.sort !== 'expires';
  if (order.sort === 'title' || isLastAnyway) return [{ ...order, times: 'any' }];
  return [
    { ...order, times: 'known' },
    { ...order, times: 'unknown' },
  ];
}

function partsByMonth(order: Omit<ListOrder, 'times'>, timesOf: TimesOf): readonly ListSegment[] {
  const by = order.sort === 'title' ? 'updated' : order.sort;
  const isDown = order.sort === 'title' || order.direction === 'descending';
  const key = timeKeys[by];
  const times = timesOf(key);
  const months = times === null ? [] : monthsBetween(times.first, times.last);
  const parts = months.map(({ name, from, to }): ListSegment => {
    const filter = withinPeriod(order.filter, by, from, to);
    return { group: name, order: { ...order, filter, times: 'any' } };
  });
  const unknown: ListOrder = { ...order, sort: by, times: 'unknown' };
  return [...(isDown ? parts.toReversed() : parts), { group: null, order: unknown }];
}

function withinPeriod(
  filter: AgreementFilter,
  by: 'updated' | 'closed' | 'expires',
  from: number,
  to: number,
): AgreementFilter {
  const least = Math.max(from, filter[`${by}From`] ?? from);
  const most = Math.min(to, filter[`${by}To`] ?? to);
  return { ...filter, [`${by}From`]: least, [`${by}To`]: most };
}

/** Returns the calendar months of a period, in this computer's time zone. */
function monthsBetween(first: number, last: number) {
  const start = new Date(first);
  const months: { readonly name: string; readonly from: number; readonly to: number }[] = [];
  for (let month = start.getMonth(); ; month += 1) {
    const from = new Date(start.getFullYear(), month, 1);
    if (from.getTime() > last) return months;
    const to = new Date(start.getFullYear(), month + 1, 1);
    const name = `${String(from.getFullYear())}-${String(from.getMonth() + 1).padStart(2, '0')}`;
    months.push({ name, from: from.getTime(), to: to.getTime() });
  }
}
