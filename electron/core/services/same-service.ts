import { isSameService, serviceName } from '../../../shared/rules/office/service-name.ts';
import { AppError } from '../../../shared/errors.ts';
import type { ConnectionId } from '../../../shared/model/ids.ts';
import type { Stores } from '../ports.ts';

/**
 * Returns the service name of a connection. It is equal on all computers that use the service, even
 * if they have its address in different spellings. It does not include the account: API v2 does not
 * show which accounts belong to the same company, and two users of one company send the same
 * agreement to the same people.
 */
export function serviceOf({ connections }: Pick<Stores, 'connections'>, id: ConnectionId): string {
  return serviceName(connections.get(id).url);
}

/** Returns the service name of each connection that exists or was removed. */
export function servicesByConnection({
  connections,
}: Pick<Stores, 'connections'>): ReadonlyMap<ConnectionId, string> {
  return new Map(connections.ever().map(({ id, url }) => [id, serviceName(url)]));
}

/** Returns the service name of a connection, which may have been removed. */
export function formerServiceOf(stores: Pick<Stores, 'connections'>, id: ConnectionId): string {
  const service = servicesByConnection(stores).get(id);
  if (service === undefined) {
    throw new AppError('not-found', `There has never been a connection ${id}`);
  }
  return service;
}

/**
 * Returns all connections to the service of this connection, including removed ones: an action
 * through any of them was done to the same agreement.
 */
export function allConnectionsToServiceOf(
  stores: Pick<Stores, 'connections'>,
  id: ConnectionId,
): readonly ConnectionId[] {
  const all = servicesByConnection(stores);
  return [...all].flatMap(([one, service]) => (service === all.get(id) ? [one] : []));
}

/** Returns the connections of this computer to a service. */
export function connectionsTo(
  stores: Pick<Stores, 'connections'>,
  service: string,
): readonly ConnectionId[] {
  return stores.connections
    .list()
    .filter(({ url }) => isSameService(serviceName(url), service))
    .map(({ id }) => id);
}

/**
 * Returns the connection in use if it reaches the service, otherwise the first connection that
 * does; null if there is none.
 */
export function connectionTo(
  stores: Pick<Stores, 'connections'>,
  service: string,
  inUse: ConnectionId | null = null,
): ConnectionId | null {
  const found = connectionsTo(stores, service);
  return found.find((id) => id === inUse) ?? found[0] ?? null;
}

/**
 * Returns the connection for sending to a service. If several connections reach it, returns the one
 * in use if it is among them; otherwise null, and the user chooses the sender.
 */
export function findSenderTo(
  stores: Pick<Stores, 'connections'>,
  service: string,
  inUse: ConnectionId | null = null,
): ConnectionId | null {
  const found = connectionsTo(stores, service);
  if (found.length > 1) return found.find((id) => id === inUse) ?? null;
  return found[0] ?? null;
}
