import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dueAt } from '../../../electron/core/archive/due.ts';
import { HOUR } from '../../../shared/rules/time/units.ts';

let zone: string | undefined;

beforeEach(() => {
  zone = process.env['TZ'];
  process.env['TZ'] = 'Europe/Stockholm';
});
afterEach(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

const at = (day: number, hours: number, minutes = 0) =>
  new Date(2026, 10, day, hours, minutes).getTime();
const daily = { kind: 'daily', at: '02:30' } as const;

describe('the due time of a rule', () => {
  it('is its time of day after its last run, for example on the next day', () => {
    expect(dueAt(daily, at(20, 2, 31), at(20, 12))).toBe(at(21, 2, 30));
  });

  it('is unchanged after it has passed, until the rule runs', () => {
    expect(dueAt(daily, at(19, 2, 31), at(20, 2, 29))).toBe(at(20, 2, 30));
    expect(dueAt(daily, at(19, 2, 31), at(20, 2, 30))).toBe(at(20, 2, 30));
    expect(dueAt(daily, at(19, 2, 31), at(20, 23))).toBe(at(20, 2, 30));
  });

  it('is the latest scheduled time after a week of missed runs (TX-46)', () => {
    const now = at(20, 9);
    expect(dueAt(daily, at(13, 2, 31), now)).toBe(at(20, 2, 30));
    expect(dueAt(daily, now, now)).toBe(at(21, 2, 30));
  });

  it('is yesterday’s time when the computer wakes before today’s time after days of sleep (TX-46)', () => {
    expect(dueAt(daily, at(15, 2, 31), at(20, 1))).toBe(at(19, 2, 30));
  });

  it('comes once on the day with an extra hour, and once on the day with an hour less', () => {
    const october = (day: number, hours: number, minutes = 0) =>
      new Date(2026, 9, day, hours, minutes).getTime();
    const early = { kind: 'daily', at: '00:10' } as const;
    expect(dueAt(early, october(24, 1), october(25, 1))).toBe(october(25, 0, 10));
    expect(dueAt(early, october(25, 0, 11), october(25, 23, 50))).toBe(october(26, 0, 10));
    const late = { kind: 'daily', at: '23:50' } as const;
    const march = (day: number, hours: number, minutes = 0) =>
      new Date(2026, 2, day, hours, minutes).getTime();
    expect(dueAt(late, march(28, 23, 51), march(29, 1))).toBe(march(29, 23, 50));
    expect(dueAt(late, march(28, 23, 51), march(30, 0))).toBe(march(29, 23, 50));
  });

  it('is on the next day when the rule ran in the scheduled minute', () => {
    expect(dueAt(daily, at(20, 2, 30), at(20, 2, 30))).toBe(at(21, 2, 30));
  });

  it('is the last scheduled time when the last run is far ahead of a clock that was set back', () => {
    const now = at(20, 9);
    expect(dueAt(daily, now + HOUR + 1, now)).toBe(at(20, 2, 30));
    expect(dueAt(daily, now + HOUR, now)).toBe(at(21, 2, 30));
  });

  it('is null for a rule without a time of day', () => {
    expect(dueAt({ kind: 'by-hand' }, 0, at(20, 1))).toBeNull();
    expect(dueAt({ kind: 'completion' }, 0, at(20, 1))).toBeNull();
  });
});
