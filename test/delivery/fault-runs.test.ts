// tier: all
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleChild } from '../support/bundle-child.ts';
import { type FaultOutcome, KILL_POINTS, runFaults, type FaultRun } from './harness.ts';
import { runLength } from '../support/run-length.ts';
import { HOUR } from '../../shared/rules/time/units.ts';

/** Simulated milliseconds in a real one: the settle time is 0.4 seconds. */
const FACTOR = 1_500;
/** Timeout of a run: twenty times its duration on two idle cores. */
const RUN_TIMEOUT_MS = HOUR;

/**
 * Sizes of the runs. In a short run, a larger share of the create requests gets a fault. `points`
 * and `families` are the numbers of kill points and kinds of faults that must be reached. A run that
 * ends before it reaches them is followed by shorter runs, each with `moreRows` new rows.
 */
const length = runLength({
  whole: {
    rows: 410,
    kills: 100,
    faults: 0.2,
    moreRows: 60,
    points: KILL_POINTS.size,
    families: 20,
  },
  all: { rows: 100, kills: 20, faults: 0.5, moreRows: 60, points: KILL_POINTS.size, families: 20 },
});
/** Number of rows and kills in the runs in which a data folder is restored. */
const RESTORED = runLength({
  whole: { rows: 160, kills: 60 },
  all: { rows: 50, kills: 25 },
});
/**
 * Time of an additional run for a missing kill point (real ms): on a busy computer, the rarest
 * point is reached after seconds.
 */
const DETOUR_MS = 8_000;
const MAX_DETOURS = 20;

const usual = {
  rows: length.rows,
  kills: length.kills,
  faults: length.faults,
  factor: FACTOR,
} as const;
/** Share of list readings before which a colleague revokes or deletes. */
const TAKEN_BACK = 0.1;
/** Behaviour that differs from the demo service's usual one; the API texts allow either. */
const OTHERWISE = { v2Zone: 'UTC', v2FilterZone: 'UTC', names: 'tidied' } as const;
const faultRuns: readonly Omit<FaultRun, 'child'>[] = [
  { ...usual, api: 'v1', policy: 'auto', seed: 1, takenBack: TAKEN_BACK },
  { ...usual, api: 'v2', policy: 'ask', seed: 2, takenBack: TAKEN_BACK, service: OTHERWISE },
];

/**
 * Run with restores, which is shorter and separate: after a restore, few requests are sent through
 * faults.
 */
const restored = { ...usual, ...RESTORED, restores: true } as const;

let outcomes: readonly FaultOutcome[];

beforeAll(async () => {
  const child = await bundleChild('delivery/children/desk.ts');
  outcomes = (await Promise.all(faultRuns.map((faultRun) => runOn({ ...faultRun, child })))).flat();
  outcomes = [
    ...outcomes,
    ...(await Promise.all([
      runFaults({ ...restored, api: 'v1', policy: 'ask', seed: 3, child }),
      runFaults({ ...restored, api: 'v2', policy: 'auto', seed: 4, child, service: OTHERWISE }),
    ])),
  ];
  for (let detour = 1; detour <= MAX_DETOURS && atStake() === 0; detour += 1) {
    const seed = 2000 + detour;
    const again = { ...restored, api: 'v1', policy: 'ask', seed, child } as const;
    outcomes = [...outcomes, await runFaults(again)];
  }
  for (let detour = 1; detour <= MAX_DETOURS && isCalm(); detour += 1) {
    const points = unmet().length > 0 ? unmet() : ['any'];
    const seed = 1000 + detour;
    const usually = { ...usual, takenBack: TAKEN_BACK, child };
    const about = { ...usually, api: 'v1', policy: 'auto', seed } as const;
    const faultRun = {
      ...about,
      points,
      patience: DETOUR_MS * detour,
      rows: length.moreRows,
      kills: points.length,
    };
    outcomes = [...outcomes, await runFaults(faultRun)];
  }
}, RUN_TIMEOUT_MS);

const unmet = () => {
  const met = namesOf(({ kills }) => kills);
  return [...KILL_POINTS.keys()].filter((name) => !met.has(name));
};

/**
 * Number of rows that a restored copy could send again; a busy computer may end a run before there
 * is one.
 */
const atStake = () => sum(({ restores }) => restores.atStake);
const families = () => namesOf((outcome) => outcome.families).size;
const metPoints = () => KILL_POINTS.size - unmet().length;
/**
 * Whether there were too few faults so far: a busy computer reads few lists, so no agreement may
 * have been revoked.
 */
const isCalm = () =>
  metPoints() < length.points ||
  families() < length.families ||
  sum(({ takenBack }) => takenBack) === 0;

async function runOn(faultRun: FaultRun): Promise<readonly FaultOutcome[]> {
  const first = await runFaults(faultRun);
  const left = faultRun.kills - killsOf(first);
  if (left === 0) return [first];
  const next = {
    ...faultRun,
    rows: length.moreRows,
    kills: left,
    seed: faultRun.seed + faultRuns.length,
  };
  return [first, ...(await runOn(next))];
}

const killsOf = ({ kills }: FaultOutcome) => [...kills.values()].reduce((all, one) => all + one, 0);

const sum = (of: (outcome: FaultOutcome) => number) =>
  outcomes.reduce((total, outcome) => total + of(outcome), 0);
const namesOf = (of: (outcome: FaultOutcome) => ReadonlyMap<string, number>) =>
  new Set(outcomes.flatMap((outcome) => [...of(outcome).keys()]));

describe('rows sent through faults, by a program that is killed again and again (TX-12)', () => {
  it('have one agreement each, and one more for each time that a person sent a row again (AP-14)', () => {
    expect(sum(({ rows }) => rows)).toBeGreaterThanOrEqual(2 * length.rows);
    expect(sum(({ duplicates }) => duplicates)).toBe(0);
  });

  it('all reach a final status (TX-10)', () => {
    expect(sum(({ stuck }) => stuck)).toBe(0);
  });

  it('are shown with their true outcome, which a replay of the journal reproduces', () => {
    expect(outcomes.flatMap(({ wrong }) => wrong)).toEqual([]);
  });

  it('are searched for on the service, not sent, after an old data folder was restored (SEC-H1)', () => {
    expect(sum(({ restores }) => restores.count)).toBeGreaterThan(0);
    expect(atStake()).toBeGreaterThan(0);
    expect(sum(({ duplicates }) => duplicates)).toBe(0);
  });

  it('are not sent again automatically if a colleague revoked or deleted their agreements (DL-A7)', () => {
    expect(sum(({ takenBack }) => takenBack)).toBeGreaterThan(0);
    expect(sum(({ duplicates }) => duplicates)).toBe(0);
  });

  it('are sent through all kill points and kinds of faults that the length of the run requires', () => {
    expect(sum(killsOf)).toBeGreaterThanOrEqual(faultRuns.length * length.kills);
    expect(metPoints()).toBeGreaterThanOrEqual(length.points);
    expect(families()).toBeGreaterThanOrEqual(length.families);
  });
});
