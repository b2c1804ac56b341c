import type { Identity, SigningItem } from '../../../shared/contract/signing.ts';
import { formatDateTime } from '../../ui/format.ts';
import { m } from '../../ui/language.svelte.ts';

export const personName = ({ firstName, lastName }: Identity): string => `${firstName} ${lastName}`;

/**
 * Names of the person and the company, as in the list of signers; the identity's own name only if
 * it adds information.
 */
export function identityName(identity: Identity): string {
  const { name, role, company } = identity;
  const person = personName(identity);
  const label = person.includes(name) ? null : name;
  return [person, label, role, company].filter((part) => part !== null).join(', ');
}

export function reviewText({ review, readable }: SigningItem): string {
  if (review === null) return readable ? m.signing_not_reviewed() : m.signing_no_preview();
  return review.isCurrent ? formatDateTime(review.at) : m.signing_review_changed();
}

/** Text like `reviewText`, with the person who reviewed. */
export function reviewFactText(item: SigningItem): string {
  const { review } = item;
  return review?.isCurrent === true ? `${reviewText(item)} · ${review.person}` : reviewText(item);
}
