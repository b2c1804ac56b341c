import * as z from 'zod';
import { BackupPlan, BackupRun, BackupState } from '../../../../shared/contract/backup.ts';
import type { BackupStore, StoredBackup } from '../../../core/backup/ports.ts';
import { blobColumn, jsonColumn } from '../database/columns.ts';
import type { Database } from '../database/database.ts';

const sql = {
  read: `
    SELECT desk, recipient, wrapped, plan, set_up_at AS setUpAt, last, good
    FROM backup WHERE id = 1`,
  save: `
    INSERT INTO backup (id, desk, recipient, wrapped, plan, set_up_at, last, good)
    VALUES (1, @desk, @recipient, @wrapped, @plan, @setUpAt, @last, @good)
    ON CONFLICT (id) DO UPDATE SET desk = excluded.desk, recipient = excluded.recipient,
      wrapped = excluded.wrapped, plan = excluded.plan, set_up_at = excluded.set_up_at,
      last = excluded.last, good = excluded.good`,
  remove: 'DELETE FROM backup',
};

const Row: z.ZodType<StoredBackup> = z.object({
  desk: z.string(),
  recipient: z.string(),
  wrapped: blobColumn,
  plan: jsonColumn(BackupPlan),
  setUpAt: z.number(),
  last: jsonColumn(BackupRun).nullable(),
  good: jsonColumn(BackupState.shape.good.unwrap()).nullable(),
});

export function createBackupStore(database: Database): BackupStore {
  const read = database.query(sql.read, Row);
  const save = database.command(sql.save);
  const remove = database.command(sql.remove);
  return {
    read: () => read.first() ?? null,
    save: ({ desk, recipient, wrapped, plan, setUpAt, last, good }) => {
      save({
        desk,
        recipient,
        wrapped,
        plan: JSON.stringify(plan),
        setUpAt,
        last: last === null ? null : JSON.stringify(last),
        good: good === null ? null : JSON.stringify(good),
      });
    },
    remove: () => void remove(),
  };
}
