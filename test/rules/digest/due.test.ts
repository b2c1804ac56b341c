import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDigestDue, isQuiet, lastDigestTime } from '../../../shared/rules/digest/due.ts';
import { instantsOf, STOCKHOLM, wallTime } from '../../../shared/rules/time/days.ts';
import { HOUR } from '../../../shared/rules/time/units.ts';

const at = (wall: string): number => instantsOf(`${wall}:00`, STOCKHOLM)[0] ?? Number.NaN;
const daily = { isOn: true, at: '08:00', workdaysOnly: false };
const workdays = { isOn: true, at: '08:00', workdaysOnly: true };
const last = (wall: string, time = daily): string | null => {
  const found = lastDigestTime(at(wall), time, STOCKHOLM);
  return found === null ? null : wallTime(found, STOCKHOLM).slice(0, 16);
};

describe('the due time of a daily summary', () => {
  it('is the due time of today, or that of yesterday until today’s has come', () => {
    expect(last('2026-11-25 08:00')).toBe('2026-11-25 08:00');
    expect(last('2026-11-25 07:59')).toBe('2026-11-24 08:00');
  });

  it('skips Saturdays and Sundays on request', () => {
    expect(last('2026-11-30 07:00', workdays)).toBe('2026-11-27 08:00');
    expect(last('2026-11-29 12:00', workdays)).toBe('2026-11-27 08:00');
    expect(last('2026-11-29 12:00')).toBe('2026-11-29 08:00');
  });

  it('exists also in nights with a clock change', () => {
    expect(last('2027-03-28 12:00', { ...daily, at: '02:30' })).toBe('2027-03-28 03:30');
    expect(last('2026-10-25 12:00', { ...daily, at: '02:30' })).toBe('2026-10-25 02:30');
    const earlier = instantsOf('2026-10-25 02:30:00', STOCKHOLM)[0];
    expect(lastDigestTime(at('2026-10-25 12:00'), { ...daily, at: '02:30' }, STOCKHOLM)).toBe(
      earlier,
    );
  });

  it('is empty when daily summaries are off', () => {
    expect(last('2026-11-25 08:00', { ...daily, isOn: false })).toBeNull();
    expect(isDigestDue(0, at('2026-11-25 08:00'), { ...daily, isOn: false }, STOCKHOLM)).toBe(
      false,
    );
  });

  it('is reached once a day, however often and wherever it is checked', () => {
    const zones = ['Europe/Stockholm', 'America/New_York', 'Asia/Kolkata', 'Pacific/Kiritimati'];
    const begin = Date.UTC(2026, 9, 20);
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: 0, max: 23 }),
        fc.array(fc.integer({ min: 1, max: 10 * HOUR }), { minLength: 20, maxLength: 60 }),
        (zone, hour, steps) => {
          const time = { ...daily, at: `${String(hour).padStart(2, '0')}:00` };
          let [now, taken] = [begin, begin];
          const given: string[] = [];
          for (const step of steps) {
            now += step;
            if (!isDigestDue(taken, now, time, zone)) continue;
            taken = now;
            given.push(wallTime(lastDigestTime(now, time, zone) ?? 0, zone).slice(0, 10));
          }
          expect(given).toEqual([...new Set(given)]);
          // Because it is checked at least every ten hours, no day is missed.
          expect(given.length).toBeGreaterThanOrEqual(Math.floor((now - begin) / 86_400_000) - 1);
        },
      ),
    );
  });

  it('is not reached again right after a late summary, or after the first start', () => {
    const due = (takenAt: string, now: string) =>
      isDigestDue(at(takenAt), at(now), daily, STOCKHOLM);
    expect(due('2026-11-25 07:00', '2026-11-25 08:00')).toBe(false);
    expect(due('2026-11-25 07:00', '2026-11-25 13:00')).toBe(true);
    expect(due('2026-11-25 01:00', '2026-11-25 08:00')).toBe(true);
  });

  it('is reached again after a clock that was ahead was corrected', () => {
    const now = at('2026-11-25 09:00');
    expect(isDigestDue(at('2027-11-25 09:00'), now, daily, STOCKHOLM)).toBe(true);
    expect(isDigestDue(at('2026-11-25 09:30'), now, daily, STOCKHOLM)).toBe(false);
  });
});

describe('quiet hours', () => {
  it('may span midnight, and do not include the time of their end', () => {
    const night = { from: '18:00', until: '07:00' };
    const isNight = (wall: string) => isQuiet(at(`2026-11-25 ${wall}`), night, STOCKHOLM);
    expect(['17:59', '18:00', '23:59', '00:00', '06:59', '07:00'].map(isNight)).toEqual([
      ...[false, true, true, true, true, false],
    ]);
    const noon = { from: '12:00', until: '13:00' };
    expect(isQuiet(at('2026-11-25 12:30'), noon, STOCKHOLM)).toBe(true);
    expect(isQuiet(at('2026-11-25 13:00'), noon, STOCKHOLM)).toBe(false);
    expect(isQuiet(at('2026-11-25 12:30'), null, STOCKHOLM)).toBe(false);
  });
});
