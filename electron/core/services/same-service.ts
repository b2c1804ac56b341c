import { isSameService, serviceName } from '../../../shared/rules/office/service-name.ts';
import { AppError } from '../../../shared/errors.ts';
import type { ConnectionId } from '../../../shared/model/ids.ts';
import type { Stores } from '../ports.ts';

/**
 * The same at every desk that sends to one service, however its address was typed. Accounts are left out:
 * nothing that API v2 gives tells which of them are users of one company, and two users of one company
 * send the same agreement to the same people.
 */
export function serviceOf({ connections }: Pick<Stores, 'connections'>, id: ConnectionId): string {
  return serviceName(connections.get(id).url);
}

/** The same of each connection that there ever was. */
export function everyService({
  connections,
}: Pick<Stores, 'connections'>): ReadonlyMap<ConnectionId, string> {
  return new Map(connections.ever().map(({ id, url }) => [id, serviceName(url)]));
}

/** The same of one that may have been removed. */
export function everServiceOf(stores: Pick<Stores, 'connections'>, id: ConnectionId): string {
  const service = everyService(stores).get(id);
  if (service === undefined) {
    throw new AppError('not-found', `There has never been a connection ${id}`);
  }
  return service;
}

/**
 * Connections that reach the service of this one, also those that were removed: what was done to an agreement
 * through any of them was done to it.
 */
export function everReaching(
  stores: Pick<Stores, 'connections'>,
  id: ConnectionId,
): readonly ConnectionId[] {
  const all = everyService(stores);
  return [...all].flatMap(([one, service]) => (service === all.get(id) ? [one] : []));
}

/** The connections of this desk that reach it. */
export function connectionsTo(
  stores: Pick<Stores, 'connections'>,
  service: string,
): readonly ConnectionId[] {
  return stores.connections
    .list()
    .filter(({ url }) => isSameService(serviceName(url), service))
    .map(({ id }) => id);
}

/** The one that is in use where it reaches the service, else the first that does; null when none does. */
export function connectionTo(
  stores: Pick<Stores, 'connections'>,
  service: string,
  inUse: ConnectionId | null = null,
): ConnectionId | null {
  const found = connectionsTo(stores, service);
  return found.find((id) => id === inUse) ?? found[0] ?? null;
}

/** The same for what is going to be sent: when several reach it, a person chooses who sends. */
export function senderTo(
  stores: Pick<Stores, 'connections'>,
  service: string,
  inUse: ConnectionId | null = null,
): ConnectionId | null {
  const found = connectionsTo(stores, service);
  if (found.length > 1) return found.find((id) => id === inUse) ?? null;
  return found[0] ?? null;
}
