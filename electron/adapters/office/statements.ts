import pg from 'pg';
import type * as z from 'zod';

export interface Statements {
  /** Executes one statement; `row` parses its rows. */
  query<Row>(sql: string, values: readonly unknown[], row: z.ZodType<Row>): Promise<readonly Row[]>;
  /**
   * Executes a statement and ignores its rows. Executes several statements if there are no values.
   */
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
    // If values are passed, even an empty list, the server accepts only one statement.
    command: async (sql, values) => void (await run(sql, values && [...values])),
  };
}

/**
 * Returns a parser of column values. The driver returns eight-byte integers as text; they are
 * converted, since they are counts far below the exact range of a number.
 */
export function columnParserOf(...asked: Parameters<typeof pg.types.getTypeParser>): unknown {
  const parse: unknown = pg.types.getTypeParser(...asked);
  return asked[0] === pg.types.builtins.INT8 ? Number : parse;
}
