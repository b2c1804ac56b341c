import { describe, expect, it } from 'vitest';
import { stampOf, timestampAfterDays, wallTimeOf } from '../../../shared/rules/drafts/wall-time.ts';
import { parseV1Time } from '../../../shared/rules/time/wire-time.ts';

describe('the closing time of a draft', () => {
  it('is Swedish time for people and UTC in requests, in winter and in summer (T1-51)', () => {
    expect(stampOf({ date: '2026-12-05', time: '23:59' })).toBe('20261205T225900Z');
    expect(stampOf({ date: '2026-07-05', time: '23:59' })).toBe('20260705T215900Z');
  });

  it('keeps the entered value across both clock changes (T1-51)', () => {
    for (const date of ['2026-03-28', '2026-03-29', '2026-10-24', '2026-10-25', '2026-10-26']) {
      const wall = { date, time: '12:30' };
      expect(wallTimeOf(stampOf(wall))).toEqual(wall);
    }
  });

  it('without a time is the end of the day', () => {
    expect(stampOf({ date: '2026-12-05', time: '' })).toBe('20261205T225900Z');
  });

  it('of an incompletely typed year is kept as it was typed', () => {
    expect(stampOf({ date: '0202-12-05', time: '23:59' })).toBe('0202-12-05, 23:59');
    expect(stampOf({ date: '', time: '23:59' })).toBeUndefined();
  });

  it.each([
    ['a day that does not exist', { date: '31.02.2027', time: '23:59' }],
    ['a time that does not exist', { date: '2027-02-28', time: '25:61' }],
    ['an hour that the clocks skip', { date: '2027-03-28', time: '02:30' }],
    ['a text with a comma', { date: 'Monday, or later', time: '23:59' }],
  ])('keeps %s as it was typed', (_what, typed) => {
    const value = stampOf(typed);
    expect(parseV1Time(value ?? '')).toBeNull();
    expect(wallTimeOf(value)).toEqual(typed);
  });

  it('is a timestamp once its texts are a time, and nothing without a date', () => {
    expect(stampOf({ date: '2026-12-05', time: '' })).toBe('20261205T225900Z');
    expect(stampOf({ date: '', time: '23:59' })).toBeUndefined();
    expect(wallTimeOf(undefined)).toEqual({ date: '', time: '' });
  });

  it('that is some days ahead is the end of that day, also across a clock change (T1-51)', () => {
    const now = Date.UTC(2026, 9, 20, 8);
    expect(timestampAfterDays(14, now)).toBe('20261103T225900Z');
  });
});
