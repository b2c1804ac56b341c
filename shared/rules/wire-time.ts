/*
 * The two services write instants in their own ways. Nothing is ever guessed: a text that is not
 * exactly of the documented form is no instant, and is shown as it came.
 */

const COMPACT = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/;
const WALL = /^(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2})$/;
const SECOND = 1000;
const HOUR = 3600 * SECOND;
/** Offsets of Stockholm from UTC, summer first. */
const STOCKHOLM_OFFSETS = [2 * HOUR, HOUR];
const WINTER_OFFSET = HOUR;
/** The first instant that no longer has a year of four digits. */
const YEAR_10000 = Date.UTC(10_000, 0, 1);

const stockholm = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Stockholm',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

/**
 * Epoch milliseconds as `yyyyMMdd'T'HHmmss'Z'` (API v1, "Conventions"); fractions of a second are
 * cut. The form has no colon, so it can stand in a filter that separates by colons.
 * @throws RangeError when the year has not four digits.
 */
export function printV1(at: number): string {
  if (!(at >= 0 && at < YEAR_10000)) throw new RangeError(`No v1 timestamp for ${String(at)}`);
  return new Date(at).toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
}

/** Epoch milliseconds of a v1 timestamp; null for every other text, a leap second included. */
export function parseV1(text: string): number | null {
  const at = utcOf(COMPACT.exec(text));
  return at !== null && at >= 0 && printV1(at) === text ? at : null;
}

/** Epoch milliseconds as Swedish wall time `yyyy-MM-dd HH:mm:ss` (API v2, "List Agreements"). */
export function printV2(at: number): string {
  const parts = new Map(stockholm.formatToParts(at).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes, length = 2) =>
    (parts.get(type) ?? '').padStart(length, '0');
  const day = `${part('year', 4)}-${part('month')}-${part('day')}`;
  return `${day} ${part('hour')}:${part('minute')}:${part('second')}`;
}

/**
 * Epoch milliseconds of a v2 date-time, taken as Swedish wall time: v2 names no zone, so this is
 * good for sorting, and the text itself is what is shown. Of the doubled hour in October the first
 * is meant; an hour that March leaves out is counted on in winter time. Null for other texts.
 */
export function parseV2(text: string): number | null {
  const asUtc = utcOf(WALL.exec(text));
  if (asUtc === null) return null;
  const offset = STOCKHOLM_OFFSETS.find((candidate) => printV2(asUtc - candidate) === text);
  return asUtc - (offset ?? WINTER_OFFSET);
}

/** The instant these six numbers would be in UTC; null when one of them is out of its range. */
function utcOf(found: RegExpExecArray | null): number | null {
  if (found === null) return null;
  const numbers = found.slice(1).map(Number);
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = numbers;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  const isReal =
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day &&
    hour < 24 &&
    minute < 60 &&
    second < 60;
  return isReal ? date.getTime() : null;
}
