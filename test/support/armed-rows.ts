import type { NewRow } from '../../electron/core/outbox/ports.ts';
import type { World } from './fakes/memory-desk.ts';
import { BatchId, type ConnectionId, OutboxRef } from '../../shared/model/ids.ts';
import { bytesOf } from './fakes/memory-ports.ts';

export const BATCH = BatchId.parse('b0000000-0000-4000-8000-000000000001');

interface ArmedBatch {
  readonly connectionId: ConnectionId;
  readonly rows: number;
  readonly policy?: 'ask' | 'auto';
  readonly stopAfter?: number | null;
  /** Time at which the batch's rows are sent (epoch ms); immediately by default. */
  readonly nextAt?: number;
  /** Other known values of each row. */
  readonly about?: Partial<NewRow>;
}

/** Arms a batch, in spreadsheet order, whose rows have only their mark. */
export function armRows(
  { stores, chance, clock }: Pick<World, 'stores' | 'chance' | 'clock'>,
  {
    connectionId,
    rows,
    policy = 'ask',
    stopAfter = null,
    nextAt = clock.now(),
    about: more = {},
  }: ArmedBatch,
): readonly OutboxRef[] {
  const refs = Array.from({ length: rows }, () => OutboxRef.parse(chance.uuid()));
  const entries = refs.map((ref, index) => {
    const about = { title: `Row ${String(index)}`, people: [], rowNo: index + 2, nextAt };
    const item = {
      ...about,
      ...more,
      ref,
      connectionId,
      kind: 'create',
      mark: { by: 'tag' },
    } as const;
    const body = bytesOf(JSON.stringify({ ref }));
    return { item, request: { body, target: null, signedAt: null }, uploads: [] };
  });
  const batch = { batchId: BATCH, connectionId, title: 'Leases', policy, stopAfter };
  for (const entry of entries) stores.outbox.stage(BATCH, entry, clock.now());
  stores.outbox.arm(batch, clock.now());
  return refs;
}
