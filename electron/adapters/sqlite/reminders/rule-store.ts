import * as z from 'zod';
import { ReminderRule, ReminderRun } from '../../../../shared/contract/reminders.ts';
import { AppError } from '../../../../shared/errors.ts';
import type { ReminderRuleStore, StoredReminderRule } from '../../../core/reminders/ports.ts';
import { jsonColumn } from '../database/columns.ts';
import type { Database } from '../database/database.ts';

const columns = 'rule, last, failures, counts_from AS countsFrom';

const sql = {
  list: `SELECT ${columns} FROM reminder_rule ORDER BY name, id`,
  get: `SELECT ${columns} FROM reminder_rule WHERE id = @id`,
  named: `SELECT ${columns} FROM reminder_rule WHERE name = @name AND id <> @id`,
  save: `INSERT INTO reminder_rule (id, name, rule) VALUES (@id, @name, @rule)
    ON CONFLICT (id) DO UPDATE SET name = excluded.name, rule = excluded.rule`,
  remove: 'DELETE FROM reminder_rule WHERE id = @id',
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
  const list = database.query(sql.list, Row);
  const one = database.query(sql.get, Row);
  const named = database.query(sql.named, Row);
  const save = database.command(sql.save);
  const remove = database.command(sql.remove);
  const noteRun = database.command(sql.noteRun);
  const restart = database.command(sql.restart);
  return {
    list: () => list.all(),
    get: (id) => one.first({ id }) ?? missing(),
    save: (rule) =>
      database.transaction(() => {
        const { id, name } = rule;
        if (named.first({ id, name }) !== undefined) {
          const message = 'Another reminder rule has this name';
          throw new AppError('conflict', message, { fields: { name: message } });
        }
        save({ id, name, rule: JSON.stringify(rule) });
      }),
    remove: (id) => {
      if (remove({ id }) === 0) missing();
    },
    noteRun: (id, run, failures) => void noteRun({ id, last: JSON.stringify(run), failures }),
    restart: (id, countsFrom) => void restart({ id, countsFrom }),
  };
}

function missing(): never {
  throw new AppError('not-found', 'There is no such reminder rule');
}
