import * as z from 'zod';
import { ConnectionId } from '../../../../shared/model/ids.ts';
import { serviceName } from '../../../../shared/rules/office/service-name.ts';
import type { Database } from '../database/database.ts';
import { flagColumn } from '../database/columns.ts';

const sql = {
  all: 'SELECT id, url, is_removed = 0 AS isLive FROM connection ORDER BY created_at, id',
};

const Reaching = z.object({ id: ConnectionId, url: z.string(), isLive: flagColumn });
export type Reaching = z.infer<typeof Reaching>;

/** Gives the connections that reach the service of one of them, itself among them; also those that were removed. */
export function createOneService(database: Database): (id: ConnectionId) => readonly Reaching[] {
  const all = database.query(sql.all, Reaching);
  return (id) => {
    const connections = [...all.all()];
    const own = connections.find((one) => one.id === id);
    if (own === undefined) return [];
    const service = serviceName(own.url);
    return connections.filter(({ url }) => serviceName(url) === service);
  };
}
