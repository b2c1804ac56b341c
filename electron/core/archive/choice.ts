import type { Agreement } from '../../../shared/contract/agreements.ts';
import type { ArchiveRun } from '../../../shared/contract/archive.ts';
import type { AgreementKey } from '../../../shared/model/ids.ts';
import type { Stores } from '../ports.ts';

/** Rows read from the store at once. */
const STRETCH = 500;
const OLDEST_FIRST = { sort: 'closed', direction: 'ascending', group: 'none' } as const;
const SIGNED = 'signed' as const;

/** The agreements a run is about, oldest closed first: signed by all unless other states are asked for. */
export function chosenBy(
  { agreements }: Pick<Stores, 'agreements'>,
  run: Pick<ArchiveRun, 'connectionId' | 'since' | 'until' | 'only' | 'filter'>,
  now: number,
): readonly Agreement[] {
  const { connectionId, since, until, only, filter } = run;
  const found =
    filter === undefined
      ? agreements.concluded(connectionId, since, until).filter(({ state }) => state === SIGNED)
      : matching(agreements, run, now);
  const wanted = only === undefined ? null : new Set(only.map(textOf));
  return found.filter((one) => one.gone === null && (wanted === null || wanted.has(textOf(one))));
}

function matching(
  agreements: Stores['agreements'],
  {
    filter,
    connectionId,
    since,
    until,
  }: Pick<ArchiveRun, 'connectionId' | 'since' | 'until' | 'filter'>,
  now: number,
): readonly Agreement[] {
  const { states, ...named } = filter ?? {};
  const view = {
    ...named,
    ...(connectionId !== undefined && { connectionId }),
    ...(since !== undefined && { closedFrom: since }),
    ...(until !== undefined && { closedTo: until }),
    states: states === undefined || states.length === 0 ? [SIGNED] : states,
    ...OLDEST_FIRST,
  };
  const found: Agreement[] = [];
  for (;;) {
    const { items } = agreements.window({ ...view, from: found.length, limit: STRETCH }, now);
    found.push(...items);
    if (items.length < STRETCH) return found;
  }
}

/** Each as `textOf` gives it; also of agreements that are gone from the service. */
export function keysOfTag(
  { agreements }: Pick<Stores, 'agreements'>,
  tag: string,
  now: number,
): ReadonlySet<string> {
  const view = { ...OLDEST_FIRST, tag };
  const found = new Set<string>();
  for (let from = 0; ; from += STRETCH) {
    const { items } = agreements.window({ ...view, from, limit: STRETCH }, now);
    for (const item of items) found.add(textOf(item));
    if (items.length < STRETCH) return found;
  }
}

/** One text for one agreement. */
export const textOf = ({ connectionId, id }: AgreementKey): string => `${connectionId} ${id}`;
