import { UnsavedForm } from '../../../../shared/contract/forms.ts';
import type { FormStore } from '../../../core/forms/ports.ts';
import type { Database } from '../database/database.ts';

const sql = {
  removeOld: 'DELETE FROM unsaved_form WHERE changed_at < @before',
  list: 'SELECT key, content FROM unsaved_form ORDER BY key',
  keep: `
    INSERT INTO unsaved_form (key, content, changed_at) VALUES (@key, @content, @at)
    ON CONFLICT (key) DO UPDATE SET content = excluded.content, changed_at = excluded.changed_at`,
  drop: 'DELETE FROM unsaved_form WHERE key = @key',
};

export function createFormStore(database: Database): FormStore {
  const removeOld = database.command(sql.removeOld);
  const all = database.query(sql.list, UnsavedForm);
  const keep = database.command(sql.keep);
  const drop = database.command(sql.drop);
  return {
    list: (before) =>
      database.transaction(() => {
        removeOld({ before });
        return all.all();
      }),
    keep: (form, at) => database.transaction(() => void keep({ ...form, at })),
    drop: (key) => database.transaction(() => void drop({ key })),
  };
}
