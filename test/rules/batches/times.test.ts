import { describe, expect, it } from 'vitest';
import { sendingTimesFor, withinHours } from '../../../shared/rules/batches/times.ts';

const HOURS = { from: 8, until: 17 };
const at = (text: string): number => Date.parse(text);

describe('the working hours of a batch', () => {
  it('use Stockholm time, in winter and in summer', () => {
    expect(withinHours(at('2026-11-20T06:30:00Z'), HOURS)).toBe(at('2026-11-20T07:00:00Z'));
    expect(withinHours(at('2026-06-12T05:30:00Z'), HOURS)).toBe(at('2026-06-12T06:00:00Z'));
    expect(withinHours(at('2026-11-20T15:59:00Z'), HOURS)).toBe(at('2026-11-20T15:59:00Z'));
  });

  it('continue on the next working day, also over a weekend', () => {
    const friday = at('2026-11-20T16:00:00Z');
    expect(withinHours(friday, HOURS)).toBe(at('2026-11-23T07:00:00Z'));
    expect(withinHours(at('2026-11-21T12:00:00Z'), HOURS)).toBe(at('2026-11-23T07:00:00Z'));
    expect(withinHours(at('2026-11-17T23:30:00Z'), HOURS)).toBe(at('2026-11-18T07:00:00Z'));
  });

  it('apply to each row of a batch that has an hourly limit', () => {
    const schedule = { startAt: at('2026-11-20T15:00:00Z'), hours: HOURS, perHour: 2 };
    expect(sendingTimesFor(schedule, 4, at('2026-11-20T08:00:00Z'))).toEqual([
      at('2026-11-20T15:00:00Z'),
      at('2026-11-20T15:30:00Z'),
      at('2026-11-23T07:00:00Z'),
      at('2026-11-23T07:30:00Z'),
    ]);
  });
});
