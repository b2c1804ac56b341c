/*
 * The long fault run: 20,000 rows and 5,000 kills, in many batches. Prints its progress after each,
 * and ends with one result line and an exit code for a nightly run; 100,000 cases of each property
 * follow. Smaller runs, without the properties: `npm run soak -- --rows 800 --kills 200 --seed 7`.
 */
import { parseArgs } from 'node:util';
import { bundleChild } from '../../test/support/bundle-child.ts';
import { type FaultOutcome, KILL_POINTS, runFaults } from '../../test/delivery/harness.ts';
import { TURNED_AWAY_AND_DONE } from '../../test/delivery/weather.ts';
import { place } from '../places.ts';
import { runNode } from '../run.ts';

/**
 * Rows of one batch, and kills in it below. A small batch keeps the list short that every scan
 * reads.
 */
const SOAK_BATCH_ROWS = 400;
const SOAK_BATCH_KILLS = 100;
const SOAK_TIME_FACTOR = 1_500;
/** Number of pairs of batches of which one pair restores whole data folders. */
const PAIRS_PER_RESTORE = 5;
/** Share of list reads before which a colleague revokes or deletes the newest agreement. */
const WITHDRAWN_SHARE = 0.05;
/**
 * Time zones in which a service may write its times: the text of API v2 does not specify the zone.
 */
const SERVICE_ZONES = ['Europe/Stockholm', '+01:00', 'UTC'] as const;
const SUCCESS_EXIT = { code: 0 };
/** Number of batches that run at the same time: as many as the smallest computer has cores. */
const PARALLEL_RUNS = 2;

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '20000' },
    kills: { type: 'string', default: '5000' },
    seed: { type: 'string', default: '1' },
  },
});
const soakGoal = { rows: Number(values.rows), kills: Number(values.kills) };

const soakTotals = {
  rows: 0,
  kills: 0,
  posts: 0,
  resent: 0,
  restores: 0,
  atStake: 0,
  turnedAwayAndDone: 0,
  takenBack: 0,
  otherZones: 0,
  tidied: 0,
  deniedAndTakenBack: 0,
  duplicates: 0,
  stuck: 0,
  wrong: 0,
};
const crashPointsHit = new Set<string>();
const faultFamilies = new Set<string>();
const soakStartedAt = Date.now();
const child = await bundleChild('delivery/children/desk.ts');
const printSoakLine = (line: string): void => void process.stdout.write(`${line}\n`);

for (let seed = Number(values.seed); !isReached(); seed += PARALLEL_RUNS) {
  const batch = Array.from({ length: PARALLEL_RUNS }, (_, index) => {
    const api = (seed + index) % 2 === 0 ? 'v1' : 'v2';
    const policy = (seed + index) % 4 < 2 ? 'auto' : 'ask';
    const rows = Math.min(SOAK_BATCH_ROWS, soakGoal.rows);
    const kills = Math.min(SOAK_BATCH_KILLS, Math.ceil(soakGoal.kills / PARALLEL_RUNS));
    const restores = seed % PAIRS_PER_RESTORE === 0;
    const service = serviceOf(seed);
    const about = { api, policy, restores, service, seed: seed + index, child } as const;
    if (api === 'v2') soakTotals.otherZones += service.v2Zone === 'Europe/Stockholm' ? 0 : 1;
    soakTotals.tidied += service.names === 'tidied' ? 1 : 0;
    return runFaults({
      ...about,
      rows,
      kills,
      faults: 0.2,
      factor: SOAK_TIME_FACTOR,
      takenBack: WITHDRAWN_SHARE,
    });
  });
  for (const [index, ended] of (await Promise.allSettled(batch)).entries()) {
    if (ended.status === 'fulfilled') addFaultOutcome(ended.value);
    else {
      soakTotals.stuck += 1;
      printSoakLine(`Seed ${String(seed + index)}: ${String(ended.reason)}`);
    }
  }
  const minutes = ((Date.now() - soakStartedAt) / 60_000).toFixed(1);
  printSoakLine(`${minutes} minutes: ${JSON.stringify(soakTotals)}`);
}

const hasNoFaults = soakTotals.duplicates + soakTotals.stuck + soakTotals.wrong === 0;
printSoakLine(
  `${hasNoFaults ? 'GOOD' : 'BAD'}: ${String(soakTotals.rows)} rows, ${String(soakTotals.posts)} creates, ` +
    `${String(soakTotals.kills)} kills at ${String(crashPointsHit.size)} of ${String(KILL_POINTS.size)} points, ` +
    `${String(faultFamilies.size)} families of faults; ${String(soakTotals.restores)} data folders restored, ` +
    `with ${String(soakTotals.atStake)} rows that had gone out since; ` +
    `${String(soakTotals.turnedAwayAndDone)} creates turned away and done; ` +
    `${String(soakTotals.takenBack)} agreements taken back by a colleague, ${String(soakTotals.otherZones)} ` +
    `batches at services in other zones, ${String(soakTotals.tidied)} at services that tidy names; ` +
    `${String(soakTotals.deniedAndTakenBack)} denied by the service, done, and taken back unseen; ` +
    `${String(soakTotals.duplicates)} duplicates, ${String(soakTotals.stuck)} stuck, ${String(soakTotals.wrong)} wrong states`,
);
const isFullSoak = process.argv.length === 2;
const { code } = isFullSoak
  ? await runNode(place('build/night/properties.ts'), [], { isShown: true })
  : SUCCESS_EXIT;
process.exitCode = hasNoFaults ? code : 1;

/**
 * Returns the properties of the service for a seed: each pair of batches uses another combination
 * of them.
 */
function serviceOf(seed: number) {
  const pair = Math.floor(seed / PARALLEL_RUNS);
  const zone = SERVICE_ZONES[pair % SERVICE_ZONES.length] ?? 'UTC';
  const names = pair % 2 === 0 ? 'tidied' : 'kept';
  return { v2Zone: zone, v2FilterZone: zone, names } as const;
}

/**
 * Whether the run has reached its goal, or a batch never settled. Such a batch adds no rows, so it
 * ends the run after its report.
 */
function isReached(): boolean {
  return (
    soakTotals.stuck > 0 || (soakTotals.rows >= soakGoal.rows && soakTotals.kills >= soakGoal.kills)
  );
}

function addFaultOutcome(outcome: FaultOutcome): void {
  soakTotals.rows += outcome.rows;
  soakTotals.posts += outcome.posts;
  soakTotals.resent += outcome.resent;
  soakTotals.deniedAndTakenBack += outcome.deniedAndTakenBack;
  soakTotals.duplicates += outcome.duplicates;
  soakTotals.stuck += outcome.stuck;
  soakTotals.wrong += outcome.wrong.length;
  for (const [point, kills] of outcome.kills) {
    soakTotals.kills += kills;
    crashPointsHit.add(point);
  }
  for (const family of outcome.families.keys()) faultFamilies.add(family);
  soakTotals.restores += outcome.restores.count;
  soakTotals.atStake += outcome.restores.atStake;
  soakTotals.takenBack += outcome.takenBack;
  soakTotals.turnedAwayAndDone += outcome.families.get(TURNED_AWAY_AND_DONE) ?? 0;
  for (const line of [...outcome.wrong, ...outcome.twice]) printSoakLine(line);
}
