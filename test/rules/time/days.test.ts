import { describe, expect, it } from 'vitest';
import {
  addDays,
  calendarDay,
  dayOf,
  instantsOf,
  isDay,
  validateWallTime,
  STOCKHOLM,
  wallTime,
  yearsBetween,
} from '../../../shared/rules/time/days.ts';
import { parseV2Time, formatV2Time } from '../../../shared/rules/time/wire-time.ts';
import { createSeeded } from '../../support/seeded.ts';
import { HOUR } from '../../../shared/rules/time/units.ts';

describe('a day', () => {
  it.each([
    '2027-02-30',
    '2027-02-29',
    '03/04/2027',
    '27-3-4',
    '20270304',
    '46000',
    '2027-3-4',
    '',
  ])('is not guessed from the text %j (T2-37)', (text) => {
    expect(isDay(text)).toBe(false);
  });

  it('is written in ISO 8601', () => {
    expect(isDay('2028-02-29')).toBe(true);
    expect(calendarDay(2028, 2, 29)).toBe('2028-02-29');
    expect(calendarDay(1900, 2, 29)).toBeNull();
    expect(calendarDay(33, 1, 1)).toBe('0033-01-01');
  });

  it('is the day in Sweden, not the local day of another time zone (T2-37)', () => {
    const lateInUtc = Date.UTC(2026, 11, 1, 23, 30);
    expect(dayOf(lateInUtc)).toBe('2026-12-02');
    expect(dayOf(lateInUtc, 'UTC')).toBe('2026-12-01');
    const earlyInHelsinki = Date.UTC(2026, 11, 1, 22, 30);
    expect(dayOf(earlyInHelsinki, 'Europe/Helsinki')).toBe('2026-12-02');
    expect(dayOf(earlyInHelsinki)).toBe('2026-12-01');
  });

  it('begins at 22:00 UTC in summer and at 23:00 in winter (T2-37)', () => {
    expect(dayOf(Date.UTC(2026, 6, 1, 22) - 1)).toBe('2026-07-01');
    expect(dayOf(Date.UTC(2026, 6, 1, 22))).toBe('2026-07-02');
    expect(dayOf(Date.UTC(2026, 0, 1, 23) - 1)).toBe('2026-01-01');
    expect(dayOf(Date.UTC(2026, 0, 1, 23))).toBe('2026-01-02');
  });

  it('follows the previous day over every night of a year, including both clock changes', () => {
    for (let day = '2026-10-01'; day < '2027-11-05'; day = addDays(day, 1)) {
      const [noon = 0] = instantsOf(`${day} 12:00:00`);
      expect(dayOf(noon)).toBe(day);
      expect(addDays(addDays(day, 1), -1)).toBe(day);
    }
    expect(() => addDays('2027-02-30', 1)).toThrow(RangeError);
  });

  it('completes a year of age on the birthday', () => {
    expect(yearsBetween('2010-11-21', '2026-11-20')).toBe(15);
    expect(yearsBetween('2010-11-21', '2026-11-21')).toBe(16);
  });
});

describe('a local time in Stockholm', () => {
  it.each([
    ['2026-10-25 01:59:59', [Date.UTC(2026, 9, 24, 23, 59, 59)]],
    ['2026-10-25 02:00:00', [Date.UTC(2026, 9, 25, 0), Date.UTC(2026, 9, 25, 1)]],
    ['2026-10-25 02:30:00', [Date.UTC(2026, 9, 25, 0, 30), Date.UTC(2026, 9, 25, 1, 30)]],
    ['2026-10-25 03:00:00', [Date.UTC(2026, 9, 25, 2)]],
    ['2027-03-28 01:59:59', [Date.UTC(2027, 2, 28, 0, 59, 59)]],
    ['2027-03-28 02:00:00', []],
    ['2027-03-28 02:30:00', []],
    ['2027-03-28 02:59:59', []],
    ['2027-03-28 03:00:00', [Date.UTC(2027, 2, 28, 1)]],
    ['2026-03-29 02:30:00', []],
  ])('%s is at %j (T1-51)', (text, instants) => {
    expect(instantsOf(text)).toEqual(instants);
  });

  it('that is skipped in March is rejected, and not replaced (T1-51)', () => {
    expect(validateWallTime('2027-03-28 02:30')).toEqual({
      verdict: 'wrong',
      value: '2027-03-28 02:30:00',
      why: 'missing-hour',
    });
  });

  it('repeated in October means the first occurrence, with a notice (T1-51)', () => {
    expect(validateWallTime('2026-10-25 02:30')).toEqual({
      verdict: 'suspicious',
      value: '2026-10-25 02:30:00',
      why: 'doubled-hour',
    });
    expect(instantsOf('2026-10-25 02:30')[0]).toBe(parseV2Time('2026-10-25 02:30:00'));
  });

  it.each(['2027-02-30 12:00', '2026-12-01 24:00', '2026-12-01', '12:00', '2026-12-01 12:00Z', ''])(
    '%j is invalid (T1-51)',
    (text) => {
      expect(validateWallTime(text)).toMatchObject({ verdict: 'wrong', why: 'form' });
      expect(instantsOf(text)).toEqual([]);
    },
  );

  it('in the form of a date input is read the same way (T1-51)', () => {
    expect(validateWallTime(' 2026-12-01T12:00 ')).toEqual({
      verdict: 'fine',
      value: '2026-12-01 12:00:00',
    });
  });

  it('stays the same instant when written and read, in every zone and night (T1-51)', () => {
    const chance = createSeeded(51);
    const zones = [STOCKHOLM, 'America/St_Johns', 'Australia/Lord_Howe', '+01:00', 'UTC'] as const;
    const nights = [Date.UTC(2026, 9, 25), Date.UTC(2027, 2, 28), Date.UTC(2027, 3, 3)] as const;
    for (let round = 0; round < 600; round += 1) {
      const zone = chance.pick(zones);
      const at = chance.pick(nights) + chance.whole(-48 * 3600, 48 * 3600) * 1000;
      expect(instantsOf(wallTime(at, zone), zone)).toContain(at);
    }
  });

  it('matches the v2 texts at every quarter hour of the nights with a clock change (T2-23)', () => {
    for (const night of [Date.UTC(2026, 9, 25), Date.UTC(2027, 2, 28), Date.UTC(2027, 9, 31)]) {
      for (let at = night - 4 * HOUR; at < night + 4 * HOUR; at += HOUR / 4) {
        expect(formatV2Time(at)).toBe(wallTime(at));
        expect(instantsOf(formatV2Time(at))[0]).toBe(parseV2Time(formatV2Time(at)));
      }
    }
  });
});
