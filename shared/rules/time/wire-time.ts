import { instantsOf, STOCKHOLM, utcOf, wallTime } from './days.ts';
import { HOUR } from './units.ts';

/*
 * The two services write instants in their own ways. Nothing is ever guessed: a text that is not
 * exactly of the documented form is no instant, and is shown as it came.
 */

const COMPACT = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/;
const WALL = /^(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2})$/;
const WINTER_OFFSET = HOUR;
/** The first instant that no longer has a year of four digits. */
const YEAR_10000 = Date.UTC(10_000, 0, 1);

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
  const at = utcIn(COMPACT, text);
  return at !== null && at >= 0 && printV1(at) === text ? at : null;
}

/** Epoch milliseconds as Swedish wall time `yyyy-MM-dd HH:mm:ss` (API v2, "List Agreements"). */
export function printV2(at: number): string {
  return wallTime(at, STOCKHOLM);
}

/**
 * Epoch milliseconds of a v2 date-time, taken as Swedish wall time: v2 names no zone, so this is
 * good for sorting, and the text itself is what is shown. Of the doubled hour in October the first
 * is meant; an hour that March leaves out is counted on in winter time. Null for other texts.
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
