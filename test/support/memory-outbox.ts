import Sqlite from 'better-sqlite3';
import * as z from 'zod';
import { createDatabase } from '../../electron/adapters/sqlite/database.ts';
import { migrate } from '../../electron/adapters/sqlite/migrate.ts';
import { migrations } from '../../electron/adapters/sqlite/migrations/index.ts';
import { createOutboxStore } from '../../electron/adapters/sqlite/outbox-store.ts';
import type { OutboxStore, Passing } from '../../electron/core/outbox-ports.ts';
import { OutboxState } from '../../shared/contract/outbox.ts';

const Entry = z.object({
  ref: z.string(),
  from: OutboxState.nullable(),
  to: OutboxState,
  cause: z.string(),
});
export type Journalled = z.infer<typeof Entry>;

/** The program's own store, over a database that is in no file and knows no other tables' rows. */
export function createMemoryOutbox(passing?: Passing): {
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
  return { outbox: createOutboxStore(database, passing), journal: () => entries.all() };
}
