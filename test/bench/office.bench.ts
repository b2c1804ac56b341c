import * as z from 'zod';
import type { BenchRow } from '../../build/bench.ts';
import type { OfficeClaims, Operation } from '../../electron/core/office/ports.ts';
import { type OfficeDatabase, operation, startOffice } from '../adapters/office/office-database.ts';
import { fillYear } from '../adapters/office/office-year.ts';
import { layLink } from '../support/link.ts';
import { postgresPrograms } from '../support/postgres.ts';
import { median } from './median.ts';

export const name = 'office: claims of a PostgreSQL that waits for its disk';

const ROUNDS = 51;
/** Round trip on a wired local network (ms). */
const TRIP_MS = 0.5;
const LIMITS = { claimMs: 10, bulkMs: 2000, atOnceMs: 10, seenMs: 10, megabytes: 1500 };
const BULK = 10_000;
const DESKS = 50;
const EACH = 20;
const AGREEMENTS_PER_YEAR = 100_000;
const MILLION = 1_000_000;
const MEGABYTE = 1_000_000;

const Grown = z.object({ bytes: z.number(), rows: z.number() });

export async function run(): Promise<readonly BenchRow[]> {
  if (postgresPrograms === null) {
    console.log('  PostgreSQL is not installed (postgresql): nothing was measured');
    return [];
  }
  const place = await startOffice({ waitsForDisk: true });
  try {
    return [
      await growth(place),
      await single(place),
      await bulk(place),
      await atOnce(place),
      await untilSeen(place),
    ];
  } finally {
    await place.remove();
  }
}

/**
 * Time that a claim adds to a send that no other computer wants; its requests are counted on their
 * way.
 */
async function single(place: OfficeDatabase): Promise<BenchRow> {
  const desk = await place.addDesk();
  const link = await layLink(place.postgres.address);
  try {
    const over = place.claimsOf(desk, place.open(desk, { port: link.port }));
    await over.claim([anew()]);
    let trips = 0;
    link.asked = () => void (trips += 1);
    await over.claim([anew()]);
    const claims = place.claimsOf(desk);
    const times = await timed(ROUNDS, () => claims.claim([anew()]));
    return {
      what: `a claim before a send, with ${String(trips)} times there and back of ${String(TRIP_MS)} ms`,
      ours: median(times) + trips * TRIP_MS,
      base: LIMITS.claimMs,
      goal: 1,
    };
  } finally {
    await link.close();
  }
}

async function bulk(place: OfficeDatabase): Promise<BenchRow> {
  const claims = place.claimsOf(await place.addDesk());
  await claims.claim([anew()]);
  const rows = Array.from({ length: BULK }, anew);
  const [took = Number.NaN] = await timed(1, () => claims.claim(rows));
  return {
    what: `${String(BULK)} rows claimed at once`,
    ours: took,
    base: LIMITS.bulkMs,
    goal: 1,
  };
}

/** Time for claims of all computers at the same time; this process does the work of all of them. */
async function atOnce(place: OfficeDatabase): Promise<BenchRow> {
  const desks: OfficeClaims[] = [];
  for (let at = 0; at < DESKS; at += 1) desks.push(place.claimsOf(await place.addDesk()));
  await Promise.all(desks.map((claims) => claims.claim([anew()])));
  const [took = Number.NaN] = await timed(1, () =>
    Promise.all(
      desks.map(async (claims) => {
        for (let round = 0; round < EACH; round += 1) await claims.claim([anew()]);
      }),
    ),
  );
  const each = took / (DESKS * EACH);
  return {
    what: `a claim of ${String(DESKS)} desks at once, ${(1000 / each).toFixed(0)} a second`,
    ours: each,
    base: LIMITS.atOnceMs,
    goal: 1,
  };
}

/** Time until another computer sees an operation that one has stored on its own disk. */
async function untilSeen(place: OfficeDatabase): Promise<BenchRow> {
  const [ours, theirs] = [
    place.claimsOf(await place.addDesk()),
    place.claimsOf(await place.addDesk()),
  ];
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const one = anew();
    const keys = one.keys.map(({ key }) => key);
    await ours.claim([one]);
    const [took = Number.NaN] = await timed(1, async () => {
      await ours.settle([{ id: one.id, state: 'done' }]);
      const [holder] = await theirs.holders(keys);
      if (holder?.state !== 'done') throw new Error('The outcome was not seen');
    });
    times.push(took);
  }
  const what = 'an outcome until another desk that asks sees it';
  return { what, ours: median(times), base: LIMITS.seenMs, goal: 1 };
}

async function growth(place: OfficeDatabase): Promise<BenchRow> {
  await fillYear(place, await place.addDesk(), AGREEMENTS_PER_YEAR);
  const { rows } = await place.postgres.run(
    `SELECT sum(pg_total_relation_size(c.oid))::float8 AS bytes, sum(c.reltuples)::float8 AS rows
     FROM pg_class c WHERE c.oid IN ('signing_desk.operation'::regclass, 'signing_desk.claim'::regclass)`,
    'office',
  );
  const { bytes, rows: count } = Grown.parse(rows[0]);
  const times = MILLION / AGREEMENTS_PER_YEAR;
  await place.empty();
  return {
    what: `growth by a million agreements, ${((count * times) / MILLION).toFixed(1)} million rows`,
    ours: (bytes * times) / MEGABYTE,
    base: LIMITS.megabytes,
    goal: 1,
    unit: 'MB',
  };
}

let made = 0;
/** Creates a send that no computer has claimed. */
function anew(): Operation {
  made += 1;
  const key = Buffer.alloc(32);
  key.writeUInt32BE(made);
  return { ...operation([]), keys: [{ key, seen: [] }] };
}

async function timed(rounds: number, work: () => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const begun = performance.now();
    await work();
    times.push(performance.now() - begun);
  }
  return times;
}
