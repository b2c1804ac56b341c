import * as z from 'zod';
import { ArchiveRule, ArchiveRuleRun } from '../../../../shared/contract/archive.ts';
import { AppError } from '../../../../shared/errors.ts';
import type { ArchiveRuleStore, StoredArchiveRule } from '../../../core/archive/ports.ts';
import { jsonColumn } from '../database/columns.ts';
import type { Database } from '../database/database.ts';

const sql = {
  list: 'SELECT rule, last FROM archive_rule ORDER BY name, id',
  get: 'SELECT rule, last FROM archive_rule WHERE id = @id',
  named: 'SELECT rule, last FROM archive_rule WHERE name = @name AND id <> @id',
  save: `INSERT INTO archive_rule (id, name, rule) VALUES (@id, @name, @rule)
    ON CONFLICT (id) DO UPDATE SET name = excluded.name, rule = excluded.rule`,
  remove: 'DELETE FROM archive_rule WHERE id = @id',
  noteRun: 'UPDATE archive_rule SET last = @last WHERE id = @id',
};

const Row: z.ZodType<StoredArchiveRule> = z.object({
  rule: jsonColumn(ArchiveRule),
  last: jsonColumn(ArchiveRuleRun).nullable(),
});

export function createArchiveRuleStore(database: Database): ArchiveRuleStore {
  const list = database.query(sql.list, Row);
  const one = database.query(sql.get, Row);
  const named = database.query(sql.named, Row);
  const save = database.command(sql.save);
  const remove = database.command(sql.remove);
  const noteRun = database.command(sql.noteRun);
  const get: ArchiveRuleStore['get'] = (id) => {
    const found = one.first({ id });
    if (found === undefined) throw new AppError('not-found', 'There is no such archive rule');
    return found;
  };
  return {
    list: () => list.all(),
    get,
    save: (rule) =>
      database.transaction(() => {
        const { id, name } = rule;
        if (named.first({ id, name }) !== undefined) {
          const message = 'Another archive rule has this name';
          throw new AppError('conflict', message, { fields: { name: message } });
        }
        save({ id, name, rule: JSON.stringify(rule) });
      }),
    remove: (id) => {
      if (remove({ id }) === 0) throw new AppError('not-found', 'There is no such archive rule');
    },
    noteRun: (id, run) => void noteRun({ id, last: JSON.stringify(run) }),
  };
}
