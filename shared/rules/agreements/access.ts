import type { AgreementAccess } from '../../model/agreement.ts';

/** An agreement's access with the user that our credential belongs to, as far as both are known. */
export interface KnownAccess {
  readonly access?: AgreementAccess | null | undefined;
  readonly ourUser?: string | null | undefined;
}

/**
 * Whether it is ours; null when that cannot be told. What is shared with nobody is seen by its
 * creator only (API v1, "Sharing status").
 */
export function isOurs({ access, ourUser }: KnownAccess): boolean | null {
  if (access === null || access === undefined) return null;
  if (access.sharedWith === 'NONE') return true;
  const owner = access.owner?.id ?? null;
  if (owner === null || ourUser === null || ourUser === undefined) return null;
  return owner === ourUser;
}

/**
 * False when no right to delete can be ours: of groups we are not told the members, so that a
 * group's right may be.
 */
export function mayDelete(known: KnownAccess): boolean {
  if (isOurs(known) !== false) return true;
  const rights = known.access?.rights ?? null;
  if (rights === null) return true;
  return rights.some(
    ({ action, actorType, actorId }) =>
      action === 'delete' && (actorType !== 'user' || actorId === known.ourUser),
  );
}
