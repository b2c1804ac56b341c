import type { AgreementActions } from '../services/ports.ts';
import { areRecipients, provedBy } from './proof.ts';
import type { StoredAction } from './ports.ts';
import { type LookPorts, nullWhenGone, readNow } from '../services/fresh-copy.ts';

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
