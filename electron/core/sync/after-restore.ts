import type { ConnectionId } from '../../../shared/model/ids.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Stores } from '../ports.ts';
import type { Sync } from './handlers.ts';

export interface ReadAfterRestorePorts {
  readonly stores: Pick<Stores, 'settings' | 'connections'>;
  readonly sync: Pick<Sync, 'runAnew'>;
}

/**
 * Reads the connection unless it was read since the data was restored or copied. Such data lacks
 * recent sends: the read finds a draft or row that the service already has, before it is sent.
 * Throws the failure of the read.
 */
export async function readAfterRestore(
  { stores, sync }: ReadAfterRestorePorts,
  id: ConnectionId,
): Promise<void> {
  const { lastRestoredAt, restoredAt } = stores.settings.read();
  // Earlier versions did not store `lastRestoredAt`.
  const since = lastRestoredAt ?? restoredAt;
  const checkedAt = stores.connections.checkedAt(id) ?? 0;
  if (since === null || checkedAt >= since) return;
  const { failure } = await sync.runAnew(id, new AbortController().signal);
  if (failure !== null) throw AppError.from(failure);
}
