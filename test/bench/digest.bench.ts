import type { BenchRow } from '../../build/bench.ts';
import { createDigestStore } from '../../electron/adapters/sqlite/digest/store.ts';
import { benchStore, timed } from './bench-store.ts';
import { manyAgreements, NOW } from './many-agreements.ts';
import { median } from './median.ts';

const COUNT = 100_000;
const ROUNDS = 15;
const MOST_MS = 200;
/** As many as a digest names. */
const NAMED = 200;
const DAY = 86_400_000;

export const name = `digest: ${COUNT.toLocaleString('en')} agreements of which all ended since`;

/** The rows of a digest after a month in which everything ended: more than any office has. */
export async function run(): Promise<readonly BenchRow[]> {
  using place = benchStore('encrypted');
  place.agreements.beginBulk();
  place.fill(waiting());
  place.fill(manyAgreements(COUNT));
  place.agreements.endBulk();
  const digest = createDigestStore(place.database);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    times.push(
      timed(() => {
        digest.ended(0, NAMED);
        digest.expiring(NOW, NOW + 3 * DAY, NAMED);
      }),
    );
  }
  if (digest.last() < COUNT / 2) throw new Error('Hardly anything has ended');
  return [{ what: 'counted and named', ours: median(times), base: MOST_MS, goal: 1 }];
}

function* waiting() {
  for (const one of manyAgreements(COUNT))
    yield { ...one, state: 'waiting', closedAt: null } as const;
}
