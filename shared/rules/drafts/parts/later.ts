import type { DraftContent, ToldLater } from '../../../contract/drafts.ts';
import { reachedIn } from '../../reach/places.ts';

/**
 * Recipients notified later that are not parties, each once: copies, other recipients of messages,
 * webhooks. `now` has the addresses that are notified on sending.
 */
export function toldLater({ api, body }: DraftContent, now: readonly string[]): ToldLater[] {
  const reached = reachedIn(api, body);
  const known = new Set([
    ...now.map(plain),
    ...reached.flatMap(({ at, address }) => (isPartys(at) ? [plain(address)] : [])),
  ]);
  const later = new Map<string, ToldLater>();
  for (const { address, isHost } of reached) {
    const key = plain(address);
    if (!known.has(key) && !later.has(key)) later.set(key, { address: address.trim(), isHost });
  }
  return [...later.values()];
}

/** Messages to a party may have other recipients. */
const isPartys = (at: string): boolean =>
  at.startsWith('parties.') && !at.includes('.notifications.');
const plain = (address: string): string => address.trim().toLowerCase();
