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

export const name = `digest: ${COUNT.toLocaleString('en')} agreements that ended`;

/** After a year that nobody looked, and after a day. */
export async function run(): Promise<readonly BenchRow[]> {
  using place = benchStore('encrypted');
  place.agreements.beginBulk();
  place.fill(waiting());
  place.fill(manyAgreements(COUNT));
  place.agreements.endBulk();
  const digest = createDigestStore(place.database);
  const last = digest.last();
  if (last < COUNT / 2) throw new Error('Hardly anything has ended');
  const since = (after: number): number => {
    const read = () => {
      digest.ended(after, NAMED);
      digest.expiring(NOW, NOW + 3 * DAY, NAMED);
    };
    return median(Array.from({ length: ROUNDS }, () => timed(read)));
  };
  return [
    { what: 'all that ended since', ours: since(0), base: MOST_MS, goal: 1 },
    { what: 'a busy day, 500 of them', ours: since(last - 500), base: MOST_MS, goal: 1 },
  ];
}

function* waiting() {
  for (const one of manyAgreements(COUNT))
    yield { ...one, state: 'waiting', closedAt: null } as const;
}
