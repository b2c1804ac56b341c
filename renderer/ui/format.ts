import type { Language } from '../../shared/model/languages.ts';
import type { MonthNames } from '../../shared/rules/time/typed-time.ts';
import { currentLanguage, m } from './language.svelte.ts';
import { DAY, HOUR, MINUTE } from '../../shared/rules/time/units.ts';

/** English uses day before month and 24 hours, like the offices that use the service. */
const formatLocales: Readonly<Record<Language, string>> = {
  da: 'da-DK',
  de: 'de-DE',
  en: 'en-GB',
  es: 'es-ES',
  fi: 'fi-FI',
  fr: 'fr-FR',
  it: 'it-IT',
  nb: 'nb-NO',
  nl: 'nl-NL',
  pl: 'pl-PL',
  sv: 'sv-SE',
};

const locale = (): string => formatLocales[currentLanguage()];

/**
 * Date such as `19 Nov 2026`. All instants are epoch milliseconds, shown in the computer's time
 * zone.
 */
export function formatDate(instant: number): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'medium' }).format(instant);
}

/** Date and time such as `19 Nov 2026, 14:02`. */
export function formatDateTime(instant: number): string {
  const style = { dateStyle: 'medium', timeStyle: 'short' } as const;
  return new Intl.DateTimeFormat(locale(), style).format(instant);
}

/** Time such as `14:02`. */
export function formatTime(instant: number): string {
  return new Intl.DateTimeFormat(locale(), { timeStyle: 'short' }).format(instant);
}

/** Short form for narrow columns: `19 Nov`, with the year if it differs from the year of `now`. */
export function formatDay(instant: number, now: number): string {
  if (new Date(instant).getFullYear() !== new Date(now).getFullYear()) return formatDate(instant);
  return new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'short' }).format(instant);
}

/**
 * Calendar day such as `6 Dec 2026` for `2026-12-06`; the month is a word so that the date is
 * unambiguous.
 */
export function formatCalendarDay(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const style = { day: 'numeric', month: 'short', year: 'numeric' } as const;
  return new Intl.DateTimeFormat(locale(), style).format(new Date(year, month - 1, date));
}

/** Every form of a month's name: alone and next to a day, long and short. */
export function monthNames(): MonthNames {
  return Array.from({ length: 12 }, (_, month) => {
    const first = new Date(2026, month, 1);
    return (['long', 'short'] as const).flatMap((style) => {
      const alone = new Intl.DateTimeFormat(locale(), { month: style });
      const beside = new Intl.DateTimeFormat(locale(), { day: 'numeric', month: style });
      const part = beside.formatToParts(first).find(({ type }) => type === 'month');
      return [alone.format(first), part?.value ?? ''];
    });
  });
}

/** Locale for widgets that format values themselves, such as the calendar. */
export const currentLocale = (): string => locale();

/** Month such as `November 2026` for `2026-11`. */
export function formatMonth(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const style = { month: 'long', year: 'numeric' } as const;
  return new Intl.DateTimeFormat(locale(), style).format(new Date(year, number - 1, 1));
}

/** Number of days such as `3.5 days`, or a range such as `1–3 days`. */
export function formatDays(from: number, to: number = from): string {
  const style = { style: 'unit', unit: 'day', unitDisplay: 'long' } as const;
  const words = new Intl.NumberFormat(locale(), { ...style, maximumFractionDigits: 1 });
  return from === to ? words.format(from) : words.formatRange(from, to);
}

/** Duration such as `20 minutes`, `5 hours` or `3.2 days`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds >= 2 * DAY) return formatDays(milliseconds / DAY);
  const [unit, size] = milliseconds < HOUR ? ['minute', MINUTE] : ['hour', HOUR];
  const style = { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 0 } as const;
  return new Intl.NumberFormat(locale(), style).format(milliseconds / size);
}

/** Range of days such as `25 Nov – 1 Dec 2026`, from the day of `from` to the day before `to`. */
export function formatDaySpan(from: number, to: number): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'medium' }).formatRange(from, to - 1);
}

/** Time relative to now, such as `in 12 days`, `3 hours ago` or `now`. */
export function formatRelative(instant: number, now: number): string {
  const words = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' });
  const away = instant - now;
  if (Math.abs(away) < MINUTE / 2) return words.format(0, 'second');
  if (Math.abs(away) < HOUR) return words.format(Math.round(away / MINUTE), 'minute');
  if (Math.abs(away) < DAY) return words.format(Math.round(away / HOUR), 'hour');
  return words.format(Math.round(away / DAY), 'day');
}

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** Size such as `214 kB` or `941 bytes`, in powers of 1000 as in file managers. */
export function formatBytes(bytes: number): string {
  const power =
    bytes < 1000 ? 0 : Math.min(byteUnits.length - 1, Math.floor(Math.log10(bytes) / 3));
  // The short name of a byte has no plural.
  const unitDisplay = power === 0 ? 'long' : 'short';
  const style = { style: 'unit', unit: byteUnits[power] ?? 'byte', unitDisplay } as const;
  return new Intl.NumberFormat(locale(), {
    ...style,
    maximumFractionDigits: power > 1 ? 1 : 0,
  }).format(bytes / 1000 ** power);
}

export function formatCount(count: number): string {
  return new Intl.NumberFormat(locale()).format(count);
}

/** Percentage such as `90%`; some languages write a space before the sign. */
export function formatPercent(ratio: number): string {
  return new Intl.NumberFormat(locale(), { style: 'percent' }).format(ratio);
}

/** List of names such as `Åsa Öberg, Ola Nordmann`; a party's missing name ('') is omitted. */
export function formatNames(names: readonly string[]): string {
  const known = names.filter((name) => name !== '');
  return new Intl.ListFormat(locale(), { style: 'short', type: 'unit' }).format(known);
}

/** The first `count` names, and the number of the others. */
export function formatFirstNames(names: readonly string[], count: number): string {
  const left = names.length - count;
  const shown = formatNames(names.slice(0, count));
  return left > 0 ? `${shown}, ${m.about_more({ count: formatCount(left) })}` : shown;
}

/** The text with a capital first letter, for the start of a line. */
export function capitalized(text: string): string {
  const [first = '', ...rest] = text;
  return first.toLocaleUpperCase(currentLanguage()) + rest.join('');
}
