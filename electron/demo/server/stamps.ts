import type { Zone } from './behaviour.ts';

const COMPACT_STAMP_PATTERN = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/;
const WALL_STAMP_PATTERN = /^(\d{4})-(\d{2})-(\d{2})(?: (\d{2}):(\d{2}):(\d{2}))?$/;
export const SECOND = 1000;
export const DAY = 24 * 60 * 60 * SECOND;

const SWEDISH_ZONE: Zone = 'Europe/Stockholm';

const clocksByZone: Readonly<Record<Zone, Intl.DateTimeFormat>> = {
  [SWEDISH_ZONE]: clockOf(SWEDISH_ZONE),
  '+01:00': clockOf('+01:00'),
  UTC: clockOf('UTC'),
};

function clockOf(timeZone: Zone): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });
}

/** Formats epoch milliseconds as `yyyyMMdd'T'HHmmss'Z'` (API v1, "Conventions"). */
export function toCompactStamp(at: number): string {
  return new Date(at).toISOString().replace(/[-:]|\.\d{3}/g, '');
}

/** Returns the epoch milliseconds of a v1 timestamp, or null if it is invalid. */
export function parseCompactStamp(text: string): number | null {
  const parts = COMPACT_STAMP_PATTERN.exec(text)?.slice(1).map(Number);
  if (parts === undefined) return null;
  const at = utcInstant(parts);
  return toCompactStamp(at) === text ? at : null;
}

/** Formats epoch milliseconds as the zone's local time `yyyy-MM-dd HH:mm:ss`, as in v2. */
export function toWallStamp(at: number, zone = SWEDISH_ZONE): string {
  return clocksByZone[zone].format(at);
}

/** Returns the day of an instant in Stockholm, as `yyyy-MM-dd`. */
export function toStockholmDay(at: number): string {
  return toWallStamp(at).slice(0, 10);
}

/**
 * Returns the epoch milliseconds of `yyyy-MM-dd` or `yyyy-MM-dd HH:mm:ss` in the zone, or null if
 * the text has neither format. A day without a time means its first or its last second, depending
 * on `dayEdge` (API v2, "List Agreements").
 */
export function parseWallStamp(
  text: string,
  dayEdge: 'start' | 'end',
  zone = SWEDISH_ZONE,
): number | null {
  const found = WALL_STAMP_PATTERN.exec(text);
  if (found === null) return null;
  const isDay = found[4] === undefined;
  const clock = dayEdge === 'start' ? [0, 0, 0] : [23, 59, 59];
  const parts = isDay
    ? [...found.slice(1, 4).map(Number), ...clock]
    : found.slice(1, 7).map(Number);
  const asUtc = utcInstant(parts);
  const at = asUtc - offsetOf(zone, asUtc - offsetOf(zone, asUtc));
  if (!toWallStamp(at, zone).startsWith(text.slice(0, 10))) return null;
  return isDay || isRealClock(parts) ? at : null;
}

function isRealClock(parts: readonly number[]): boolean {
  const [hour = 99, minute = 99, second = 99] = parts.slice(3);
  return hour < 24 && minute < 60 && second < 60;
}

function offsetOf(zone: Zone, at: number): number {
  const digits = toWallStamp(at, zone).match(/\d+/g) ?? [];
  return utcInstant(digits.map(Number)) - Math.floor(at / SECOND) * SECOND;
}

function utcInstant(parts: readonly number[]): number {
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}
