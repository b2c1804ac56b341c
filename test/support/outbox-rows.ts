import type { FrozenRequest, NewRow } from '../../electron/core/outbox/ports.ts';
import { type ConnectionId, OutboxRef } from '../../shared/model/ids.ts';
import type { World } from './fakes/memory-desk.ts';
import { bytesOf } from './fakes/memory-ports.ts';

/** Adds a row to the outbox: by default an agreement that needs the user. */
export function insertRow(
  { stores, chance, clock }: Pick<World, 'stores' | 'chance' | 'clock'>,
  connectionId: ConnectionId,
  change: Partial<NewRow> = {},
  target: FrozenRequest['target'] = null,
): OutboxRef {
  const ref = OutboxRef.parse(chance.uuid());
  const item: NewRow = {
    ref,
    connectionId,
    kind: 'create',
    title: 'Lease',
    people: [],
    mark: { by: 'tag' },
    nextAt: null,
    ...change,
  };
  const request = { body: bytesOf(JSON.stringify({ ref })), target, signedAt: null };
  stores.outbox.insert({ item, request, uploads: [] }, clock.now());
  return ref;
}
