import { numberOfDay } from './days.ts';
import { DAY } from './units.ts';

/*
 * Days without reminders: weekends, and a whole country's public holidays and the eves that banks
 * observe. Regional holidays are omitted; for the United Kingdom, those of England and Wales are
 * used. Days are counted from 1970-01-01.
 */

/** Countries with known holidays (ISO 3166-1 alpha-2), in the order of the program's languages. */
export const holidayCountries = [
  ...['GB', 'SE', 'NO', 'DK', 'FI', 'DE'],
  ...['NL', 'FR', 'ES', 'IT', 'PL'],
] as const satisfies readonly string[];

/** Zone of each country's capital, which gives the current day for most people in the country. */
const zonesByCountry: ReadonlyMap<string, string> = new Map([
  ['GB', 'Europe/London'],
  ['SE', 'Europe/Stockholm'],
  ['NO', 'Europe/Oslo'],
  ['DK', 'Europe/Copenhagen'],
  ['FI', 'Europe/Helsinki'],
  ['DE', 'Europe/Berlin'],
  ['NL', 'Europe/Amsterdam'],
  ['FR', 'Europe/Paris'],
  ['ES', 'Europe/Madrid'],
  ['IT', 'Europe/Rome'],
  ['PL', 'Europe/Warsaw'],
]);

/**
 * Rule for a holiday. `MM-DD` is that day in every year. A number is the number of days after
 * Easter Sunday. A weekday (0 is Sunday) with `MM-DD` is the first such weekday on or after it.
 */
type HolidayRule = string | number | readonly [weekday: number, from: string];

const MONDAY = 1;
const FRIDAY = 5;
const GOOD_FRIDAY = -2;
const EASTER_MONDAY = 1;
const ASCENSION = 39;
const WHIT_MONDAY = 50;
const CORPUS_CHRISTI = 60;

/** Rules by country, without holidays that are on a weekend every year. */
const holidayRulesByCountry: ReadonlyMap<string, readonly HolidayRule[]> = new Map<
  string,
  readonly HolidayRule[]
>([
  ['GB', [GOOD_FRIDAY, EASTER_MONDAY, [MONDAY, '05-01'], [MONDAY, '05-25'], [MONDAY, '08-25']]],
  [
    'SE',
    [
      ...['01-01', '01-06', GOOD_FRIDAY, EASTER_MONDAY, '05-01', ASCENSION, '06-06'],
      [FRIDAY, '06-19'],
      ...['12-24', '12-25', '12-26', '12-31'],
    ],
  ],
  [
    'NO',
    [
      ...['01-01', -3, GOOD_FRIDAY, EASTER_MONDAY, '05-01', '05-17', ASCENSION, WHIT_MONDAY],
      ...['12-24', '12-25', '12-26', '12-31'],
    ],
  ],
  ['DK', ['01-01', -3, GOOD_FRIDAY, EASTER_MONDAY, ASCENSION, WHIT_MONDAY, '12-25', '12-26']],
  [
    'FI',
    [
      ...['01-01', '01-06', GOOD_FRIDAY, EASTER_MONDAY, '05-01', ASCENSION],
      [FRIDAY, '06-19'],
      ...['12-06', '12-24', '12-25', '12-26', '12-31'],
    ],
  ],
  [
    'DE',
    [
      ...['01-01', GOOD_FRIDAY, EASTER_MONDAY, '05-01', ASCENSION, WHIT_MONDAY, '10-03'],
      ...['12-24', '12-25', '12-26', '12-31'],
    ],
  ],
  ['NL', ['01-01', EASTER_MONDAY, '04-27', ASCENSION, WHIT_MONDAY, '12-25', '12-26', '12-31']],
  [
    'FR',
    [
      ...['01-01', EASTER_MONDAY, '05-01', '05-08', ASCENSION, WHIT_MONDAY],
      ...['07-14', '08-15', '11-01', '11-11', '12-25'],
    ],
  ],
  [
    'ES',
    [
      ...['01-01', '01-06', GOOD_FRIDAY, '05-01', '08-15', '10-12'],
      ...['11-01', '12-06', '12-08', '12-25'],
    ],
  ],
  [
    'IT',
    [
      ...['01-01', '01-06', EASTER_MONDAY, '04-25', '05-01', '06-02', '08-15'],
      ...['10-04', '11-01', '12-08', '12-25', '12-26'],
    ],
  ],
  [
    'PL',
    [
      ...['01-01', '01-06', EASTER_MONDAY, '05-01', '05-03', CORPUS_CHRISTI, '08-15'],
      ...['11-01', '11-11', '12-24', '12-25', '12-26'],
    ],
  ],
]);

/** Holidays that move to the next working day if they are on one of these weekdays. */
const substituteRulesByCountry: ReadonlyMap<string, readonly SubstituteRule[]> = new Map([
  [
    'GB',
    [
      { days: ['01-01'], fallenOn: [0, 6] },
      { days: ['12-25', '12-26'], fallenOn: [0, 6] },
    ],
  ],
  ['ES', [{ days: ['12-25'], fallenOn: [0] }]],
]);

interface SubstituteRule {
  readonly days: readonly string[];
  readonly fallenOn: readonly number[];
}

const holidaysByCountryYear = new Map<string, ReadonlySet<number>>();

/** Whether the holidays of this country (ISO 3166-1 alpha-2) are known. */
export function hasHolidays(country: string): boolean {
  return holidayRulesByCountry.has(country);
}

/** Zone for a country's days; null if the country's holidays are not known. */
export function zoneOfCountry(country: string): string | null {
  return zonesByCountry.get(country) ?? null;
}

export function isWeekend(day: number): boolean {
  const weekday = weekdayOf(day);
  return weekday === 0 || weekday === 6;
}

/** Whether a day is a holiday; false for weekends, and for unknown countries. */
export function isHoliday(day: number, country: string): boolean {
  const year = new Date(day * DAY).getUTCFullYear();
  const name = `${country}${String(year)}`;
  let days = holidaysByCountryYear.get(name);
  if (days === undefined) {
    days = holidaysOf(country, year);
    holidaysByCountryYear.set(name, days);
  }
  return days.has(day);
}

function holidaysOf(country: string, year: number): ReadonlySet<number> {
  const easter = easterSunday(year);
  const found = (holidayRulesByCountry.get(country) ?? []).map((feast) =>
    dayOfHoliday(feast, year, easter),
  );
  for (const rule of substituteRulesByCountry.get(country) ?? [])
    found.push(...substituteDays(rule, year));
  return new Set(found.filter((day) => !isWeekend(day)));
}

function dayOfHoliday(feast: HolidayRule, year: number, easter: number): number {
  if (typeof feast === 'number') return easter + feast;
  if (typeof feast === 'string') return dayNumberInYear(year, feast);
  const [weekday, from] = feast;
  const earliest = dayNumberInYear(year, from);
  return earliest + ((weekday - weekdayOf(earliest) + 7) % 7);
}

/** Returns the holidays and, for each that moves, the next working day after them. */
function substituteDays({ days, fallenOn }: SubstituteRule, year: number): readonly number[] {
  const taken = new Set(days.map((day) => dayNumberInYear(year, day)));
  for (const day of [...taken].filter((one) => fallenOn.includes(weekdayOf(one)))) {
    let next = day + 1;
    while (isWeekend(next) || taken.has(next)) next += 1;
    taken.add(next);
  }
  return [...taken];
}

const dayNumberInYear = (year: number, day: string): number =>
  numberOfDay(`${String(year)}-${day}`);

/** Weekday of a day (0 is Sunday); 1970-01-01 was a Thursday. */
const weekdayOf = (day: number): number => (((day + 4) % 7) + 7) % 7;

/** Easter Sunday of the western churches (the anonymous Gregorian computus). */
function easterSunday(year: number): number {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const rest = year % 100;
  const skipped = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const moon = (19 * golden + century - Math.floor(century / 4) - skipped + 15) % 30;
  const week = (32 + 2 * (century % 4) + 2 * Math.floor(rest / 4) - moon - (rest % 4)) % 7;
  const late = Math.floor((golden + 11 * moon + 22 * week) / 451);
  const sum = moon + week - 7 * late + 114;
  const month = String(Math.floor(sum / 31)).padStart(2, '0');
  const day = String((sum % 31) + 1).padStart(2, '0');
  return dayNumberInYear(year, `${month}-${day}`);
}

/** Country whose capital has this zone; null for any other zone. */
export function countryOfZone(zone: string): string | null {
  return holidayCountries.find((country) => zonesByCountry.get(country) === zone) ?? null;
}
