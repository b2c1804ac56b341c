import * as z from 'zod';
import type { Transactions } from '../../../electron/adapters/office/server.ts';
import type { Statements } from '../../../electron/adapters/office/statements.ts';

const Step = z.object({
  'Node Type': z.string(),
  'Relation Name': z.string().optional(),
  'Index Name': z.string().optional(),
  'Index Cond': z.string().optional(),
  get Plans() {
    return z.array(Step).optional();
  },
});
/** One step of a PostgreSQL plan, with its children. */
export type Step = z.infer<typeof Step>;
const Explained = z.object({ 'QUERY PLAN': z.array(z.object({ Plan: Step })) });

/** A server that explains every statement before running it. */
export function explained(
  server: Transactions,
  see: (sql: string, plan: Step) => Promise<void> | void,
): Transactions {
  const through = (statements: Statements): Statements => {
    const explain = async (sql: string, values: readonly unknown[] = []): Promise<void> => {
      const [row] = await statements.query(`EXPLAIN (FORMAT JSON) ${sql}`, values, Explained);
      for (const { Plan } of row?.['QUERY PLAN'] ?? []) await see(sql, Plan);
    };
    return {
      async query(sql, values, row) {
        await explain(sql, values);
        return statements.query(sql, values, row);
      },
      async command(sql, values) {
        await explain(sql, values);
        return statements.command(sql, values);
      },
    };
  };
  return {
    ...through(server),
    transaction: (work) => server.transaction((within) => work(through(within))),
  };
}

/** Returns how the plan reads each table, for example by which index. */
export function scansOf(step: Step): readonly string[] {
  const { 'Index Name': index, 'Relation Name': table, 'Node Type': type } = step;
  const here = table === undefined ? [] : [`${type} ${index ?? table}`];
  return [...here, ...(step.Plans ?? []).flatMap(scansOf)];
}

interface Tables {
  /** Tables with many rows. */
  readonly large: readonly string[];
  /** Small indexes, which may be read completely. */
  readonly short: readonly string[];
}

/** Returns the steps that read every row of a large table, or every entry of an index on it. */
export function readWhole(step: Step, { large, short }: Tables): readonly string[] {
  const { 'Relation Name': table = '', 'Index Name': index, 'Node Type': type } = step;
  const below = (step.Plans ?? []).flatMap((one) => readWhole(one, { large, short }));
  if (type === 'Seq Scan' && large.includes(table)) return [`${type} on ${table}`, ...below];
  const isUnbounded =
    index !== undefined && step['Index Cond'] === undefined && !short.includes(index);
  return isUnbounded ? [`${type} on all of ${index}`, ...below] : below;
}
