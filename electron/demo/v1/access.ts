import { salesGroup, user } from '../state/account.ts';
import { param, type Exchange } from '../server/http.ts';
import { Refusal } from '../server/refusal.ts';
import type { Service } from '../state/service.ts';
import type { AccessRight, Agreement, Party } from '../state/record-v1.ts';

/** Whether our user may do this: the owner may all, others what was shared with them. */
export function may(agreement: Agreement, action: AccessRight['action']): boolean {
  return agreement.ownerId === user.id || agreement.accessRights.some((one) => grants(one, action));
}

/** Whether a new agreement can be seen yet. */
export function isCommitted({ createdOn }: Agreement, { behaviour, now }: Service): boolean {
  return createdOn + behaviour.commitDelayMs <= now();
}

/** @throws Refusal with 404 when there is no such agreement, 403 when the right is missing. */
export function findFor(
  exchange: Exchange,
  service: Service,
  right: AccessRight['action'] | 'own',
): Agreement {
  const agreement = service.store.agreements.get(param(exchange, 'id'));
  if (agreement === undefined || !isCommitted(agreement, service))
    throw new Refusal(404, 'There is no such agreement.');
  const isAllowed = right === 'own' ? agreement.ownerId === user.id : may(agreement, right);
  if (!isAllowed) throw new Refusal(403, `The caller lacks the right to ${right} this agreement.`);
  return agreement;
}

/** @throws Refusal with 404 */
export function findParty(exchange: Exchange, agreement: Agreement): Party {
  const party = agreement.parties.find(({ id }) => id === param(exchange, 'partyId'));
  if (party === undefined) throw new Refusal(404, 'There is no such party.');
  return party;
}

function grants(right: AccessRight, action: AccessRight['action']): boolean {
  if (right.action !== action) return false;
  switch (right.actorType) {
    case 'account':
      return true;
    case 'user':
      return right.actorId === user.id;
    case 'group':
      return right.actorId === salesGroup.id;
  }
}
