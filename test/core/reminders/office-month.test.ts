// tier: all
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { playMonth, type PlayedMonth } from '../../support/office/play.ts';
import { runLength } from '../../support/run-length.ts';
import { HOUR } from '../../../shared/rules/time/units.ts';

let zone: string | undefined;
beforeAll(() => {
  zone = process.env['TZ'];
  process.env['TZ'] = 'Europe/Stockholm';
});
afterAll(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

/** Over the nights in which the clocks are put forward, at Easter, and back. */
const months = runLength({
  whole: [
    { name: 'spring', first: '2027-03-15', days: 30, agreements: 400, seed: 1 },
    { name: 'autumn', first: '2027-10-14', days: 30, agreements: 400, seed: 2 },
  ],
  // At night also the autumn, in which an hour comes twice.
  all: [{ name: 'spring', first: '2027-03-19', days: 14, agreements: 75, seed: 3 }],
});

describe.each(months)('an office’s month in $name, over the real service', (plan) => {
  let month: PlayedMonth;
  beforeAll(async () => {
    month = await playMonth(plan);
  }, HOUR);

  it('forgets nobody, and reminds nobody early, at night, on a holiday or in vain', () => {
    expect(month.wrongReminders).toEqual([]);
  });

  it('asks nobody twice within the days of its rule, nor on more of them than it says', () => {
    expect(month.truth.tooOften()).toEqual([]);
  });

  it('tells of all that happened in one digest of each desk, and in no other', () => {
    expect(month.wrongDigests).toEqual([]);
    const working = (plan.days * 5) / 7;
    for (const given of month.digests) expect(given).toBeGreaterThan(working / 3);
  });

  it('met what it was to meet', () => {
    const { truth, kills, shares, logged } = month;
    const { requests, agreements } = truth;
    expect(logged).toBe(requests.length);
    expect(requests.length).toBeGreaterThan(plan.agreements / 2);
    expect(new Set(requests.map(({ agreement }) => agreement.rule)).size).toBe(4);
    expect(new Set(requests.map(({ end }) => end)).size).toBe(3);
    expect(requests.filter(({ isByHand }) => isByHand).length).toBeGreaterThan(0);
    expect(kills).toBeGreaterThan(1);
    expect(shares).toBeGreaterThan(0);
    const endings = [...agreements.values()].map(({ ended }) => ended?.as);
    expect(new Set(endings).size).toBe(5);
  });
});
