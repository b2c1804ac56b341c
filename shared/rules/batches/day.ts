import type { DateFieldOrder } from '../../contract/batches.ts';
import { calendarDay, instantsOf, isDay, validateWallTime } from '../time/days.ts';
import { parseV1Time, formatV1Time } from '../time/wire-time.ts';

const NUMERIC_DAY_PATTERN = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})$/;
const DAY_AND_TIME_PATTERN = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2})$/;
/** Signing closes at the end of the day. */
const LAST_MINUTE = '23:59';
/** Cache of converted cells: a spreadsheet has few different days, and zone lookups are slow. */
const cachedCellTimes = new Map<string, string | null>();
const MAX_REMEMBERED_DAYS = 10_000;

/** Converts a cell to an ISO day, in the date order of its column; null for any other format. */
export function dayOfCell(text: string, order: DateFieldOrder): string | null {
  const trimmed = text.trim();
  if (isDay(trimmed)) return trimmed;
  if (order === 'iso') return null;
  const [, first = '', second = '', year = ''] = NUMERIC_DAY_PATTERN.exec(trimmed) ?? [];
  const [day, month] = order === 'day-month-year' ? [first, second] : [second, first];
  return year === '' ? null : calendarDay(Number(year), Number(month), Number(day));
}

/**
 * Converts a cell to a time of API v1, in Swedish time. A day alone means its last minute. Null for
 * any other format, and for an hour that a clock change skips.
 */
export function v1TimeOfCell(text: string, order: DateFieldOrder): string | null {
  const key = `${order}:${text}`;
  const known = cachedCellTimes.get(key);
  if (known !== undefined) return known;
  if (cachedCellTimes.size >= MAX_REMEMBERED_DAYS) cachedCellTimes.clear();
  const found = readCellTime(text, order);
  cachedCellTimes.set(key, found);
  return found;
}

function readCellTime(text: string, order: DateFieldOrder): string | null {
  const trimmed = text.trim();
  if (parseV1Time(trimmed) !== null) return trimmed;
  const timed = DAY_AND_TIME_PATTERN.exec(trimmed);
  const day = timed === null ? dayOfCell(trimmed, order) : (timed[1] ?? null);
  if (day === null) return null;
  const wall = `${day} ${timed?.[2] ?? LAST_MINUTE}`;
  if (validateWallTime(wall).verdict === 'wrong') return null;
  const [at] = instantsOf(wall);
  return at === undefined ? null : formatV1Time(at);
}
