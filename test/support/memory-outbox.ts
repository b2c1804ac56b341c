import Sqlite from 'better-sqlite3';
import * as z from 'zod';
import { createDatabase } from '../../electron/adapters/sqlite/database.ts';
import { migrate } from '../../electron/adapters/sqlite/migrate.ts';
import { migrations } from '../../electron/adapters/sqlite/migrations/index.ts';
import { createOutboxStore } from '../../electron/adapters/sqlite/outbox-store.ts';
import { nameOnService } from '../../electron/core/outbox-create.ts';
import type {
  OutboxStore,
  Passing,
  StoredItem,
  Suspect,
  WatchSince,
} from '../../electron/core/outbox-ports.ts';
import type { ConnectionId } from '../../shared/contract/ids.ts';
import { OutboxState } from '../../shared/contract/outbox.ts';
import type { ToldCopy } from './memory-sync-store.ts';

const Entry = z.object({
  ref: z.string(),
  from: OutboxState.nullable(),
  to: OutboxState,
  cause: z.string(),
});
export type Journalled = z.infer<typeof Entry>;

/**
 * The program's own store, over a database that is in no file and knows no other tables' rows; the
 * copies of agreements are told.
 */
export function createMemoryOutbox(
  passing?: Passing,
  copies: () => readonly ToldCopy[] = () => [],
): {
  readonly outbox: OutboxStore;
  readonly journal: () => readonly Journalled[];
} {
  const raw = new Sqlite(':memory:');
  migrate(raw, migrations, 'never');
  raw.pragma('foreign_keys = OFF');
  const database = createDatabase(raw, ':memory:');
  const entries = database.query(
    'SELECT ref, from_state AS "from", to_state AS "to", cause FROM journal ORDER BY number',
    Entry,
  );
  const outbox = createOutboxStore(database, passing);
  return {
    outbox: {
      ...outbox,
      watchEnd: () => null,
      suspects: (id, since) => suspectsAmong(outbox, copies(), id, since),
    },
    journal: () => entries.all(),
  };
}

function suspectsAmong(
  outbox: OutboxStore,
  copies: readonly ToldCopy[],
  connectionId: ConnectionId,
  since: WatchSince,
): readonly Suspect[] {
  const watched = (['sent', 'abandoned'] as const).flatMap((state) =>
    outbox.inState(state).filter(({ updatedAt }) => updatedAt >= since[state]),
  );
  const loose = copies.filter(
    ({ key }) => key.connectionId === connectionId && outbox.boundTo(connectionId, key.id) === null,
  );
  return watched.flatMap((row) =>
    loose
      .filter(({ remote }) => mayBeOf(row, remote))
      .map(({ key }) => ({ ref: row.ref, remoteId: key.id })),
  );
}

function mayBeOf(row: StoredItem, { tags, title }: ToldCopy['remote']): boolean {
  const theirs = tags?.['desk.ref'];
  if (theirs !== undefined) return theirs === row.ref;
  const isStrong = row.mark.by === 'name' || row.mark.by === 'field';
  return title === nameOnService(row) && (isStrong || row.attempts > 1);
}
