import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instantsOf, validateWallTime, STOCKHOLM, wallTime } from '../../shared/rules/time/days.ts';
import {
  parseV1Time,
  parseV2Time,
  formatV1Time,
  formatV2Time,
} from '../../shared/rules/time/wire-time.ts';
import { zoneNames } from '../../shared/rules/time/zones.ts';
import { TIMEOUT_MS, settings } from './runs.ts';
import { HOUR, SECOND } from '../../shared/rules/time/units.ts';

const LAST = Date.UTC(2100, 0, 1);

/**
 * Returns the last Sunday of a month, at 01:00 UTC. In March and October, the clocks in Stockholm
 * change at that time.
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
        expect(parseV1Time(formatV1Time(at))).toBe(wholeSecond(at));
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
        const text = formatV2Time(at);
        const [first, second] = instantsOf(text, STOCKHOLM);
        const parsed = parseV2Time(text);
        expect(parsed).toBe(first);
        // Outside the repeated hour, the time is exact; in that hour, it may be an hour earlier.
        if (second === undefined) expect(parsed).toBe(wholeSecond(at));
        else expect([0, HOUR]).toContain(wholeSecond(at) - (parsed ?? Number.NaN));
        expect(formatV2Time(parsed ?? 0)).toBe(text);
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
          // If a service sends this time anyway, it is read as winter time.
          expect(parseV2Time(missing)).toBe(within);
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
        expect(formatV1Time(early) <= formatV1Time(late)).toBe(true);
        if (late - early > HOUR) expect(formatV2Time(early) <= formatV2Time(late)).toBe(true);
      }),
      settings,
    );
  });
});
