import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MonthNames, readDay, readTime } from '../../../shared/rules/time/typed-time.ts';
import { settings } from '../../properties/runs.ts';

const TODAY = '2026-11-23';
const LOCALES = ['da', 'de', 'en-GB', 'es', 'fi', 'fr', 'it', 'nb', 'nl', 'pl', 'sv'];

/**
 * Returns the names of the months as the window provides them: Intl's names, alone and with a day.
 */
function monthsOf(locale: string): MonthNames {
  return Array.from({ length: 12 }, (_, month) => {
    const at = new Date(Date.UTC(2026, month, 1));
    return (['long', 'short'] as const).flatMap((style) => {
      const withDay = { day: 'numeric', month: style, timeZone: 'UTC' } as const;
      const beside = new Intl.DateTimeFormat(locale, withDay).formatToParts(at);
      const alone = new Intl.DateTimeFormat(locale, { month: style, timeZone: 'UTC' }).format(at);
      return [alone, beside.find(({ type }) => type === 'month')?.value ?? alone];
    });
  });
}

const months = new Map(LOCALES.map((locale) => [locale, monthsOf(locale)]));
const english = monthsOf('en-GB');
const written = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const;
const writers = new Map(
  LOCALES.map((locale) => [locale, new Intl.DateTimeFormat(locale, written)]),
);

describe('a date as people type it', () => {
  it.each([
    ['2026-12-06', '2026-12-06'],
    ['20261206', '2026-12-06'],
    ['06122026', '2026-12-06'],
    ['20122026', '2026-12-20'],
    ['6/12/2026', '2026-12-06'],
    ['06.12.26', '2026-12-06'],
    ['6-12-2026', '2026-12-06'],
    ['6 dec', '2026-12-06'],
    ['6 December 2026', '2026-12-06'],
    ['Dec 6 2026', '2026-12-06'],
    ['3/1', '2027-01-03'],
    ['20 nov', '2026-11-20'],
    ['29 feb 2028', '2028-02-29'],
    ['29 feb 2027', null],
    ['31/4/2026', null],
    ['13/13/2026', null],
    ['6 ju', null],
    ['6 j', null],
    ['soon', null],
    ['', null],
    ['2026', null],
    ['1/2/3/4', null],
  ])('%j is read as %j', (text, day) => {
    expect(readDay(text, english, TODAY)).toBe(day);
  });

  it('is read in the form of each language, with and without accents', () => {
    const days = fc.date({
      min: new Date('2000-01-01'),
      max: new Date('2099-12-31'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(fc.constantFrom(...LOCALES), days, (locale, at) => {
        const iso = at.toISOString().slice(0, 10);
        const text = writers.get(locale)?.format(at) ?? '';
        const names = months.get(locale) ?? [];
        const plain = text.normalize('NFD').replaceAll(/\p{M}/gu, '');
        expect([locale, text, readDay(text, names, TODAY)]).toEqual([locale, text, iso]);
        expect(readDay(plain, names, TODAY)).toBe(iso);
      }),
      settings,
    );
  });
});

describe('a time as people type it', () => {
  it.each([
    ['9', '09:00'],
    ['930', '09:30'],
    ['0930', '09:30'],
    ['9.30', '09:30'],
    ['9h30', '09:30'],
    [' 23:59 ', '23:59'],
    ['24:00', null],
    ['9:60', null],
    ['noon', null],
    ['', null],
  ])('%j is read as %j', (text, time) => {
    expect(readTime(text)).toBe(time);
  });
});
