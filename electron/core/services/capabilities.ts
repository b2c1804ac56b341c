import type { ActionName, ActionReason } from '../../../shared/contract/actions.ts';
import type { AgreementKey, ConnectionId } from '../../../shared/model/ids.ts';
import { AppError } from '../../../shared/errors.ts';
import type { RemoteAgreement } from '../../../shared/model/agreement.ts';
import { actionRejectionReason } from '../../../shared/rules/actions/reasons.ts';
import { isKnown } from './fresh-copy.ts';
import type { ActionsV1, ActionsV2, AgreementActions } from './ports.ts';
import type { Stores } from '../ports.ts';

type CapabilityStores = Pick<Stores, 'agreements' | 'connections'>;

/**
 * Throws 'invalid' if the connection's API has no such action, 'not-found' if there is no
 * connection.
 */
export function requireAction(
  { connections }: Pick<Stores, 'connections'>,
  connectionId: ConnectionId,
  action: ActionName,
): void {
  const reason = actionRejectionReason(action, null, connections.get(connectionId).api);
  if (reason !== null) throw unsupported(unsupportedSentences[reason]);
}

/**
 * Checks an action against a fresh read of the agreement. Throws 'forbidden' if only the owner may
 * do it and the owner is someone else, and 'conflict' if the agreement's state does not allow it.
 */
export function requireState(
  { connections, ownUsers }: Pick<Stores, 'connections' | 'ownUsers'>,
  connectionId: ConnectionId,
  action: ActionName,
  { state, access }: Pick<RemoteAgreement, 'state' | 'access'>,
): void {
  const { api } = connections.get(connectionId);
  const ourUser = ownUsers.find(connectionId);
  const reason = actionRejectionReason(action, { state, gone: null, access, ourUser }, api);
  if (reason === null) return;
  rejectStrangers(reason, access);
  const rule =
    reason === 'only-rejected'
      ? 'only a rejected agreement can be deleted'
      : 'it is too late for this action';
  const message =
    reason === 'not-sent'
      ? 'The agreement has not been sent yet'
      : `The agreement is ${state}: ${rule}`;
  throw new AppError('conflict', message, { reason: 'state-forbids' });
}

/** Throws 'forbidden' if the local copy shows that only someone else may do the action. */
export function requireRight(
  stores: CapabilityStores & Pick<Stores, 'ownUsers'>,
  key: AgreementKey,
  action: ActionName,
): void {
  requireAction(stores, key.connectionId, action);
  if (!isKnown(stores.agreements, key)) return;
  const { api, access } = stores.agreements.details(key);
  const ourUser = stores.ownUsers.find(key.connectionId);
  // The state in the local copy may be outdated, so this function does not check it: a fresh read
  // or the service itself does.
  const reason = actionRejectionReason(
    action,
    { state: 'unknown', gone: null, access, ourUser },
    api,
  );
  if (reason !== null) rejectStrangers(reason, access);
}

function rejectStrangers(reason: ActionReason, access: RemoteAgreement['access']): void {
  const owner = access?.owner?.name ?? '';
  const whose =
    owner === '' ? 'The agreement belongs to someone else' : `The agreement belongs to ${owner}`;
  if (reason === 'not-owner') {
    throw new AppError('forbidden', `${whose}, and only its owner can do this`, { reason });
  }
  if (reason === 'no-delete-right') {
    throw new AppError('forbidden', `${whose}, and the right to delete it was not shared`, {
      reason,
    });
  }
}

/** Returns the actions of API v1. Throws 'invalid' for API v2. */
export function requireV1Actions(actions: AgreementActions): ActionsV1 {
  if (actions.api === 'v1') return actions;
  throw unsupported();
}

/** Returns the actions of API v2. Throws 'invalid' for API v1. */
export function requireV2Actions(actions: AgreementActions): ActionsV2 {
  if (actions.api === 'v2') return actions;
  throw unsupported();
}

/** Returns an agreement's title in the local copy; its ID if there is no local copy. */
export function titleOf(
  { agreements }: Pick<CapabilityStores, 'agreements'>,
  key: AgreementKey,
): string {
  return isKnown(agreements, key) ? agreements.details(key).title : key.id;
}

export function aboutAgreement(stores: CapabilityStores, key: AgreementKey) {
  const { connectionId, id } = key;
  return { connectionId, agreementId: id, title: titleOf(stores, key) };
}

/**
 * Throws 'invalid' if the user confirmed a different number of agreements; to be called before
 * anything is done.
 */
export function requireCount(keys: readonly AgreementKey[], confirm: number): void {
  const distinct = new Set(keys.map(({ connectionId, id }) => JSON.stringify([connectionId, id])));
  if (confirm === keys.length && distinct.size === keys.length) return;
  const message = `The action affects ${distinct.size} agreements, but ${confirm} were confirmed. Nothing was done`;
  throw new AppError('invalid', message, { reason: 'count-differs' });
}

const unsupportedSentences: Readonly<Partial<Record<ActionReason, string>>> = {
  'v1-cannot-reject': 'API v1 cannot reject for a party. The party rejects on the signing page',
  'v1-cannot-share': 'API v1 cannot share an agreement that was sent',
  'v1-has-no-template-fields':
    'API v1 keeps field values with each document. See the unchanged answer of the service',
  'v1-has-no-xml': 'API v1 answers in JSON only',
  'v1-has-no-uploads': 'API v1 has no uploads. Documents are sent with the agreement',
  'v2-cannot-change': 'API v2 cannot change an agreement that was sent',
  'v2-cannot-remind': 'API v2 cannot send an invitation again',
  'v2-has-no-signing-links': 'API v2 does not give links for signing',
  'v2-has-no-attachments': 'API v2 gives only the whole PDF, not its documents',
};

function unsupported(message = 'The API of this connection does not have this action'): AppError {
  return new AppError('invalid', message, { reason: 'api-lacks-action' });
}
