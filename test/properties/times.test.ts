import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instantsOf, validateWallTime, STOCKHOLM, wallTime } from '../../shared/rules/time/days.ts';
import { parseV1, parseV2, printV1, printV2 } from '../../shared/rules/time/wire-time.ts';
import { zoneNames } from '../../shared/rules/time/zones.ts';
import { TIMEOUT_MS, settings } from './runs.ts';
import { HOUR, SECOND } from '../../shared/rules/time/units.ts';

const LAST = Date.UTC(2100, 0, 1);

/**
 * Days in Stockholm on which the clocks change, at 01:00 UTC: the last Sundays of March and
 * October.
 */
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

describe('a point in time or a Swedish wall time', () => {
  it('is the same to the second after conversion to text of API v1 and back (TE-P10)', () => {
    fc.assert(
      fc.property(instant, (at) => {
        expect(parseV1(printV1(at))).toBe(wholeSecond(at));
      }),
      settings,
    );
  });

  it(
    'is the same after conversion to a zone and back, or one of two in the repeated hour (TE-P11)',
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

  it('is the same after conversion to text of API v2 and back, or the first in the repeated hour (TE-P12)', () => {
    fc.assert(
      fc.property(instant, (at) => {
        const text = printV2(at);
        const [first, second] = instantsOf(text, STOCKHOLM);
        const parsed = parseV2(text);
        expect(parsed).toBe(first);
        // A time outside the repeated hour is exact; a time inside it is at most an hour off.
        if (second === undefined) expect(parsed).toBe(wholeSecond(at));
        else expect([0, HOUR]).toContain(wholeSecond(at) - (parsed ?? Number.NaN));
        expect(printV2(parsed ?? 0)).toBe(text);
      }),
      settings,
    );
  });

  it('is ambiguous in the repeated hour of October, and missing in the skipped hour of March (TE-P12)', () => {
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
          // If a service sends this time anyway, it continues to count in winter time.
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
  it('is also the order of their texts in API v1, and in v2 outside the repeated hour (TE-P10)', () => {
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
