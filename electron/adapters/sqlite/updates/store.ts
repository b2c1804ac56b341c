import * as z from 'zod';
import { Release, UpdateFeed } from '../../../../shared/contract/updates.ts';
import type { UpdateRecord, UpdateStore } from '../../../core/updates/ports.ts';
import { jsonColumn } from '../database/columns.ts';
import type { Database } from '../database/database.ts';

/**
 * Name of the setting with the state of updates. It is stored among the user's settings, but
 * belongs to the program.
 */
const UPDATES_SETTING = 'updates';

const sql = {
  read: `SELECT value FROM setting WHERE name = '${UPDATES_SETTING}'`,
  write: `
    INSERT INTO setting (name, value) VALUES ('${UPDATES_SETTING}', @value)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
};

const StoredUpdateRecord = z.object({
  feed: UpdateFeed.nullable(),
  checkedAt: z.number().nullable(),
  offered: Release.nullable(),
  highest: z.string().nullable(),
});

const Row = z.object({ value: jsonColumn(StoredUpdateRecord) });

const noUpdateRecord: UpdateRecord = { feed: null, checkedAt: null, offered: null, highest: null };

export function createUpdateStore(database: Database): UpdateStore {
  const row = database.query(sql.read, Row);
  const write = database.command(sql.write);
  return {
    read: () => row.first()?.value ?? noUpdateRecord,
    write: (record) => database.transaction(() => void write({ value: JSON.stringify(record) })),
  };
}
