import type pg from 'pg';
import type { OfficeDatabase, TestDesk } from './office-database.ts';

/** One statement of a user, and its row. */
export interface Attempt {
  readonly sql: string;
  readonly table: string;
  readonly where: string;
}

/** The row after the statement, which is then rolled back. */
export type Outcome =
  | { readonly refused: string }
  | { readonly rows: number; readonly after: Readonly<Record<string, unknown>> | null };

/** A row of the office as the tested user finds it. */
export interface Situation {
  readonly table: string;
  readonly name: string;
  readonly where: string;
}

const SETUP = `
  CREATE SCHEMA matrix; GRANT USAGE ON SCHEMA matrix TO PUBLIC;
  -- With the administrator's rights: policies hide no effect of a statement from the test.
  CREATE FUNCTION matrix.look(question text) RETURNS jsonb LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = signing_desk AS $$
  DECLARE found jsonb;
  BEGIN
    EXECUTE question INTO found;
    RETURN found;
  END $$;
  CREATE FUNCTION matrix.attempt(change text, question text) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE changed bigint; after jsonb;
  BEGIN
    EXECUTE change;
    GET DIAGNOSTICS changed = ROW_COUNT;
    after := matrix.look(question);
    RAISE EXCEPTION 'undone' USING ERRCODE = 'MX000';
  EXCEPTION WHEN OTHERS THEN
    IF SQLSTATE = 'MX000' THEN RETURN jsonb_build_object('rows', changed, 'after', after); END IF;
    RETURN jsonb_build_object('refused', SQLSTATE);
  END $$;`;

export const prepareMatrix = ({ postgres }: OfficeDatabase) => postgres.run(SETUP, 'office');

const question = ({ table, where }: Pick<Attempt, 'table' | 'where'>): string =>
  `SELECT to_jsonb(t) FROM ${table} t WHERE ${where}`;

/** Runs each statement with the rights of the connected user, and rolls it back. */
export async function attemptAll(
  client: pg.Client,
  attempts: readonly Attempt[],
): Promise<readonly Outcome[]> {
  const { rows } = await client.query<{ outcome: Outcome }>(
    `SELECT matrix.attempt(a.change, a.question) AS outcome
     FROM unnest($1::text[], $2::text[]) WITH ORDINALITY a (change, question, place) ORDER BY place`,
    [attempts.map(({ sql }) => sql), attempts.map(question)],
  );
  return rows.map(({ outcome }) => outcome);
}

export interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly mayUpdate: boolean;
  readonly mayInsert: boolean;
}

/** Returns each column of the office's tables and views, with the user's write privileges. */
export async function columnsOf(client: pg.Client): Promise<readonly Column[]> {
  const { rows } = await client.query<Column>(
    `SELECT c.relname AS table, a.attname AS name, format_type(a.atttypid, NULL) AS type,
       has_column_privilege(c.oid, a.attnum, 'UPDATE') AS "mayUpdate",
       has_column_privilege(c.oid, a.attnum, 'INSERT') AS "mayInsert"
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT attisdropped
     WHERE c.relnamespace = 'signing_desk'::regnamespace AND c.relkind IN ('r', 'v')
     ORDER BY 1, a.attnum`,
  );
  return rows;
}

/** Returns the values to try in a column: own and others' IDs, an early and a late time. */
export function valuesFor(
  { name, type }: Column,
  own: TestDesk,
  other: TestDesk,
): readonly string[] {
  if (['desk', 'from_desk', 'decided_desk', 'missing', 'excused'].includes(name)) {
    return [`'${own.desk}'`, `'${other.desk}'`];
  }
  if (/seat$|_by$/u.test(name) && type === 'uuid') return [`'${own.seat}'`, `'${other.seat}'`];
  if (name === 'state') {
    return ['claimed', 'done', 'unknown', 'given-up', 'released'].map((state) => `'${state}'`);
  }
  if (type === 'timestamp with time zone') return [`'${EARLY}'`, `'infinity'`];
  if (type === 'uuid') return ['gen_random_uuid()'];
  if (type === 'bytea') return [`decode(repeat('ff', 32), 'hex')`];
  if (type === 'boolean') return [`NOT ${name}`];
  return /int/u.test(type) ? [`coalesce(${name}, 0) + 1`] : [`'x'`];
}

/** A time that no program of the office writes. */
export const EARLY = '2001-01-01T00:00:00+00:00';

/** Whether a statement of this test used this time. */
export const isGivenTime = (value: unknown): boolean => value === EARLY || value === 'infinity';

/** Returns all non-empty selections of these columns, with one value for each. */
export function choices(
  columns: readonly (readonly [string, readonly string[]])[],
): readonly (readonly (readonly [string, string])[])[] {
  let all: (readonly (readonly [string, string])[])[] = [[]];
  for (const [name, values] of columns) {
    all = all.flatMap((chosen) => [
      chosen,
      ...values.map((value) => [...chosen, [name, value] as const]),
    ]);
  }
  return all.slice(1);
}

export const updateOf = (
  { table, where }: Situation,
  changes: readonly (readonly [string, string])[],
): Attempt => ({
  sql: `UPDATE ${table} t SET ${changes.map((change) => change.join(' = ')).join(', ')} WHERE ${where}`,
  table,
  where,
});

/** Returns the changed columns. */
export const changedIn = (
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): readonly string[] => Object.keys(before).filter((name) => before[name] !== after[name]);
