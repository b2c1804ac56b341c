import type { OutboxRef } from '../../../shared/model/ids.ts';
import { nameOnService } from './freeze.ts';
import { type Hashing, hashOfParties } from './marks.ts';
import type { Hit, ScanReading, Seen, StoredItem } from './ports.ts';
import { CLOCK_SLACK } from './times.ts';
import type { Stores } from '../ports.ts';

interface HitPorts extends Hashing {
  readonly stores: Pick<Stores, 'outbox'>;
}

/** What a reading of the service's list shows of these rows; nothing when it was not reached. */
export function findHits(
  ports: HitPorts,
  creates: readonly StoredItem[],
  reading: ScanReading | null,
): ReadonlyMap<OutboxRef, readonly Hit[]> {
  const hits = new Map<OutboxRef, readonly Hit[]>();
  if (reading === null) return hits;
  const byRef = Map.groupBy(reading.seen, ({ ref }) => ref);
  const byTitle = Map.groupBy(reading.seen, ({ title }) => title);
  for (const item of creates) {
    const named = byTitle.get(nameOnService(item)) ?? [];
    const marked = item.mark.by === 'tag' ? (byRef.get(item.ref) ?? []) : named;
    const found = marked.flatMap((seen) => hitOf(ports, item, seen) ?? []);
    if (found.length > 0) hits.set(item.ref, found);
  }
  return hits;
}

/** Whether an agreement is this send, could be, or cannot be. */
function hitOf(
  ports: HitPorts,
  { mark, ref, connectionId, parties, createdAt }: StoredItem,
  seen: Seen,
): Hit | null {
  const bound = ports.stores.outbox.boundTo(connectionId, seen.id);
  if (bound !== null && bound.ref !== ref) return null;
  const { id: remoteId, title, sentAt, state } = seen;
  const hit = (isMarked: boolean): Hit => ({ remoteId, title, sentAt, state, isMarked });
  const isSameParties =
    parties === null || seen.parties === null || hashOfParties(seen.parties, ports) === parties;
  switch (mark.by) {
    case 'tag':
      return seen.ref === ref ? hit(true) : null;
    case 'field':
      return seen.fields?.[mark.field] === ref ? hit(true) : null;
    case 'name':
      // The code is ours; parties that differ contradict it, and a person looks.
      return hit(isSameParties);
    case 'token':
    case 'nothing':
      // Of the same name and parties, what was there before is not what was sent.
      return isSameParties && (sentAt ?? createdAt) >= createdAt - CLOCK_SLACK ? hit(false) : null;
    case 'object':
      return null;
  }
}
