import type { AgreementAccess } from '../../model/agreement.ts';

/** Access rights of an agreement, and the user of this program's credential, if known. */
export interface KnownAccess {
  readonly access?: AgreementAccess | null | undefined;
  readonly ourUser?: string | null | undefined;
}

/**
 * Whether our user created the agreement; null if not known. An unshared agreement is visible only
 * to its creator (API v1, "Sharing status").
 */
export function isOurs({ access, ourUser }: KnownAccess): boolean | null {
  if (access === null || access === undefined) return null;
  if (access.sharedWith === 'NONE') return true;
  const owner = access.owner?.id ?? null;
  if (owner === null || ourUser === null || ourUser === undefined) return null;
  return owner === ourUser;
}

/**
 * Whether our user may have the right to delete the agreement; false if certainly not. A group's
 * right may be our user's, because the members of groups are not known.
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
