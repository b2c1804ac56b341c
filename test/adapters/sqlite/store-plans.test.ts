import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { createStores } from '../../../electron/adapters/sqlite/stores.ts';
import { newConnection, remote } from './samples.ts';
import { NOW, type TempDatabase, tempDatabase } from './temp-database.ts';

/* List queries are prepared at each use, so their plans are tested with the lists. */

const Plan = z.object({ detail: z.string() }).transform(({ detail }) => detail);
/** Partial indexes with only a few rows, which may be read completely. */
const small = new Set(['agreement_signable', 'agreement_ref', 'agreement_open_told']);
/** Statements that may read all agreements: the archive lists all signed ones. */
const wholly = [/'deleted-on-service'/];
const SCAN = /^SCAN (?:a|c|content|agreement|agreement_content)\b/;

let place: TempDatabase;
const statements = new Set<string>();

beforeAll(() => {
  place = tempDatabase();
  const { database, stores } = place;
  const connection = newConnection();
  stores.connections.save(connection);
  const received = Array.from({ length: 300 }, (_, index) => remote({ title: `House ${index}` }));
  stores.agreements.put(connection.id, connection.api, received, NOW);
  createStores({
    ...database,
    query: (sql, row) => {
      statements.add(sql);
      return database.query(sql, row);
    },
    command: (sql) => {
      statements.add(sql);
      return database.command(sql);
    },
  });
});
afterAll(() => {
  place[Symbol.dispose]();
});

const planOf = (sql: string) =>
  place.database
    .query(`EXPLAIN QUERY PLAN ${sql}`, Plan)
    .all(Object.fromEntries([...sql.matchAll(/@(\w+)/g)].map(([, name = '']) => [name, null])));

/** Whether the step reads all agreements; it does not with a limit or a small index. */
function isWhole(step: string, sql: string): boolean {
  if (!SCAN.test(step) || /LIMIT/.test(sql)) return false;
  const [, index] = /INDEX (\w+)/.exec(step) ?? [];
  return index === undefined || !small.has(index);
}

it('no store statement reads all agreements, except those about all signed agreements', () => {
  const asked = [...statements].filter((sql) => /\bagreement/.test(sql));
  expect(asked.length).toBeGreaterThan(50);
  const whole = asked.filter((sql) => planOf(sql).some((step) => isWhole(step, sql)));
  expect(whole).toEqual(wholly.map((some) => expect.stringMatching(some)));
});
