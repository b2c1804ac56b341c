import type { DraftContent, LaterRecipient } from '../../../contract/drafts.ts';
import { recipientAddressesIn } from '../../reach/places.ts';

/**
 * Recipients notified later that are not parties, each once: copies, other recipients of messages,
 * webhooks. `now` has the addresses that are notified as soon as the agreement is accepted.
 */
export function laterRecipientsOf(
  { api, body }: DraftContent,
  now: readonly string[],
): LaterRecipient[] {
  const reached = recipientAddressesIn(api, body);
  const known = new Set([
    ...now.map(foldAddress),
    ...reached.flatMap(({ at, address }) => (isPartyField(at) ? [foldAddress(address)] : [])),
  ]);
  const later = new Map<string, LaterRecipient>();
  for (const { address, isHost } of reached) {
    const key = foldAddress(address);
    if (!known.has(key) && !later.has(key)) later.set(key, { address: address.trim(), isHost });
  }
  return [...later.values()];
}

/** Whether a path has a party's own address; messages to a party may have other recipients. */
const isPartyField = (at: string): boolean =>
  at.startsWith('parties.') && !at.includes('.notifications.');
const foldAddress = (address: string): string => address.trim().toLowerCase();
