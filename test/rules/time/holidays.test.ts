import Holidays from 'date-holidays';
import { describe, expect, it } from 'vitest';
import { dayFromNumber, numberOfDay } from '../../../shared/rules/time/days.ts';
import {
  hasHolidays,
  holidayCountries,
  isHoliday,
  isWeekend,
  zoneOfCountry,
} from '../../../shared/rules/time/holidays.ts';

const FIRST = 2026;
const LAST = 2045;
const KEPT = new Set(['public', 'bank']);

/**
 * Returns the days that are holidays in a country, according to a public list of world holidays.
 */
function judged(country: string): ReadonlySet<string> {
  const judge = country === 'GB' ? new Holidays(country, 'ENG') : new Holidays(country);
  const years = Array.from({ length: LAST - FIRST + 1 }, (_, at) => FIRST + at);
  const days = years.flatMap((year) => judge.getHolidays(year));
  return new Set(days.filter(({ type }) => KEPT.has(type)).map(({ date }) => date.slice(0, 10)));
}

describe('holidays', () => {
  it.each(holidayCountries)('of %s match date-holidays for twenty years', (name) => {
    const theirs = judged(name);
    const differing: string[] = [];
    for (let at = numberOfDay(`${FIRST}-01-01`); at <= numberOfDay(`${LAST}-12-31`); at += 1) {
      const day = dayFromNumber(at);
      if (!isWeekend(at) && isHoliday(at, name) !== theirs.has(day)) differing.push(day);
    }
    expect(differing).toEqual([]);
  });

  it('are known for the country of each language, with its time zone', () => {
    expect(holidayCountries).toHaveLength(11);
    for (const name of holidayCountries) {
      expect([name, hasHolidays(name), zoneOfCountry(name)]).toEqual([
        name,
        true,
        expect.stringMatching(/^Europe\//),
      ]);
    }
  });

  it('of other countries are unknown', () => {
    expect(hasHolidays('US')).toBe(false);
    expect(zoneOfCountry('US')).toBeNull();
    expect(isHoliday(numberOfDay('2026-12-25'), 'US')).toBe(false);
  });

  it('do not include weekends', () => {
    expect(isWeekend(numberOfDay('2026-11-21'))).toBe(true);
    expect(isWeekend(numberOfDay('2026-11-22'))).toBe(true);
    expect(isWeekend(numberOfDay('2026-11-23'))).toBe(false);
    expect(isHoliday(numberOfDay('2026-12-26'), 'SE')).toBe(false);
  });
});
