import type { DraftContent } from '../../../contract/drafts.ts';
import { recipientAddressesIn, unallowedAddressesIn } from '../../reach/places.ts';
import type { Findings } from './findings.ts';

/**
 * Rejects every recipient that is not allowed, including webhooks and recipients notified later.
 * Null allows everyone. The account owner, whom only the service knows, is always allowed.
 */
export function rejectUnallowedRecipients(
  { api, body }: DraftContent,
  allowed: readonly string[] | null,
  findings: Findings,
): void {
  for (const { at } of unallowedAddressesIn(recipientAddressesIn(api, body), allowed))
    findings.error(at, 'stranger');
}
