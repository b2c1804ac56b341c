import type { ConnectionId, OutboxRef } from '../../../shared/model/ids.ts';
import { tidiedName } from '../../../shared/rules/text/tidied-name.ts';
import { isTruncationOf, nameOnService } from './freeze.ts';
import { codesIn, endsInCode, type Hashing, hashOfParties, ownCode } from './marks.ts';
import type { SearchHit, ScanReading, SeenAgreement, StoredItem } from './ports.ts';
import type { OutboxGates } from './gates.ts';
import { CARRIED_OUT, CLOCK_SLACK, OLD, ZONES } from './times.ts';
import type { Stores } from '../ports.ts';
import { allConnectionsToServiceOf } from '../services/same-service.ts';

interface HitPorts extends Hashing {
  readonly stores: Pick<Stores, 'outbox' | 'connections'>;
}

/** Agreements of one reading of the list, indexed by every property that can identify a row. */
interface SeenIndex {
  readonly byRef: ReadonlyMap<string | null, readonly SeenAgreement[]>;
  readonly byCode: ReadonlyMap<string, readonly SeenAgreement[]>;
  readonly byName: ReadonlyMap<string, readonly SeenAgreement[]>;
  readonly byParties: ReadonlyMap<string | null, readonly SeenAgreement[]>;
  readonly withFields: readonly SeenAgreement[];
}

/** Returns the agreements that may belong to these rows; empty if the service was not reached. */
export function findHits(
  ports: HitPorts,
  creates: readonly StoredItem[],
  reading: ScanReading | null,
): ReadonlyMap<OutboxRef, readonly SearchHit[]> {
  const hits = new Map<OutboxRef, readonly SearchHit[]>();
  if (reading === null) return hits;
  const index = indexOf(reading.seen, ports);
  const { outbox } = ports.stores;
  // A correction may have been sent through another connection to the same service.
  const reachingOf = (id: ConnectionId) =>
    new Set([id, ...allConnectionsToServiceOf(ports.stores, id)]);
  const ids = [...new Set(creates.map(({ connectionId }) => connectionId))];
  const reaching = ids.flatMap((id) => [...reachingOf(id)]);
  for (const item of creates) {
    const found = resultHits(ports, item, index).filter(({ remoteId }) =>
      reaching.every((id) => {
        const bound = outbox.boundTo(id, remoteId);
        return bound === null || bound.ref === item.ref;
      }),
    );
    if (found.length > 0) hits.set(item.ref, found);
  }
  return hits;
}

function indexOf(seen: readonly SeenAgreement[], hashing: Hashing): SeenIndex {
  const coded = seen.flatMap((one) => codesIn(one.title).map((code) => ({ code, one })));
  const byCode = Map.groupBy(coded, ({ code }) => code);
  return {
    byRef: Map.groupBy(seen, ({ ref }) => ref),
    byCode: new Map([...byCode].map(([code, found]) => [code, found.map(({ one }) => one)])),
    byName: Map.groupBy(seen, ({ title }) => tidiedName(title)),
    byParties: Map.groupBy(seen, ({ parties }) =>
      parties === null ? null : hashOfParties(parties, hashing),
    ),
    withFields: seen.filter(({ fields }) => fields !== null),
  };
}

/** Returns the agreements that are or could be the result of this send. */
function resultHits(ports: HitPorts, item: StoredItem, index: SeenIndex): readonly SearchHit[] {
  const { mark, ref } = item;
  switch (mark.by) {
    case 'tag':
      return (index.byRef.get(ref) ?? []).map((seen) => hitOf(seen, true));
    case 'field':
      return index.withFields
        .filter(({ fields }) => fields?.[mark.field]?.trim().toLowerCase() === ref)
        .map((seen) => hitOf(seen, true));
    case 'name': {
      const code = ownCode(mark);
      const coded = index.byCode.get(code) ?? [];
      // The code is from this program, but different parties contradict it, so the user decides.
      const isSure = (seen: SeenAgreement) =>
        endsInCode(seen.title, code) && hasParties(ports, item, seen);
      return [
        ...coded.map((seen) => hitOf(seen, isSure(seen))),
        ...similarHits(ports, item, index).filter(({ title }) => !codesIn(title).includes(code)),
      ];
    }
    case 'token':
    case 'nothing':
      return similarHits(ports, item, index);
    case 'object':
      return [];
  }
}

const hitOf = (
  { id: remoteId, title, sentAt, state }: SeenAgreement,
  isMarked: boolean,
): SearchHit => ({
  remoteId,
  title,
  sentAt,
  state,
  isMarked,
});

/**
 * Returns the agreements with the row's parties and its name, or the beginning of its name, because
 * the service may have truncated it.
 */
function similarHits(ports: HitPorts, item: StoredItem, index: SeenIndex): readonly SearchHit[] {
  const name = tidiedName(nameOnService(item));
  const named = (index.byName.get(name) ?? []).filter((seen) => hasParties(ports, item, seen));
  const sameParties = item.parties === null ? [] : (index.byParties.get(item.parties) ?? []);
  const truncated = sameParties.filter(({ title }) => isTruncationOf(tidiedName(title), name));
  const earliest = clockFloorOf(ports.stores, item) - ZONES;
  // An agreement from before the send cannot be its result.
  return [...named, ...truncated]
    .filter(({ sentAt }) => sentAt === null || sentAt >= earliest)
    .map((seen) => hitOf(seen, false));
}

/** Whether the listed agreement has the row's parties. True if the parties are not known. */
function hasParties(hashing: Hashing, { parties }: StoredItem, seen: SeenAgreement): boolean {
  return (
    parties === null || seen.parties === null || hashOfParties(seen.parties, hashing) === parties
  );
}

/** Returns the earliest time, by the service's clock, at which a row can have been carried out. */
export function clockFloorOf(
  { outbox }: Pick<Stores, 'outbox'>,
  { ref, createdAt }: Pick<StoredItem, 'ref' | 'createdAt'>,
): number {
  const [first] = outbox.attempts(ref);
  // The data was restored: the attempts are in another copy of the data, and so are the answers
  // that showed the service's clock.
  if (first === undefined) return createdAt - OLD - CLOCK_SLACK;
  // Attempts of the program's first versions have no credential, and their `floor` is local time.
  return first.credential === '' ? first.floor - OLD - CLOCK_SLACK : first.floor;
}

/**
 * Whether an agreement is dated after the send was created, by both clocks and without the slack
 * for time zones, and soon after the last attempt of the send began. This excludes agreements with
 * the same name and parties that someone else created earlier or later.
 */
export function isDatedWithin(
  {
    stores,
    gates,
  }: { readonly stores: Pick<Stores, 'outbox'>; readonly gates: Pick<OutboxGates, 'skew'> },
  item: StoredItem,
  { sentAt }: Pick<SearchHit, 'sentAt'>,
): boolean {
  const last = stores.outbox.attempts(item.ref).at(-1);
  if (sentAt === null || last === undefined) return false;
  const earliest = Math.max(clockFloorOf(stores, item), item.createdAt - CLOCK_SLACK);
  const latest = last.startedAt + (gates.skew(item.connectionId) ?? 0) + CARRIED_OUT;
  return sentAt >= earliest && sentAt <= latest;
}
