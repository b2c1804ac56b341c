import type { DraftContent } from '../../../contract/drafts.ts';
import { reachedIn, strangersIn } from '../../reach/places.ts';
import type { Findings } from './findings.ts';

/**
 * Refuses everybody that the service would ever write to or call for this agreement, at once or
 * later, and who is not among those allowed; null allows everybody. The owner of the account, whom
 * only the service knows, is no stranger.
 */
export function rejectStrangers(
  { api, body }: DraftContent,
  allowed: readonly string[] | null,
  findings: Findings,
): void {
  for (const { at } of strangersIn(reachedIn(api, body), allowed)) findings.error(at, 'stranger');
}
