import * as z from 'zod';
import { ConnectionId } from '../../../../shared/model/ids.ts';
import type { AgreementIndex } from './search-index.ts';
import { createListingSql, type Listing, StoredListing } from './listing.ts';
import type { ListOrder } from './plan.ts';
import { narrowingOf } from './query.ts';
import type { Database } from '../database/database.ts';
import { MINUTE } from '../../../../shared/rules/time/units.ts';

/** Maximum number of cached listings: enough for several windows with their groups. */
const MAX_KEPT_LISTINGS = 64;

const sql = {
  tally: 'SELECT facets, number FROM agreement_tally WHERE number > 0',
  connections: 'SELECT id, number FROM connection ORDER BY is_removed, created_at, name',
  changes: 'SELECT total_changes() AS number',
};

const ChangeCountRow = z.object({ number: z.number() });
const TallyRow = z.object({ facets: z.number(), number: z.number() });
const NumberedConnection = z.object({ id: ConnectionId, number: z.number() });

/** Data shared by all queries between two changes. */
export interface Snapshot {
  /** Number of agreements by facets. */
  readonly tally: ReadonlyMap<number, number>;
  /** Number of each connection, in the order in which connections are displayed. */
  readonly connections: ReadonlyMap<ConnectionId, number>;
}

export interface AgreementListings {
  of(order: ListOrder, now: number): Listing;
  snapshot(): Snapshot;
}

const emptyListing: Listing = {
  source: { kind: 'facets', facets: [] },
  total: () => 0,
  totalUpTo: () => ({ total: 0, isCounted: true }),
  slice: () => [],
  after: () => [],
  indexOf: () => null,
  statement: 'SELECT 1 WHERE 0',
  parameters: {},
};

/** Caches listings; all are dropped when this process or another one changes any data. */
export function createListings(database: Database, index: AgreementIndex): AgreementListings {
  const tally = database.query(sql.tally, TallyRow);
  const connections = database.query(sql.connections, NumberedConnection);
  const changes = database.query(sql.changes, ChangeCountRow);
  const statements = createListingSql(database);
  let last: (Snapshot & { readonly version: string; readonly isIndexed: boolean }) | null = null;
  const kept = new Map<string, Listing>();

  function snapshot() {
    const version = `${String(database.dataVersion())} ${String(changes.first()?.number)}`;
    if (last?.version === version) return last;
    kept.clear();
    last = {
      version,
      tally: new Map(tally.all().map(({ facets, number }) => [facets, number])),
      connections: new Map(connections.all().map(({ id, number }) => [id, number])),
      isIndexed: index.isWhole(),
    };
    return last;
  }

  function create(order: ListOrder, now: number): Listing {
    const { filter } = order;
    const current = snapshot();
    const number =
      filter.connectionId === undefined ? undefined : current.connections.get(filter.connectionId);
    if (filter.connectionId !== undefined && number === undefined) return emptyListing;
    const narrowing = narrowingOf(filter, number, now);
    return narrowing === null
      ? emptyListing
      : new StoredListing(statements, { order, narrowing, ...current });
  }

  return {
    of(order, now) {
      snapshot();
      // Counters depend on the time; a minute's precision is enough.
      const minute = Math.floor(now / MINUTE) * MINUTE;
      const key = JSON.stringify([order, order.filter.counter === undefined ? 0 : minute]);
      const known = kept.get(key);
      if (known !== undefined) return known;
      const listing = create(order, minute);
      const [oldest] = kept.keys();
      if (kept.size >= MAX_KEPT_LISTINGS && oldest !== undefined) kept.delete(oldest);
      kept.set(key, listing);
      return listing;
    },
    snapshot,
  };
}
