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

/** Months that cover both clock changes and Easter; a short run covers only spring. */
const months = runLength({
  whole: [
    { name: 'spring', first: '2027-03-15', days: 30, agreements: 400, seed: 1 },
    { name: 'autumn', first: '2027-10-14', days: 30, agreements: 400, seed: 2 },
  ],
  // At night also the autumn, with its repeated hour.
  all: [{ name: 'spring', first: '2027-03-19', days: 14, agreements: 75, seed: 3 }],
});

describe.each(months)(
  'a month of reminders in an office in $name, through the real service adapter',
  (plan) => {
    let month: PlayedMonth;
    beforeAll(async () => {
      month = await playMonth(plan);
    }, HOUR);

    it('reminds every due party, but never early, at night, on a holiday or needlessly', () => {
      expect(month.wrongReminders).toEqual([]);
    });

    it('keeps the interval and the maximum number of reminders of its rule', () => {
      expect(month.truth.tooOften()).toEqual([]);
    });

    it('lists every event in exactly one daily summary of each computer', () => {
      expect(month.wrongDigests).toEqual([]);
      const working = (plan.days * 5) / 7;
      for (const given of month.digests) expect(given).toBeGreaterThan(working / 3);
    });

    it('covers all situations that it is meant to test', () => {
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
  },
);
