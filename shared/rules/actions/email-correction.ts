import type { PartyNotification } from '../../model/remote-extras.ts';

/**
 * Types of the notifications that a corrected email address changes, and of those that it does not
 * change: only recipients with the old address change (API v1, "Update Email").
 */
export function splitByAddressChange(
  notifications: readonly PartyNotification[],
  oldAddress: string | null,
): { readonly moved: readonly string[]; readonly kept: readonly string[] } {
  const follows = ({ recipients }: PartyNotification) =>
    (recipients ?? []).some(({ medium, address }) => medium === 'EMAIL' && address === oldAddress);
  const moved = notifications.filter(follows).map(({ type }) => type);
  const kept = notifications.filter((one) => !follows(one)).map(({ type }) => type);
  return { moved, kept };
}
