import * as z from 'zod';
import type { Statements } from './statements.ts';

/**
 * Maximum content of an answer (bytes): a slow link transfers it in seconds, before the statement
 * times out.
 */
export const MAX_ANSWER_BYTES = 4_000_000;

/** Parts of an SQL statement that reads rows with sealed content. */
interface RowsToRead {
  /** SQL for a text that is unique for each row. */
  readonly id: string;
  readonly columns: string;
  /** SQL for the length of the row (bytes). */
  readonly bytes: string;
  /** SQL from FROM to a condition that another condition can follow. */
  readonly from: string;
  readonly order: string;
}

const PositionedRow = z.looseObject({ rowId: z.string(), found: z.number() });

/**
 * Returns all rows in order, with as many statements as their length requires, so that long rows of
 * one user cannot block reading. The lengths are read first, without the content.
 */
export async function readRowsInParts<Row extends object>(
  { query }: Pick<Statements, 'query'>,
  { id, columns, bytes, from, order }: RowsToRead,
  values: readonly unknown[],
  shape: z.ZodType<Row>,
): Promise<readonly Row[]> {
  const seen = `$${String(values.length + 1)}::text[]`;
  const sql = `
    WITH sized AS (
      SELECT ${columns}, ${id} AS "rowId", count(*) OVER () AS found,
        row_number() OVER (ORDER BY ${order}) AS place, sum(${bytes}) OVER (ORDER BY ${order}) AS upto
      ${from} AND ${id} <> ALL (${seen}))
    SELECT * FROM sized WHERE place = 1 OR upto <= ${String(MAX_ANSWER_BYTES)} ORDER BY place`;
  const all: Row[] = [];
  const read: string[] = [];
  for (;;) {
    const part = await query(sql, [...values, read], PositionedRow);
    all.push(...part.map((row) => shape.parse(row)));
    read.push(...part.map(({ rowId }) => rowId));
    if (part.length === 0 || part.length === part[0]?.found) return all;
  }
}
