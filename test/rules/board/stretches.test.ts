import { describe, expect, it } from 'vitest';
import {
  ageBuckets,
  upcomingIntervals,
  monthIntervals,
} from '../../../shared/rules/board/stretches.ts';

const NOON = new Date(2026, 10, 21, 12).getTime();
const at = (...day: readonly [number, number, number]): number => new Date(...day).getTime();

describe('the age ranges of waiting agreements', () => {
  it('follow each other without a gap, and the last has no end', () => {
    const ages = ageBuckets(NOON);
    expect(ages.map(({ days }) => [days.from, days.to])).toEqual([
      [0, 0],
      [1, 3],
      [4, 7],
      [8, 14],
      [15, 30],
      [31, 60],
      [61, null],
    ]);
    for (const [place, age] of ages.entries()) {
      const older = ages[place + 1];
      if (older !== undefined) expect(older.to).toBe(age.from);
    }
    expect(ages[0]?.from).toBe(at(2026, 10, 21));
    expect(ages[1]).toMatchObject({ from: at(2026, 10, 18), to: at(2026, 10, 21) });
    expect(ages.at(-1)).toMatchObject({ from: 0, to: at(2026, 8, 22) });
  });
});

describe('the time ranges of the board', () => {
  it('are the last twelve months and the current one, also across the end of a year', () => {
    const months = monthIntervals(new Date(2026, 1, 28, 12).getTime());
    expect(months.map(({ name }) => name)).toEqual([
      ...['2025-03', '2025-04', '2025-05', '2025-06', '2025-07', '2025-08', '2025-09', '2025-10'],
      ...['2025-11', '2025-12', '2026-01', '2026-02'],
    ]);
    expect(months.at(-1)).toMatchObject({ from: at(2026, 1, 1), to: at(2026, 2, 1) });
  });

  it('are days for a short period, and weeks for a long one; the first range begins now', () => {
    const days = upcomingIntervals(NOON, 14);
    expect(days).toHaveLength(14);
    expect(days.slice(0, 2)).toEqual([
      { from: NOON, to: at(2026, 10, 22) },
      { from: at(2026, 10, 22), to: at(2026, 10, 23) },
    ]);
    const weeks = upcomingIntervals(NOON, 30);
    expect(weeks).toHaveLength(5);
    expect(weeks[1]).toEqual({ from: at(2026, 10, 28), to: at(2026, 11, 5) });
    expect(weeks.at(-1)?.to).toBe(at(2026, 11, 21));
    expect(upcomingIntervals(NOON, 90).at(-1)?.to).toBe(at(2027, 1, 19));
  });
});
