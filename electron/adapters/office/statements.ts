import pg from 'pg';
import type * as z from 'zod';

export interface Statements {
  /** Executes one statement; `row` parses its rows. */
  query<Row>(sql: string, values: readonly unknown[], row: z.ZodType<Row>): Promise<readonly Row[]>;
  /** Executes a statement and ignores its rows; several statements if there are no values. */
  command(sql: string, values?: readonly unknown[]): Promise<void>;
}

export function statementsOf(
  run: (sql: string, values: unknown[] | undefined) => Promise<pg.QueryResult>,
): Statements {
  return {
    query: async (sql, values, row) => {
      const { rows } = await run(sql, [...values]);
      return rows.map((one) => row.parse(one));
    },
    // With values, even none, the server accepts only one statement.
    command: async (sql, values) => void (await run(sql, values && [...values])),
  };
}

/** Eight-byte counts are far below the exact range of a number; the driver returns them as text. */
export function parserOf(...asked: Parameters<typeof pg.types.getTypeParser>): unknown {
  const parse: unknown = pg.types.getTypeParser(...asked);
  return asked[0] === pg.types.builtins.INT8 ? Number : parse;
}
