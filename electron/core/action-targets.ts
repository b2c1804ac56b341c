import type { ActionName } from '../../shared/contract/actions.ts';
import type { AgreementKey, ConnectionId } from '../../shared/contract/ids.ts';
import { AppError } from '../../shared/errors.ts';
import type { RemoteAgreement } from '../../shared/model/agreement.ts';
import { reasonAgainst } from '../../shared/rules/action-reasons.ts';
import { isKnown } from './action-look.ts';
import type { ActionsV1, ActionsV2, AgreementActions } from './action-ports.ts';
import type { Stores } from './ports.ts';

type Known = Pick<Stores, 'agreements' | 'connections'>;

/** Throws 'invalid' when the connection's API has no such action, 'not-found' for no connection. */
export function requireAction(
  { connections }: Pick<Stores, 'connections'>,
  connectionId: ConnectionId,
  action: ActionName,
): void {
  if (reasonAgainst(action, null, connections.get(connectionId).api) !== null) throw lacking();
}

/** Throws 'conflict' when the agreement, as just read, is in no state for it. */
export function requireState(
  { connections }: Pick<Stores, 'connections'>,
  connectionId: ConnectionId,
  action: ActionName,
  { state }: Pick<RemoteAgreement, 'state'>,
): void {
  const { api } = connections.get(connectionId);
  const reason = reasonAgainst(action, { state, gone: null }, api);
  if (reason === null) return;
  const rule = reason === 'only-rejected' ? 'only a rejected one can be deleted' : 'it is too late';
  const message = reason === 'not-sent' ? 'It has not been sent yet' : `It is ${state}: ${rule}`;
  throw new AppError('conflict', message, { reason: 'state-forbids' });
}

/** The side of API v1. Throws 'invalid' on v2. */
export function onV1(actions: AgreementActions): ActionsV1 {
  if (actions.api === 'v1') return actions;
  throw lacking();
}

/** The side of API v2. Throws 'invalid' on v1. */
export function onV2(actions: AgreementActions): ActionsV2 {
  if (actions.api === 'v2') return actions;
  throw lacking();
}

/** The title of the copy here, or the id where there is none. */
export function titleOf({ agreements }: Pick<Known, 'agreements'>, key: AgreementKey): string {
  return isKnown(agreements, key) ? agreements.details(key).title : key.id;
}

/** The agreement by which an action is written down. */
export function aboutAgreement(stores: Known, key: AgreementKey) {
  const { connectionId, id } = key;
  return { connectionId, agreementId: id, title: titleOf(stores, key) };
}

/** A person has seen how many it concerns. Throws 'invalid'; nothing was done. */
export function requireCount(keys: readonly AgreementKey[], confirm: number): void {
  const distinct = new Set(keys.map(({ connectionId, id }) => JSON.stringify([connectionId, id])));
  if (confirm === keys.length && distinct.size === keys.length) return;
  const message = `${distinct.size} agreements are concerned, ${confirm} were confirmed`;
  throw new AppError('invalid', message, { reason: 'count-differs' });
}

function lacking(): AppError {
  const message = 'The API of this connection cannot do this';
  return new AppError('invalid', message, { reason: 'api-lacks-action' });
}
