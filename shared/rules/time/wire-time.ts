import { instantsOf, STOCKHOLM, utcOf, wallTime } from './days.ts';
import { HOUR } from './units.ts';

/*
 * Time formats of the two services. Nothing is guessed: a text that is not exactly in the
 * documented format is not an instant, and is shown unchanged.
 */

const COMPACT = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/;
const WALL = /^(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2})$/;
const WINTER_OFFSET = HOUR;
/** First instant whose year has more than four digits. */
const YEAR_10000 = Date.UTC(10_000, 0, 1);

/**
 * Formats epoch milliseconds as `yyyyMMdd'T'HHmmss'Z'` (API v1, "Conventions"); drops fractions of
 * a second. The format has no colon, so it can be used in a filter that separates by colons.
 * @throws RangeError if the year does not have four digits.
 */
export function printV1(at: number): string {
  if (!(at >= 0 && at < YEAR_10000)) throw new RangeError(`No v1 timestamp for ${String(at)}`);
  return new Date(at).toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
}

/** Epoch milliseconds of a v1 timestamp; null for every other text, including a leap second. */
export function parseV1(text: string): number | null {
  const at = utcIn(COMPACT, text);
  return at !== null && at >= 0 && printV1(at) === text ? at : null;
}

/**
 * Formats epoch milliseconds as Swedish local time `yyyy-MM-dd HH:mm:ss` (API v2, "List
 * Agreements").
 */
export function printV2(at: number): string {
  return wallTime(at, STOCKHOLM);
}

/**
 * Epoch milliseconds of a v2 date-time, read as Swedish local time. v2 names no zone, so use the
 * result only for sorting, and show the text itself. In the repeated hour of October, the first
 * occurrence is used. A time in the skipped hour of March is read as winter time. Null for other
 * texts.
 */
export function parseV2(text: string): number | null {
  const asUtc = utcIn(WALL, text);
  if (asUtc === null) return null;
  const [first] = instantsOf(text, STOCKHOLM);
  return first ?? asUtc - WINTER_OFFSET;
}

function utcIn(form: RegExp, text: string): number | null {
  return utcOf(form.exec(text)?.slice(1).map(Number) ?? []);
}
