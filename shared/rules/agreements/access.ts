import type { AgreementAccess } from '../../model/agreement.ts';

/** Access rights of an agreement and the user of our credential, if both are known. */
export interface KnownAccess {
  readonly access?: AgreementAccess | null | undefined;
  readonly ourUser?: string | null | undefined;
}

/**
 * Whether it is ours; null if not known. An unshared agreement is visible only to its creator (API
 * v1, "Sharing status").
 */
export function isOurs({ access, ourUser }: KnownAccess): boolean | null {
  if (access === null || access === undefined) return null;
  if (access.sharedWith === 'NONE') return true;
  const owner = access.owner?.id ?? null;
  if (owner === null || ourUser === null || ourUser === undefined) return null;
  return owner === ourUser;
}

/**
 * False if we certainly lack the right to delete. A group's right may be ours, because the members
 * of groups are not known.
 */
export function canDeleteAgreement(known: KnownAccess): boolean {
  if (isOurs(known) !== false) return true;
  const rights = known.access?.rights ?? null;
  if (rights === null) return true;
  return rights.some(
    ({ action, actorType, actorId }) =>
      action === 'delete' && (actorType !== 'user' || actorId === known.ourUser),
  );
}
