import { formatDate } from './format.ts';
import { m } from './language.svelte.ts';

export const localTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A day in the format of date fields, `2026-11-19`; empty for undefined. */
export function toDayField(instant: number | undefined): string {
  if (instant === undefined) return '';
  const date = new Date(instant);
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${String(date.getFullYear())}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Start of the field's day plus `daysOn` days (epoch ms); undefined for an empty field. */
export function parseDayField(text: string, daysOn: 0 | 1): number | undefined {
  const [year, month, day] = text.split('-').map(Number);
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const instant = new Date(year, month - 1, day + daysOn).getTime();
  return Number.isNaN(instant) ? undefined : instant;
}

/** Text of a range with its last day, such as `1–30 Nov 2026`. */
export function rangeText(from: number | undefined, to: number | undefined): string {
  const last = to === undefined ? undefined : to - 1;
  if (from === undefined)
    return last === undefined ? '' : m.filter_until({ date: formatDate(last) });
  if (last === undefined) return m.filter_from({ date: formatDate(from) });
  return m.filter_between({ from: formatDate(from), to: formatDate(last) });
}
