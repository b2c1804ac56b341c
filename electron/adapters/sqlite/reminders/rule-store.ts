import * as z from 'zod';
import { ReminderRule, ReminderRun } from '../../../../shared/contract/reminders.ts';
import type { ReminderRuleStore, StoredReminderRule } from '../../../core/reminders/ports.ts';
import { jsonColumn } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { createRuleStore } from '../rules/rule-store.ts';

const sql = {
  noteRun: 'UPDATE reminder_rule SET last = @last, failures = @failures WHERE id = @id',
  restart: `UPDATE reminder_rule SET failures = 0, counts_from = coalesce(@countsFrom, counts_from)
    WHERE id = @id`,
};

const Row: z.ZodType<StoredReminderRule> = z.object({
  rule: jsonColumn(ReminderRule),
  last: jsonColumn(ReminderRun).nullable(),
  failures: z.number(),
  countsFrom: z.number().nullable(),
});

export function createReminderRuleStore(database: Database): ReminderRuleStore {
  const noteRun = database.command(sql.noteRun);
  const restart = database.command(sql.restart);
  return {
    ...createRuleStore(database, {
      table: 'reminder_rule',
      noun: 'reminder rule',
      columns: 'rule, last, failures, counts_from AS countsFrom',
      row: Row,
      unique: [{ field: 'name', taken: 'Another reminder rule already has this name' }],
    }),
    noteRun: (id, run, failures) => void noteRun({ id, last: JSON.stringify(run), failures }),
    restart: (id, countsFrom) => void restart({ id, countsFrom }),
  };
}
