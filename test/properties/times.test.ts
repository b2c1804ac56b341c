import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instantsOf, validateWallTime, STOCKHOLM, wallTime } from '../../shared/rules/time/days.ts';
import { parseV1, parseV2, printV1, printV2 } from '../../shared/rules/time/wire-time.ts';
import { zoneNames } from '../../shared/rules/time/zones.ts';
import { TIMEOUT_MS, settings } from './runs.ts';
import { HOUR, SECOND } from '../../shared/rules/time/units.ts';

const LAST = Date.UTC(2100, 0, 1);

/** Nights in Stockholm when clocks change in March or October, at 01:00 UTC. */
const lastSunday = (year: number, month: number): number => {
  const last = new Date(Date.UTC(year, month + 1, 0, 1));
  return last.getTime() - last.getUTCDay() * 24 * HOUR;
};
const turns = fc
  .tuple(fc.integer({ min: 1996, max: 2037 }), fc.constantFrom(2, 9))
  .map(([year, month]) => lastSunday(year, month));
const nights = fc
  .tuple(turns, fc.integer({ min: -3 * 3600, max: 3 * 3600 }))
  .map(([turn, seconds]) => turn + seconds * SECOND);
const instant = fc.oneof(fc.integer({ min: 0, max: LAST }), nights);
const zone = fc.constantFrom(...zoneNames());
const wholeSecond = (at: number): number => Math.floor(at / SECOND) * SECOND;

describe('a point in time', () => {
  it('is the same after conversion to text of API v1, to the second (TE-P10)', () => {
    fc.assert(
      fc.property(instant, (at) => {
        expect(parseV1(printV1(at))).toBe(wholeSecond(at));
      }),
      settings,
    );
  });

  it(
    'is the same after conversion to any zone, or one of two in the doubled hour (TE-P11)',
    () => {
      fc.assert(
        fc.property(instant, zone, (at, of) => {
          const shown = wallTime(at, of);
          const found = instantsOf(shown, of);
          expect(found).toContain(wholeSecond(at));
          expect(found.length).toBeLessThanOrEqual(2);
          for (const one of found) expect(wallTime(one, of)).toBe(shown);
          const { verdict } = validateWallTime(shown, of);
          expect(verdict).toBe(found.length === 1 ? 'fine' : 'suspicious');
        }),
        settings,
      );
    },
    TIMEOUT_MS,
  );

  it('is the same after conversion to Swedish time of API v2, in the doubled hour the first (TE-P12)', () => {
    fc.assert(
      fc.property(instant, (at) => {
        const text = printV2(at);
        const [first, second] = instantsOf(text, STOCKHOLM);
        const parsed = parseV2(text);
        expect(parsed).toBe(first);
        // A time outside the doubled hour is exact; one inside it is at most an hour off.
        if (second === undefined) expect(parsed).toBe(wholeSecond(at));
        else expect([0, HOUR]).toContain(wholeSecond(at) - (parsed ?? Number.NaN));
        expect(printV2(parsed ?? 0)).toBe(text);
      }),
      settings,
    );
  });

  it('is shown twice in October and skipped in March, by an hour each (TE-P12)', () => {
    fc.assert(
      fc.property(turns, fc.integer({ min: 0, max: 3599 }), (turn, seconds) => {
        const isSpring = new Date(turn).getUTCMonth() === 2;
        const within = turn + seconds * SECOND;
        if (isSpring) {
          const missing = wallTime(within, STOCKHOLM).replace(' 03:', ' 02:');
          expect(instantsOf(missing, STOCKHOLM)).toEqual([]);
          expect(validateWallTime(missing)).toMatchObject({
            verdict: 'wrong',
            why: 'missing-hour',
          });
          // A service that writes this time anyway continues to count in winter time.
          expect(parseV2(missing)).toBe(within);
        } else {
          const doubled = wallTime(within, STOCKHOLM);
          expect(instantsOf(doubled, STOCKHOLM)).toEqual([within - HOUR, within]);
          expect(validateWallTime(doubled)).toMatchObject({
            verdict: 'suspicious',
            why: 'doubled-hour',
          });
        }
      }),
      settings,
    );
  });
});

describe('the order of points in time', () => {
  it('is the same in texts of API v1, and of v2 except in the October night (TE-P10)', () => {
    fc.assert(
      fc.property(instant, instant, (one, other) => {
        const [early, late] = [
          wholeSecond(Math.min(one, other)),
          wholeSecond(Math.max(one, other)),
        ];
        expect(printV1(early) <= printV1(late)).toBe(true);
        if (late - early > HOUR) expect(printV2(early) <= printV2(late)).toBe(true);
      }),
      settings,
    );
  });
});
