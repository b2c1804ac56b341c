import type { SigningNote } from '../../../shared/contract/signing.ts';
import type { IdentityId } from '../../../shared/model/ids.ts';
import { folded } from '../../../shared/rules/corrections/list.ts';
import type { IdentityStore } from '../ports.ts';

/**
 * Whether a review or approval was given by this person, also under another entry in the list of
 * people who sign. People are compared by their personal numbers, or by their names if a number is
 * unknown, as after the removal of an entry.
 */
export function isBySamePerson(
  identities: IdentityStore,
  { personId, person }: SigningNote,
  identityId: IdentityId,
): boolean {
  if (personId === identityId) return true;
  const { firstName, lastName, personNumber } = identities.get(identityId);
  const other = identities.list().find(({ id }) => id === personId)?.personNumber ?? null;
  if (other !== null && personNumber !== null) return other === personNumber;
  return folded(person) === folded(`${firstName} ${lastName}`);
}
