import type { AgreementActions } from '../services/ports.ts';
import type { StoredAction, ActionGoal } from './ports.ts';
import { type FreshCopyPorts, nullWhenGone, readFreshAgreement } from '../services/fresh-copy.ts';
import type { RemoteAgreement } from '../../../shared/model/agreement.ts';
import { SECOND } from '../../../shared/rules/time/units.ts';

/** Whether one read of the service proves that the action was done. Throws if the read fails. */
export async function isProved(
  ports: FreshCopyPorts,
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
      return ports.services.act(connectionId, (actions) => isProvedByRead(actions, action, signal));
    case 'revoke':
    case 'remove':
    case 'change':
    case 'correct-email':
    case 'reject':
      if (id === null) return false;
      return isActionProvedBy(
        action,
        await readFreshAgreement(ports, { connectionId, id }, signal),
      );
  }
}

async function isProvedByRead(
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

type ObservedAgreement = Pick<RemoteAgreement, 'state' | 'expiresAt' | 'deletesAt' | 'parties'>;

/**
 * Whether an agreement read after the request proves that the action was done; null if the service
 * no longer has the agreement. Actions without a visible effect are never proved.
 */
export function isActionProvedBy(action: StoredAction, seen: ObservedAgreement | null): boolean {
  if (seen === null) return action.kind === 'remove';
  const { goal, partyId } = action;
  switch (action.kind) {
    case 'revoke':
      return seen.state === 'revoked';
    case 'reject':
      return seen.state === 'rejected';
    case 'change':
      return goal !== null && hasDates(seen, goal);
    case 'correct-email': {
      const party = seen.parties?.find(({ id }) => id === partyId);
      return party !== undefined && party.email === goal?.address;
    }
    case 'remove':
    case 'replace-recipients':
    case 'silence':
    case 'remind':
    case 'share':
    case 'upload-add':
    case 'upload-remove':
      return false;
  }
}

/** Whether the recipients match the intended ones, in any order. @internal */
export function areRecipients(
  recipients: readonly { readonly medium: string; readonly address: string }[] | null,
  goal: ActionGoal | null,
): boolean {
  const wanted = goal?.recipients;
  if (recipients === null || wanted === undefined) return false;
  const sorted = (list: typeof recipients) =>
    list.map(({ medium, address }) => JSON.stringify([medium, address])).toSorted();
  return JSON.stringify(sorted(recipients)) === JSON.stringify(sorted(wanted));
}

function hasDates(seen: ObservedAgreement, { expiresAt, deletesAt }: ActionGoal): boolean {
  return isSame(seen.expiresAt, expiresAt) && isSame(seen.deletesAt, deletesAt);
}

/**
 * Whether the date is the intended one; false if the date was not to be changed, because an
 * unchanged date proves nothing.
 */
function isSame(actual: number | null, wanted: number | undefined): boolean {
  if (wanted === undefined) return true;
  return actual !== null && Math.floor(actual / SECOND) === Math.floor(wanted / SECOND);
}
