import Sqlite from 'better-sqlite3';
import * as z from 'zod';
import {
  createDatabase,
  type Database,
} from '../../../electron/adapters/sqlite/database/database.ts';
import { migrate } from '../../../electron/adapters/sqlite/database/migrate.ts';
import { migrations } from '../../../electron/adapters/sqlite/migrations/index.ts';
import { createStores } from '../../../electron/adapters/sqlite/stores.ts';
import type { Stores } from '../../../electron/core/ports.ts';
import { ActionState } from '../../../shared/contract/actions.ts';
import { OutboxState } from '../../../shared/contract/outbox.ts';

const Journalled = z.object({
  ref: z.string(),
  from: OutboxState.nullable(),
  to: OutboxState,
  cause: z.string(),
});

/** A status change of an action in its journal. */
const ActionStep = z.object({
  from: ActionState.nullable(),
  to: ActionState,
  cause: z.string(),
});

/** The program's own stores; two processes share data when both get the same stores. */
export interface MemoryStores extends Stores {
  readonly journal: readonly z.infer<typeof Journalled>[];
  readonly actionJournal: readonly z.infer<typeof ActionStep>[];
}

const sql = {
  journal: 'SELECT ref, from_state AS "from", to_state AS "to", cause FROM journal ORDER BY number',
  actionJournal: `SELECT from_state AS "from", to_state AS "to", cause FROM action_journal
    ORDER BY number`,
};

/**
 * The program's own stores over a database in memory, so that nothing waits for a disk, or over a
 * database on disk that a test provides.
 */
export function createMemoryStores(database: Database = emptyDatabase()): MemoryStores {
  const journal = database.query(sql.journal, Journalled);
  const actionJournal = database.query(sql.actionJournal, ActionStep);
  const stores = createStores(database);
  // The pattern has no date, unlike the default, so that tests can name files.
  stores.settings.write({ archivePattern: '{title}_{id8}' });
  return {
    ...stores,
    get journal() {
      return journal.all();
    },
    get actionJournal() {
      return actionJournal.all();
    },
  };
}

let empty: Buffer | null = null;

/** Returns a copy of an empty database, which is migrated only once. */
function emptyDatabase(): Database {
  if (empty === null) {
    const first = new Sqlite(':memory:');
    migrate(first, migrations, 'never');
    empty = first.serialize();
    first.close();
  }
  const raw = new Sqlite(empty);
  raw.pragma('foreign_keys = ON');
  return createDatabase(raw, ':memory:');
}
