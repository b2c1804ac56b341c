import { instantsOf, STOCKHOLM, utcOf, wallTime } from './days.ts';
import { HOUR } from './units.ts';

/*
 * Time formats of the two services. Nothing is guessed: a text that is not exactly in the
 * documented format is not an instant, and is shown unchanged.
 */

const V1_TIME_PATTERN = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/;
const V2_TIME_PATTERN = /^(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2})$/;
const WINTER_OFFSET = HOUR;
/** First instant whose year has more than four digits. */
const YEAR_10000 = Date.UTC(10_000, 0, 1);

/**
 * Formats epoch milliseconds as `yyyyMMdd'T'HHmmss'Z'` (API v1, "Conventions"); drops fractions of
 * a second. The format has no colon, so it can be used in a filter that separates by colons.
 * @throws RangeError if the year does not have four digits.
 */
export function formatV1Time(at: number): string {
  if (!(at >= 0 && at < YEAR_10000)) throw new RangeError(`No v1 timestamp for ${String(at)}`);
  return new Date(at).toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
}

/** Epoch milliseconds of a v1 timestamp; null for every other text, including a leap second. */
export function parseV1Time(text: string): number | null {
  const at = utcIn(V1_TIME_PATTERN, text);
  return at !== null && at >= 0 && formatV1Time(at) === text ? at : null;
}

/**
 * Formats epoch milliseconds as Swedish local time `yyyy-MM-dd HH:mm:ss` (API v2, "List
 * Agreements").
 */
export function formatV2Time(at: number): string {
  return wallTime(at, STOCKHOLM);
}

/**
 * Epoch milliseconds of a v2 date-time, read as Swedish local time. v2 names no zone, so use the
 * result only for sorting, and show the text itself. In the repeated hour of October, the first
 * occurrence is used. A time in the skipped hour of March is read as winter time. Null for other
 * texts.
 */
export function parseV2Time(text: string): number | null {
  const asUtc = utcIn(V2_TIME_PATTERN, text);
  if (asUtc === null) return null;
  const [first] = instantsOf(text, STOCKHOLM);
  return first ?? asUtc - WINTER_OFFSET;
}

function utcIn(form: RegExp, text: string): number | null {
  return utcOf(form.exec(text)?.slice(1).map(Number) ?? []);
}
