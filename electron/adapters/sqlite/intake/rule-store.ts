import * as z from 'zod';
import { IntakeRule, IntakeRun } from '../../../../shared/contract/intake.ts';
import { AppError } from '../../../../shared/errors.ts';
import type { IntakeRuleStore, StoredIntakeRule } from '../../../core/intake/ports.ts';
import { jsonColumn } from '../database/columns.ts';
import type { Database } from '../database/database.ts';

const sql = {
  list: 'SELECT rule, last FROM intake_rule ORDER BY name, id',
  get: 'SELECT rule, last FROM intake_rule WHERE id = @id',
  named: 'SELECT rule, last FROM intake_rule WHERE name = @name AND id <> @id',
  watching: 'SELECT rule, last FROM intake_rule WHERE folder = @folder AND id <> @id',
  save: `INSERT INTO intake_rule (id, name, folder, rule) VALUES (@id, @name, @folder, @rule)
    ON CONFLICT (id) DO UPDATE SET name = excluded.name, folder = excluded.folder,
      rule = excluded.rule`,
  remove: 'DELETE FROM intake_rule WHERE id = @id',
  noteRun: 'UPDATE intake_rule SET last = @last WHERE id = @id',
};

const Row: z.ZodType<StoredIntakeRule> = z.object({
  rule: jsonColumn(IntakeRule),
  last: jsonColumn(IntakeRun).nullable(),
});

export function createIntakeRuleStore(database: Database): IntakeRuleStore {
  const list = database.query(sql.list, Row);
  const one = database.query(sql.get, Row);
  const named = database.query(sql.named, Row);
  const watching = database.query(sql.watching, Row);
  const save = database.command(sql.save);
  const remove = database.command(sql.remove);
  const noteRun = database.command(sql.noteRun);
  return {
    list: () => list.all(),
    get: (id) => one.first({ id }) ?? missing(),
    save: (rule) =>
      database.transaction(() => {
        const { id, name, folder } = rule;
        if (named.first({ id, name }) !== undefined) {
          taken('name', 'Another rule for a folder has this name');
        }
        if (watching.first({ id, folder }) !== undefined) {
          taken('folder', 'Another rule watches this folder');
        }
        save({ id, name, folder, rule: JSON.stringify(rule) });
      }),
    remove: (id) => {
      if (remove({ id }) === 0) missing();
    },
    noteRun: (id, run) => void noteRun({ id, last: JSON.stringify(run) }),
  };
}

function taken(field: 'name' | 'folder', message: string): never {
  throw new AppError('conflict', message, { fields: { [field]: message } });
}

function missing(): never {
  throw new AppError('not-found', 'There is no such rule for a folder');
}
