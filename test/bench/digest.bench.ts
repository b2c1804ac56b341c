import type { BenchRow } from '../../build/bench.ts';
import { createDigestStore } from '../../electron/adapters/sqlite/digest/store.ts';
import { createReminderStore } from '../../electron/adapters/sqlite/reminders/store.ts';
import { type BenchStore, benchStore, timed } from './bench-store.ts';
import { manyAgreements, NOW } from './many-agreements.ts';
import { median } from './median.ts';
import { DAY } from '../../shared/rules/time/units.ts';

const COUNT = 100_000;
const ROUNDS = 15;
const MAX_MS = 200;
/** Maximum number of agreements that a digest names. */
const NAMED = 200;

export const name = `digest: ${COUNT.toLocaleString('en')} agreements that ended`;

/** Measures a digest after a year without one, and after a day. */
export async function run(): Promise<readonly BenchRow[]> {
  using place = benchStore('encrypted');
  place.agreements.beginBulk();
  place.fill(waiting());
  place.fill(manyAgreements(COUNT));
  place.agreements.endBulk();
  const digest = createDigestStore(place.database);
  const last = digest.last();
  if (last < COUNT / 2) throw new Error('Hardly anything has ended');
  const often = (read: () => unknown): number =>
    median(Array.from({ length: ROUNDS }, () => timed(read)));
  const since = (after: number): number =>
    often(() => {
      digest.ended(after, NAMED);
      digest.expiring(NOW, NOW + 3 * DAY, NAMED);
    });
  const bounced = bounce(place);
  if (digest.bounced().length !== bounced) throw new Error('A bounced address is missing');
  return [
    {
      what: `the ${bounced} addresses that bounced among the open ones`,
      ours: often(() => digest.bounced()),
      base: MAX_MS,
      goal: 1,
    },
    { what: 'all that ended since', ours: since(0), base: MAX_MS, goal: 1 },
    { what: 'a busy day, 500 of them', ours: since(last - 500), base: MAX_MS, goal: 1 },
  ];
}

/**
 * Records a bounced message for one party of each open agreement, which is more than an office has;
 * returns their number.
 */
function bounce({ database }: BenchStore): number {
  const reminders = createReminderStore(database);
  const step = 1000;
  let count = 0;
  database.transaction(() => {
    for (let after = -1; ;) {
      const page = reminders.open(after, step);
      for (const { connectionId, id, parties } of page) {
        const partyId = parties?.[0]?.id ?? null;
        if (partyId === null) continue;
        reminders.setHold({ connectionId, id }, partyId, 'bounced', null);
        count += 1;
      }
      const last = page.at(-1);
      if (last === undefined) return;
      after = last.number;
    }
  });
  return count;
}

function* waiting() {
  for (const one of manyAgreements(COUNT))
    yield { ...one, state: 'waiting', closedAt: null } as const;
}
