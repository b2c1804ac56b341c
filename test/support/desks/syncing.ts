import * as z from 'zod';
import { createDirectCopies } from '../../../electron/adapters/sqlite/copies/direct.ts';
import { createOpenService } from '../../../electron/adapters/rest/open-service.ts';
import {
  systemChance,
  systemClock,
  systemScheduler,
} from '../../../electron/adapters/system/platform.ts';
import type { Database } from '../../../electron/adapters/sqlite/database/database.ts';
import { createToFailure } from '../../../electron/core/app-error.ts';
import type { AgreementService, Clock, CopyWriter, Stores } from '../../../electron/core/ports.ts';
import { createCopyRetention } from '../../../electron/core/agreements/copy-retention.ts';
import { Sync } from '../../../electron/core/sync/handlers.ts';
import type { Demo } from '../../../electron/demo/start.ts';
import type { Connection } from '../../../shared/contract/connections.ts';
import { ConnectionId } from '../../../shared/model/ids.ts';

/** Address and credentials of a service, possibly in another process. */
export type Place = Pick<Demo, 'v1Url' | 'v2Url' | 'credentials'>;

export const ids = {
  v1: ConnectionId.parse('11111111-0000-4000-8000-000000000001'),
  v2: ConnectionId.parse('22222222-0000-4000-8000-000000000002'),
} as const;

/** The sync over real stores with a real service, without the rest of the program. */
export function createSyncing(
  stores: Stores,
  place: Place,
  clock: Clock = systemClock,
  freeDisk: () => number | null = () => null,
  copies: CopyWriter = createDirectCopies(stores, systemScheduler),
) {
  const log = { info: () => {}, error: String };
  // Only dates are moved by the test, because requests take real time.
  const open = createOpenService({ clock: systemClock, chance: systemChance, log });
  const { token, accessKey, accountId } = place.credentials;
  const v1 = connectionOf(place, 'v1');
  const v2 = connectionOf(place, 'v2');
  const known = stores.connections.list();
  for (const one of [v1, v2])
    if (!known.some(({ id }) => id === one.id)) stores.connections.save(one);
  const services = new Map<ConnectionId, AgreementService>([
    [v1.id, open(v1, token)],
    [v2.id, open({ ...v2, accountId }, accessKey)],
  ]);
  const sync = new Sync({
    stores,
    copies,
    clock,
    // The service does not use the moved dates.
    gates: { credible: (_, dated) => dated },
    emit: () => {},
    linkToAgreements: async () => {},
    toFailure: createToFailure(log),
    freeDisk,
    services: {
      use: (id, work) => {
        const service = services.get(id);
        if (service === undefined) throw new Error(`No service for ${id}`);
        return work(service);
      },
    },
  });
  const { signal } = new AbortController();
  const care = createCopyRetention({
    copies,
    scheduler: systemScheduler,
    retire: async () => {},
  });
  return {
    sync,
    services,
    tend: () => care.tend(signal),
    run: (api: 'v1' | 'v2', isFull = false) => sync.run(ids[api], isFull, signal),
    /** Syncs both connections at the same time, including delayed work. */
    async runBoth(isFull = false) {
      const both = [sync.run(ids.v1, isFull, signal), sync.run(ids.v2, isFull, signal)];
      const outcomes = await Promise.all(both);
      await care.tend(signal);
      return outcomes;
    },
  };
}

function connectionOf(place: Place, api: 'v1' | 'v2'): Connection {
  const url = api === 'v1' ? place.v1Url : place.v2Url;
  const accountId = api === 'v1' ? null : place.credentials.accountId;
  return {
    id: ids[api],
    name: api,
    api,
    url,
    accountId,
    environment: 'test',
    orgNo: null,
    allowed: null,
    createdAt: api === 'v1' ? 1 : 2,
  };
}

const Content = z.object({ key: z.string(), remote: z.string() });

/** Every copy as shown in lists and as received, without its reading time. */
export function copyOf(database: Database, { agreements }: Stores): ReadonlyMap<string, string> {
  const content = database.query(
    `SELECT connection_id || ' ' || id AS key, remote
     FROM agreement JOIN agreement_content USING (number)`,
    Content,
  );
  const contents = new Map(content.all().map(({ key, remote }) => [key, remote]));
  const rows = new Map<string, string>();
  let after: string | undefined;
  do {
    const page = agreements.list({ sort: 'title', limit: 1000, ...(after && { after }) }, 0);
    for (const row of page.items) {
      const key = `${row.connectionId} ${row.id}`;
      rows.set(key, `${JSON.stringify(row)} ${contents.get(key) ?? ''}`);
    }
    after = page.next ?? undefined;
  } while (after !== undefined);
  return rows;
}
