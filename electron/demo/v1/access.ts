import { colleague, colleagueToken, credentials, salesGroup, user } from '../state/account.ts';
import { requirePathParameter, type Exchange } from '../server/http.ts';
import { Refusal } from '../server/refusal.ts';
import type { Service } from '../state/service.ts';
import type { AccessRight, Agreement, Party } from '../state/record-v1.ts';

type UserId = (typeof user | typeof colleague)['id'];

const users: ReadonlyMap<string, UserId> = new Map<string, UserId>([
  [`Token ${credentials.token}`, user.id],
  [`Token ${colleagueToken}`, colleague.id],
]);

/**
 * Returns the user of the request’s token.
 * @throws Refusal with 401
 */
export function callerOf({ headers }: Pick<Exchange, 'headers'>): UserId {
  const caller = users.get(headers['authorization'] ?? '');
  if (caller === undefined) throw new Refusal(401, 'Missing or invalid credentials.');
  return caller;
}

/**
 * Whether a user has a right on an agreement: the owner has all rights, other users those that were
 * granted to them.
 */
export function isAllowedTo(
  agreement: Agreement,
  action: AccessRight['action'],
  caller: UserId,
): boolean {
  const isGranted = (one: AccessRight): boolean => isGrantedBy(one, action, caller);
  return agreement.ownerId === caller || agreement.accessRights.some(isGranted);
}

export function isCommitted({ createdOn }: Agreement, { behaviour, now }: Service): boolean {
  return createdOn + behaviour.commitDelayMs <= now();
}

/** @throws Refusal with 404 if the agreement does not exist, 403 if the user lacks the right. */
export function findPermittedAgreement(
  exchange: Exchange,
  service: Service,
  right: AccessRight['action'] | 'own',
): Agreement {
  const agreement = service.store.agreements.get(requirePathParameter(exchange, 'id'));
  if (agreement === undefined || !isCommitted(agreement, service))
    throw new Refusal(404, 'There is no such agreement.');
  const caller = callerOf(exchange);
  const isAllowed =
    right === 'own' ? agreement.ownerId === caller : isAllowedTo(agreement, right, caller);
  if (!isAllowed) throw new Refusal(403, `The caller lacks the right to ${right} this agreement.`);
  return agreement;
}

/** @throws Refusal with 404 */
export function findParty(exchange: Exchange, agreement: Agreement): Party {
  const party = agreement.parties.find(
    ({ id }) => id === requirePathParameter(exchange, 'partyId'),
  );
  if (party === undefined) throw new Refusal(404, 'There is no such party.');
  return party;
}

function isGrantedBy(right: AccessRight, action: AccessRight['action'], caller: UserId): boolean {
  if (right.action !== action) return false;
  switch (right.actorType) {
    case 'account':
      return true;
    case 'user':
      return right.actorId === caller;
    case 'group':
      return right.actorId === salesGroup.id && caller === user.id;
  }
}
