import pg from 'pg';
import type * as z from 'zod';

/** What statements are given to: a server, or one transaction of it. */
export interface Statements {
  /** One statement. Rows are read by `row`. */
  query<Row>(sql: string, values: readonly unknown[], row: z.ZodType<Row>): Promise<readonly Row[]>;
  /** One whose rows nobody reads; several where there are no values. */
  command(sql: string, values?: readonly unknown[]): Promise<void>;
}

/** Statements through whatever gives results. */
export function statementsOf(
  run: (sql: string, values: unknown[] | undefined) => Promise<pg.QueryResult>,
): Statements {
  return {
    query: async (sql, values, row) => {
      const { rows } = await run(sql, [...values]);
      return rows.map((one) => row.parse(one));
    },
    // Values, even none, make it one statement to the server.
    command: async (sql, values) => void (await run(sql, values && [...values])),
  };
}

/** Counts of eight bytes are far below what a number holds exactly; the driver gives them as text. */
export function parserOf(...asked: Parameters<typeof pg.types.getTypeParser>): unknown {
  const parse: unknown = pg.types.getTypeParser(...asked);
  return asked[0] === pg.types.builtins.INT8 ? Number : parse;
}
