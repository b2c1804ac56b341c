import { beforeAll, describe, expect, it } from 'vitest';
import { bundleChild } from '../support/bundle-child.ts';
import { type FaultOutcome, KILL_POINTS, runFaults, type FaultRun } from './harness.ts';
import { runLength } from '../support/whole-runs.ts';

/** Fifteen hundred simulated milliseconds in a real one: the settle time is 0.4 seconds. */
const FACTOR = 1_500;
const FAMILIES = 20;
/** Twenty times what it takes on two cores with nothing else to do. */
const LONGEST = 3_600_000;

/** In the short ones every kill point has its turn in each, and more of the creates are hit. */
const { ROWS, KILLS, FAULTS, RESTORED } = runLength({
  whole: { ROWS: 410, KILLS: 100, FAULTS: 0.2, RESTORED: { rows: 160, kills: 60 } },
  short: { ROWS: 100, KILLS: 20, FAULTS: 0.5, RESTORED: { rows: 50, kills: 25 } },
});
/** One that is through before it met its kills is followed by shorter ones with other rows. */
const MORE_ROWS = 60;
/** On a busy machine seconds pass before the rarest point is reached: each detour waits longer. */
const PATIENCE = 8_000;
const MOST_DETOURS = 20;

const usual = { rows: ROWS, kills: KILLS, faults: FAULTS, factor: FACTOR } as const;
const faultRuns: readonly Omit<FaultRun, 'child'>[] = [
  { ...usual, api: 'v1', policy: 'auto', seed: 1 },
  { ...usual, api: 'v2', policy: 'ask', seed: 2 },
];

/** Short, and of its own: after a restore little goes out through faults. */
const restored = { ...usual, ...RESTORED, restores: true } as const;

let outcomes: readonly FaultOutcome[];

beforeAll(async () => {
  const child = await bundleChild('delivery/children/desk.ts');
  outcomes = (await Promise.all(faultRuns.map((faultRun) => runOn({ ...faultRun, child })))).flat();
  outcomes = [
    ...outcomes,
    ...(await Promise.all([
      runFaults({ ...restored, api: 'v1', policy: 'ask', seed: 3, child }),
      runFaults({ ...restored, api: 'v2', policy: 'auto', seed: 4, child }),
    ])),
  ];
  for (let detour = 1; detour <= MOST_DETOURS && isCalm(); detour += 1) {
    const points = unmet().length > 0 ? unmet() : ['any'];
    const about = { ...usual, api: 'v1', policy: 'auto', seed: 1000 + detour, child } as const;
    const faultRun = {
      ...about,
      points,
      patience: PATIENCE * detour,
      rows: MORE_ROWS,
      kills: points.length,
    };
    outcomes = [...outcomes, await runFaults(faultRun)];
  }
}, LONGEST);

const unmet = () => {
  const met = namesOf(({ kills }) => kills);
  return [...KILL_POINTS.keys()].filter((name) => !met.has(name));
};

const families = () => namesOf((outcome) => outcome.families).size;
/** The weather was not bad enough yet. */
const isCalm = () => unmet().length > 0 || families() < FAMILIES;

async function runOn(faultRun: FaultRun): Promise<readonly FaultOutcome[]> {
  const first = await runFaults(faultRun);
  const left = faultRun.kills - killsOf(first);
  if (left === 0) return [first];
  const next = {
    ...faultRun,
    rows: MORE_ROWS,
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
  it('exist once each, but for those that a person sent again (AP-14)', () => {
    expect(sum(({ rows }) => rows)).toBeGreaterThanOrEqual(2 * ROWS);
    expect(sum(({ duplicates }) => duplicates)).toBe(0);
  });

  it('all come to an end (TX-10)', () => {
    expect(sum(({ stuck }) => stuck)).toBe(0);
  });

  it('are told as what they are, with a journal that replays to the same', () => {
    expect(outcomes.flatMap(({ wrong }) => wrong)).toEqual([]);
  });

  it('are looked for, and not sent, when a copy of the whole data folder was put back (SEC-H1)', () => {
    expect(sum(({ restores }) => restores.count)).toBeGreaterThan(0);
    expect(sum(({ restores }) => restores.atStake)).toBeGreaterThan(0);
    expect(sum(({ duplicates }) => duplicates)).toBe(0);
  });

  it('met enough weather: kills at every point, and families of faults', () => {
    expect(sum(killsOf)).toBeGreaterThanOrEqual(faultRuns.length * KILLS);
    expect(unmet()).toEqual([]);
    expect(families()).toBeGreaterThanOrEqual(FAMILIES);
  });
});
