import type { Allowed } from '../../../shared/contract/connections.ts';
import type { ConnectionId } from '../../../shared/model/ids.ts';
import type { Stores } from '../ports.ts';

/**
 * Recipients that a connection may reach; null (anyone) if there is no connection, or it was
 * removed.
 */
export function allowedBy(
  { connections }: Pick<Stores, 'connections'>,
  connectionId: ConnectionId | null,
): Allowed {
  return connections.list().find(({ id }) => id === connectionId)?.allowed ?? null;
}
