import { EXCESS_COMBINING_MARKS } from '../text/long-marks.ts';

/** Names of the months 1 to 12, in every form of a language. */
export type MonthNames = readonly (readonly string[])[];

/** Maximum length of a typed day or time; a longer text is rejected. */
const MAX_TYPED_LENGTH = 40;
const CURRENT_CENTURY = 2000;
/** Range of a year in the first four of eight digits without separators. */
const YEAR_RANGE = { first: 1900, last: 2199 } as const;
const COMBINING_MARKS = /\p{M}/gu;

/**
 * Parses a typed day, `24 dec`, `24/12/26`, `24.12.2026`, `24122026`, `2026-12-24` or `20261224`:
 * the day is before the month, as in all of the program's languages, unless the year comes first.
 * Without a year, the day nearest to `today` (`2026-11-19`) is meant. Returns `2026-12-24`; null if
 * invalid.
 */
export function readDay(text: string, months: MonthNames, today: string): string | null {
  if (text.length > MAX_TYPED_LENGTH) return null;
  const trimmed = text.trim();
  if (/^\d{8}$/.test(trimmed)) return parseDigitsDay(trimmed);
  const words = (text.match(/\p{L}[\p{L}\p{M}]*/gu) ?? [])
    .map(foldMonthWord)
    .filter(({ length }) => length > 2);
  const numbers = text.match(/\d+/g) ?? [];
  const [word, ...others] = words;
  if (others.length > 0) return null;
  if (word === undefined) return parseNumericDay(numbers, today);
  const month = findMonthNamed(word, months);
  return month === null ? null : parseNamedDay(numbers, month, today);
}

/** Parses a typed time, `9`, `930`, `9.30` or `09:30`. Returns `09:30`; null if invalid. */
export function readTime(text: string): string | null {
  if (text.length > MAX_TYPED_LENGTH) return null;
  const match = /^(\d{1,2})(?:[:.h ]?(\d{2}))?$/i.exec(text.trim());
  if (match === null) return null;
  const [hour, minute] = [Number(match[1]), Number(match[2] ?? 0)];
  return hour > 23 || minute > 59 ? null : `${padToTwoDigits(hour)}:${padToTwoDigits(minute)}`;
}

/** Parses `20261224` or `24122026`; the year 2412 is never meant. */
function parseDigitsDay(digits: string): string | null {
  const year = Number(digits.slice(0, 4));
  const isYear = YEAR_RANGE.first <= year && year <= YEAR_RANGE.last;
  const yearFirst = isYear
    ? dayOf(year, Number(digits.slice(4, 6)), Number(digits.slice(6)))
    : null;
  const [day, month] = [Number(digits.slice(0, 2)), Number(digits.slice(2, 4))];
  return yearFirst ?? dayOf(Number(digits.slice(4)), month, day);
}

function parseNumericDay(numbers: readonly string[], today: string): string | null {
  const [first = '', second = '', third] = numbers;
  if (numbers.length > 3 || numbers.length < 2) return null;
  if (first.length > 2) {
    return third === undefined ? null : dayOf(Number(first), Number(second), Number(third));
  }
  return resolveTypedDay(third, Number(second), Number(first), today);
}

function parseNamedDay(numbers: readonly string[], month: number, today: string): string | null {
  const [first = '', second] = numbers;
  if (numbers.length === 0 || numbers.length > 2) return null;
  return first.length > 2
    ? resolveTypedDay(first, month, Number(second), today)
    : resolveTypedDay(second, month, Number(first), today);
}

function resolveTypedDay(
  year: string | undefined,
  month: number,
  day: number,
  today: string,
): string | null {
  if (year !== undefined) {
    return dayOf(year.length > 2 ? Number(year) : CURRENT_CENTURY + Number(year), month, day);
  }
  const now = Date.parse(today);
  const thisYear = Number(today.slice(0, 4));
  const away = (one: string): number => Math.abs(Date.parse(one) - now);
  return (
    [thisYear, thisYear + 1, thisYear - 1]
      .flatMap((candidate) => dayOf(candidate, month, day) ?? [])
      .toSorted((one, other) => away(one) - away(other))[0] ?? null
  );
}

function dayOf(year: number, month: number, day: number): string | null {
  if (year < 1000 || year > 9999) return null;
  const written = `${String(year)}-${padToTwoDigits(month)}-${padToTwoDigits(day)}`;
  const at = new Date(`${written}T00:00:00Z`);
  return Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== written ? null : written;
}

/** Only month that starts with the word; null if no month does, or several do. */
function findMonthNamed(word: string, months: MonthNames): number | null {
  const found = months.flatMap((names, at) =>
    names.some((name) => foldMonthWord(name).startsWith(word)) ? [at + 1] : [],
  );
  return found.length === 1 ? (found[0] ?? null) : null;
}

const foldMonthWord = (word: string): string =>
  word
    .replaceAll(EXCESS_COMBINING_MARKS, '')
    .normalize('NFD')
    .replaceAll(COMBINING_MARKS, '')
    .toLowerCase();
const padToTwoDigits = (number: number): string => String(number).padStart(2, '0');
