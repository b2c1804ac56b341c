import type * as z from 'zod';
import { AppError } from '../../../../shared/errors.ts';
import type { Database } from '../database/database.ts';

interface RuleTable<Field, Row> {
  /**
   * Table with the columns `id`, `rule` and `last` (both JSON), each unique field, and the table's
   * own columns.
   */
  readonly table: string;
  /** Name of a rule of this kind in errors, such as `archive rule`. */
  readonly noun: string;
  /** Columns that `row` reads. */
  readonly columns: string;
  readonly row: z.ZodType<Row>;
  /** Unique fields, `name` first, each with the error for a duplicate. */
  readonly unique: readonly { readonly field: Field; readonly taken: string }[];
}

/** Stores a user's rules: each as JSON in a row, with the outcome of its last run. */
export function createRuleStore<
  Field extends string,
  Rule extends { readonly id: string } & Readonly<Record<Field, string>>,
  Row,
>(database: Database, { table, noun, columns, row, unique }: RuleTable<Field, Row>) {
  const select = `SELECT ${columns} FROM ${table}`;
  const fields = unique.map(({ field }) => field);
  const list = database.query(`${select} ORDER BY name, id`, row);
  const one = database.query(`${select} WHERE id = @id`, row);
  const others = unique.map(({ field, taken }) => ({
    field,
    taken,
    query: database.query(`${select} WHERE ${field} = @value AND id <> @id`, row),
  }));
  const save = database.command(
    `INSERT INTO ${table} (id, rule, ${fields.join(', ')})
    VALUES (@id, @rule, ${fields.map((field) => `@${field}`).join(', ')})
    ON CONFLICT (id) DO UPDATE SET rule = excluded.rule,
      ${fields.map((field) => `${field} = excluded.${field}`).join(', ')}`,
  );
  const remove = database.command(`DELETE FROM ${table} WHERE id = @id`);
  const noteRun = database.command(`UPDATE ${table} SET last = @last WHERE id = @id`);
  const missing = (): never => {
    throw new AppError('not-found', `This ${noun} does not exist`);
  };
  return {
    list: () => list.all(),
    get: (id: Rule['id']) => one.first({ id }) ?? missing(),
    save: (rule: Rule) =>
      database.transaction(() => {
        const { id } = rule;
        for (const { field, taken, query } of others) {
          if (query.first({ id, value: rule[field] }) === undefined) continue;
          throw new AppError('conflict', taken, { fields: { [field]: taken } });
        }
        const values = Object.fromEntries(fields.map((field) => [field, rule[field]]));
        save({ ...values, id, rule: JSON.stringify(rule) });
      }),
    remove(id: Rule['id']) {
      if (remove({ id }) === 0) missing();
    },
    noteRun: (id: Rule['id'], run: object) => void noteRun({ id, last: JSON.stringify(run) }),
  };
}
