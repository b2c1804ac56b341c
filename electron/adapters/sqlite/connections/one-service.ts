import * as z from 'zod';
import { ConnectionId } from '../../../../shared/model/ids.ts';
import { serviceName } from '../../../../shared/rules/office/service-name.ts';
import type { Database } from '../database/database.ts';

const sql = {
  all: 'SELECT id, url FROM connection',
};

const Row = z.object({ id: ConnectionId, url: z.string() });

/**
 * Returns the IDs of all connections to the same service as the given one, as a JSON array. It
 * includes the given connection and removed ones.
 */
export function createOneService(database: Database): (id: ConnectionId) => string {
  const all = database.query(sql.all, Row);
  return (id) => {
    const connections = [...all.all()];
    const own = connections.find((one) => one.id === id);
    if (own === undefined) return '[]';
    const service = serviceName(own.url);
    const reaching = connections.filter(({ url }) => serviceName(url) === service);
    return JSON.stringify(reaching.map((one) => one.id));
  };
}
