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

describe('when a rule falls due', () => {
  it('is the time of day of the day after it ran', () => {
    expect(dueAt(daily, at(20, 2, 31), at(20, 12))).toBe(at(21, 2, 30));
  });

  it('is past from its time on until it ran', () => {
    expect(dueAt(daily, at(19, 2, 31), at(20, 2, 29))).toBe(at(20, 2, 30));
    expect(dueAt(daily, at(19, 2, 31), at(20, 2, 30))).toBe(at(20, 2, 30));
    expect(dueAt(daily, at(19, 2, 31), at(20, 23))).toBe(at(20, 2, 30));
  });

  it('missed for a week, is due once (TX-46)', () => {
    const now = at(20, 9);
    expect(dueAt(daily, at(13, 2, 31), now)).toBe(at(20, 2, 30));
    expect(dueAt(daily, now, now)).toBe(at(21, 2, 30));
  });

  it('before its time of today, after days of sleep, is the one of yesterday (TX-46)', () => {
    expect(dueAt(daily, at(15, 2, 31), at(20, 1))).toBe(at(19, 2, 30));
  });

  it('is once on the day that has an hour more, and once on the one that lacks it', () => {
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

  it('ran in its very minute, is the next day', () => {
    expect(dueAt(daily, at(20, 2, 30), at(20, 2, 30))).toBe(at(21, 2, 30));
  });

  it('after a run far ahead of a clock that was put back, is the last time that passed', () => {
    const now = at(20, 9);
    expect(dueAt(daily, now + HOUR + 1, now)).toBe(at(20, 2, 30));
    expect(dueAt(daily, now + HOUR, now)).toBe(at(21, 2, 30));
  });

  it('does not exist without a time', () => {
    expect(dueAt({ kind: 'by-hand' }, 0, at(20, 1))).toBeNull();
    expect(dueAt({ kind: 'completion' }, 0, at(20, 1))).toBeNull();
  });
});
