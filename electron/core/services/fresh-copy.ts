import type { AgreementKey, ConnectionId } from '../../../shared/model/ids.ts';
import type { Emit } from '../../../shared/contract/index.ts';
import { isCode } from '../../../shared/errors.ts';
import type { RemoteAgreement } from '../../../shared/model/agreement.ts';
import type { Clock, Stores } from '../ports.ts';
import type { Services } from './services.ts';

export interface FreshCopyPorts {
  readonly stores: Pick<Stores, 'agreements' | 'connections'>;
  readonly services: Services;
  readonly clock: Clock;
  readonly emit: Emit;
}

/**
 * Reads an agreement from the service into the copies here; null, and marked as deleted, when the
 * service has none. Throws every other failure.
 */
export async function readNow(
  { stores, services, clock, emit }: FreshCopyPorts,
  key: AgreementKey,
  signal: AbortSignal,
): Promise<RemoteAgreement | null> {
  const { connectionId, id } = key;
  const remote = await services.use(connectionId, (service) =>
    nullWhenGone(service.read(id, signal)),
  );
  if (remote !== null) {
    keepCopy({ stores, clock }, connectionId, remote);
  } else if (isKnown(stores.agreements, key)) {
    stores.agreements.markGone(key, 'deleted');
  }
  emit('agreements.changed', { connectionId, added: 0, changed: 1 });
  return remote;
}

/**
 * Puts what was read of one agreement into the copies here. Whoever reads says what became of it:
 * most change one, a send adds one, and what the outbox tells of itself needs no more.
 */
export function keepCopy(
  { stores, clock }: Pick<FreshCopyPorts, 'stores' | 'clock'>,
  connectionId: ConnectionId,
  remote: RemoteAgreement,
): void {
  const { api } = stores.connections.get(connectionId);
  stores.agreements.put(connectionId, api, [remote], clock.now());
}

/** What a reading gives; null when the service says that there is nothing to read. */
export async function nullWhenGone<Value>(reading: Promise<Value>): Promise<Value | null> {
  try {
    return await reading;
  } catch (error) {
    if (isCode(error, 'not-found')) return null;
    throw error;
  }
}

/** Whether there is a copy of it here. */
export function isKnown(agreements: Stores['agreements'], key: AgreementKey): boolean {
  return agreements.find(key.id).some((one) => one.connectionId === key.connectionId);
}
