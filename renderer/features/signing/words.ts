import type { SigningItem } from '../../../shared/contract/signing.ts';
import { formatDateTime } from '../../ui/format.ts';
import { m } from '../../ui/language.svelte.ts';

export function reviewText({ review, readable }: SigningItem): string {
  if (review === null) return readable ? m.signing_not_reviewed() : m.signing_no_preview();
  return review.isCurrent ? formatDateTime(review.at) : m.signing_review_changed();
}
