import { describe, expect, it } from 'vitest';
import { dueAt } from '../../../electron/core/archive/due.ts';

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

  it('does not exist without a time', () => {
    expect(dueAt({ kind: 'by-hand' }, 0, at(20, 1))).toBeNull();
    expect(dueAt({ kind: 'completion' }, 0, at(20, 1))).toBeNull();
  });
});
