import type { AgreementKey } from '../../shared/contract/ids.ts';
import type { Emit } from '../../shared/contract/index.ts';
import { AppError } from '../../shared/errors.ts';
import type { RemoteAgreement } from '../../shared/model/agreement.ts';
import type { AgreementActions } from './action-ports.ts';
import { areRecipients, provedBy } from './action-proof.ts';
import type { StoredAction } from './action-record.ts';
import type { Clock, Stores } from './ports.ts';
import type { Services } from './services.ts';

export interface LookPorts {
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
  { stores, services, clock, emit }: LookPorts,
  key: AgreementKey,
  signal: AbortSignal,
): Promise<RemoteAgreement | null> {
  const { connectionId, id } = key;
  const { api } = stores.connections.get(connectionId);
  const remote = await services.use(connectionId, (service) =>
    nullWhenGone(service.read(id, signal)),
  );
  if (remote !== null) {
    stores.agreements.put(connectionId, api, [remote], clock.now());
  } else if (isKnown(stores.agreements, key)) {
    stores.agreements.markGone(key, 'deleted');
  }
  emit('agreements.changed', { connectionId, added: 0, changed: 1 });
  return remote;
}

/** Whether one reading of the service proves that the action was done. Throws when it fails. */
export async function isProved(
  ports: LookPorts,
  action: StoredAction,
  signal: AbortSignal,
): Promise<boolean> {
  const { kind, connectionId, agreementId: id } = action;
  switch (kind) {
    case 'remind':
    case 'share':
    case 'upload-add':
      return false;
    case 'replace-recipients':
    case 'silence':
    case 'upload-remove':
      return ports.services.act(connectionId, (actions) => isTold(actions, action, signal));
    case 'revoke':
    case 'remove':
    case 'change':
    case 'correct-email':
    case 'reject':
      if (id === null) return false;
      return provedBy(action, await readNow(ports, { connectionId, id }, signal));
  }
}

async function isTold(
  actions: AgreementActions,
  { agreementId: id, partyId, notificationId, token, goal }: StoredAction,
  signal: AbortSignal,
): Promise<boolean> {
  if (actions.api === 'v2') {
    return token !== null && (await nullWhenGone(actions.uploads.show(token, signal))) === null;
  }
  if (id === null || partyId === null || notificationId === null) return false;
  const place = { id, partyId, notificationId };
  const found = await nullWhenGone(actions.readNotification(place, signal));
  if (goal === null) return found === null;
  return found !== null && areRecipients(found.notification.recipients, goal);
}

async function nullWhenGone<Value>(reading: Promise<Value>): Promise<Value | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof AppError && error.failure.code === 'not-found') return null;
    throw error;
  }
}

/** Whether there is a copy of it here. */
export function isKnown(agreements: Stores['agreements'], key: AgreementKey): boolean {
  return agreements.find(key.id).some((one) => one.connectionId === key.connectionId);
}
