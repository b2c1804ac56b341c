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
 * Reads an agreement from the service into the local copies. If the service does not have it, marks
 * the copy as deleted and returns null. Throws every other failure.
 */
export async function readFreshAgreement(
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
 * Saves a freshly read agreement in the local copies. The caller emits the event, because events
 * differ: most calls change an agreement, a send adds one, and the outbox has its own events.
 */
export function keepCopy(
  { stores, clock }: Pick<FreshCopyPorts, 'stores' | 'clock'>,
  connectionId: ConnectionId,
  remote: RemoteAgreement,
): void {
  const { api } = stores.connections.get(connectionId);
  stores.agreements.put(connectionId, api, [remote], clock.now());
}

/** Returns the result of a read; null if the service reports 'not-found'. */
export async function nullWhenGone<Value>(reading: Promise<Value>): Promise<Value | null> {
  try {
    return await reading;
  } catch (error) {
    if (isCode(error, 'not-found')) return null;
    throw error;
  }
}

export function isKnown(agreements: Stores['agreements'], key: AgreementKey): boolean {
  return agreements.find(key.id).some((one) => one.connectionId === key.connectionId);
}
