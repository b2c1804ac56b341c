import type { Connection } from '../../../shared/contract/connections.ts';
import type { ConnectionId } from '../../../shared/model/ids.ts';
import { settings } from '../../window/settings.svelte.ts';

/**
 * The connection of a new draft, without asking: the selected one, the only one, or the connection
 * that was used last. Returns null if the user must choose. Any other connection might belong to
 * another environment, where a test would reach real people, or a real agreement would be a test.
 */
export function usualConnection(
  all: readonly Connection[],
  selected: Connection | null,
  last: ConnectionId | null,
): Connection | null {
  const [first, ...more] = all;
  if (selected !== null) return selected;
  if (first !== undefined && more.length === 0) return first;
  return all.find(({ id }) => id === last) ?? null;
}

/** Stores the connection that the user chose for a draft, for the next new draft. */
export async function rememberConnection(id: ConnectionId): Promise<void> {
  if (settings.stored.value?.lastConnection !== id) await settings.write({ lastConnection: id });
}
