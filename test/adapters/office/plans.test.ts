import { NO_ADOPTION_DELAYS } from '../../../electron/core/office/adopt.ts';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { readActivity } from '../../../electron/adapters/office/activity.ts';
import type { Operation, SettledOperation } from '../../../electron/core/office/ports.ts';
import { OfficeUserId } from '../../../shared/contract/office/office.ts';
import { postgresPrograms } from '../../support/postgres.ts';
import { runLength } from '../../support/run-length.ts';
import { explained, readWhole, scansOf, type Step } from './explained.ts';
import { type OfficeDatabase, operation, startOffice, type TestDesk } from './office-database.ts';
import { fillYear } from './office-year.ts';

const WAIT = { timeout: 1_200_000 };
const AGREEMENTS = runLength({ whole: 1_000_000, all: 100_000 });
/**
 * Number of rows claimed in one transaction from a table of a million; fewer for a smaller table,
 * where reading the whole table would be faster.
 */
const MANY = AGREEMENTS / 1000;
/** All queries of claims.ts and claim.ts, and of marks.ts before each claim. */
const STATEMENTS = 15;

/** Tables of the plans. The few open rows may be read completely. */
const TABLES = {
  large: ['operation', 'claim'],
  short: ['operation_open', 'operation_open_of_desk'],
};

describe.skipIf(postgresPrograms === null)('an office after a year', () => {
  let place: OfficeDatabase;
  let one: TestDesk;
  let other: TestDesk;

  beforeAll(async () => {
    place = await startOffice();
    [one, other] = [await place.addDesk(), await place.addDesk()];
    await fillYear(place, one, AGREEMENTS);
  }, WAIT.timeout);
  afterAll(() => place?.remove());

  it('answers each claim query without reading a whole table', WAIT, async () => {
    const plans = new Map<string, Step[]>();
    const faster = operation(['raced for']);
    let isRaced = false;
    const server = explained(place.serverOf(one), async (sql, plan) => {
      plans.set(sql, [...(plans.get(sql) ?? []), plan]);
      if (!sql.includes('INSERT INTO claim') || isRaced) return;
      isRaced = true;
      await place.claimsOf(other).claim([faster]);
    });
    const claims = place.claimsOf(one, server);
    expect(await claims.claim([operation(['raced for'])])).toMatchObject([{ ok: false }]);
    for (const count of [1, MANY]) {
      const fresh = Array.from({ length: count }, (_, at) =>
        operation([`${String(count)} ${String(at)}`]),
      );
      const sent = Array.from({ length: count }, (_, at) => sentBefore(at + 1));
      expect((await claims.claim(fresh)).every(({ ok }) => ok)).toBe(true);
      expect((await claims.claim(sent)).some(({ ok }) => ok)).toBe(false);
      expect(await claims.holders(sent.flatMap(keysOf))).toHaveLength(count);
      await claims.settle(fresh.map(({ id }): SettledOperation => ({ id, state: 'unknown' })));
      expect((await claims.claim(fresh)).every(({ ok }) => ok)).toBe(true);
    }
    await place.rest('15 minutes', faster.id);
    expect(await claims.takeOver({ id: faster.id, desk: other.desk }, NO_ADOPTION_DELAYS)).toBe(
      true,
    );
    expect((await claims.open()).length).toBeGreaterThan(MANY);
    expect(await claims.reminded(0, 100)).toEqual([]);
    expect((await claims.unsettled()).length).toBeGreaterThan(MANY);
    expect([...plans.keys()]).toHaveLength(STATEMENTS);
    const whole = [...plans].flatMap(([sql, each]) =>
      each.flatMap((plan) => readWhole(plan, TABLES).map((table) => ({ sql, table }))),
    );
    expect(whole).toEqual([]);
  });

  it(
    'reads no whole table to list a page of activity, also of one user or kind',
    WAIT,
    async () => {
      const asked: string[] = [];
      const server = explained(place.serverOf(one), async (sql, plan) => {
        if (sql.includes('LIMIT')) asked.push(...scansOf(plan));
      });
      const unsealed = new Error('Nobody has sealed what was made for this test');
      const context = { office: place.office, keyOf: () => Promise.reject(unsealed) };
      const page = { before: null, seat: null, kind: null };
      const newest = `SELECT id FROM signing_desk.operation ORDER BY started_at DESC LIMIT 1 OFFSET 100`;
      const { rows } = await place.postgres.run(newest, 'office');
      const { id: before } = z.object({ id: z.string() }).parse(rows[0]);
      const seat = OfficeUserId.parse(other.seat);
      const kind = 'remove';
      for (const of of [{}, { before }, { before, seat }, { before, kind }] as const) {
        await expect(readActivity(server, context, { ...page, ...of })).rejects.toBe(unsealed);
      }
      expect(asked.filter((one) => one !== 'Index Scan operation_pkey')).toEqual([
        'Index Scan operation_newest',
        'Index Scan operation_newest',
        'Index Scan operation_of_seat',
        'Index Scan operation_of_kind',
      ]);
    },
  );
});

/** Returns a send that another computer already sent within the year. */
function sentBefore(number: number): Operation {
  const key = createHash('sha256')
    .update(`agreement ${String(number)}`)
    .digest();
  return { ...operation([]), keys: [{ key, seen: [] }] };
}

const keysOf = ({ keys }: Operation) => keys.map(({ key }) => key);
