import type { Allowed } from '../../../shared/contract/connections.ts';
import type { ConnectionId } from '../../../shared/model/ids.ts';
import type { Stores } from '../ports.ts';

/** Whom a connection reaches; everybody while none is chosen, or where it was removed. */
export function allowedBy(
  { connections }: Pick<Stores, 'connections'>,
  connectionId: ConnectionId | null,
): Allowed {
  return connections.list().find(({ id }) => id === connectionId)?.allowed ?? null;
}
