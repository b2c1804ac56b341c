import * as z from 'zod';
import type { Statements } from './statements.ts';

/** What the server is asked for at once: over within seconds on a slow link, too, before the statement is ended. */
export const ANSWER_BYTES = 4_000_000;

/** Rows with sealed content. The parts of a statement. */
interface Rows {
  /** One text for each row. */
  readonly id: string;
  readonly columns: string;
  /** How long the row is. */
  readonly bytes: string;
  /** From FROM to the condition, which another one can follow. */
  readonly from: string;
  readonly order: string;
}

const Placed = z.looseObject({ rowId: z.string(), found: z.number() });

/**
 * All of them in their order, by as many statements as their length needs: nobody is kept from reading by what one seat
 * wrote. The length is read without the content.
 */
export async function readInParts<Row extends object>(
  { query }: Pick<Statements, 'query'>,
  { id, columns, bytes, from, order }: Rows,
  values: readonly unknown[],
  shape: z.ZodType<Row>,
): Promise<readonly Row[]> {
  const seen = `$${String(values.length + 1)}::text[]`;
  const sql = `
    WITH sized AS (
      SELECT ${columns}, ${id} AS "rowId", count(*) OVER () AS found,
        row_number() OVER (ORDER BY ${order}) AS place, sum(${bytes}) OVER (ORDER BY ${order}) AS upto
      ${from} AND ${id} <> ALL (${seen}))
    SELECT * FROM sized WHERE place = 1 OR upto <= ${String(ANSWER_BYTES)} ORDER BY place`;
  const all: Row[] = [];
  const read: string[] = [];
  for (;;) {
    const part = await query(sql, [...values, read], Placed);
    all.push(...part.map((row) => shape.parse(row)));
    read.push(...part.map(({ rowId }) => rowId));
    if (part.length === 0 || part.length === part[0]?.found) return all;
  }
}
