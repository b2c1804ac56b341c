/*
 * The long voyage: 20,000 rows and 5,000 kills, in many batches. It says how far it came after each,
 * and ends with an exit code that a nightly run can be judged by.
 */
import { bundleChild } from '../test/delivery/bundle-child.ts';
import { sail } from '../test/delivery/harness.ts';

const ROWS = 20_000;
const KILLS = 5_000;
/** Rows and kills of one batch; the list that every pass reads stays short. */
const BATCH = 400;
const BATCH_KILLS = 100;
const FACTOR = 1_500;
/** Two at once, as many as the smallest computer has cores. */
const AT_ONCE = 2;

const child = await bundleChild();
const total = { rows: 0, kills: 0, posts: 0, duplicates: 0, stuck: 0, wrong: 0, seconds: 0 };
const families = new Set<string>();
const begun = Date.now();
let seed = Number(process.argv[2] ?? 1);

while (total.rows < ROWS || total.kills < KILLS) {
  const batch = Array.from({ length: AT_ONCE }, (_, index) => {
    const api = (seed + index) % 2 === 0 ? 'v1' : 'v2';
    const policy = (seed + index) % 4 < 2 ? 'auto' : 'ask';
    const about = { api, policy, seed: seed + index, child } as const;
    return sail({ ...about, rows: BATCH, kills: BATCH_KILLS, faults: 0.2, factor: FACTOR });
  });
  seed += AT_ONCE;
  for (const arrival of await Promise.all(batch)) {
    total.rows += arrival.rows;
    total.kills += [...arrival.kills.values()].reduce((sum, one) => sum + one, 0);
    total.posts += arrival.posts;
    total.duplicates += arrival.duplicates;
    total.stuck += arrival.stuck;
    total.wrong += arrival.wrong.length;
    for (const family of arrival.families.keys()) families.add(family);
    for (const wrong of arrival.wrong) process.stdout.write(`${wrong}\n`);
  }
  total.seconds = Math.round((Date.now() - begun) / 1000);
  process.stdout.write(`${JSON.stringify({ ...total, families: families.size })}\n`);
}
process.exitCode = total.duplicates + total.stuck + total.wrong === 0 ? 0 : 1;
