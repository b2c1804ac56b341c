import { LAST_INSTANT } from '../../model/ids.ts';

/** First day of each age group, in days since sending; the last group is open-ended. */
const AGE_GROUP_STARTS = [0, 1, 4, 8, 15, 31, 61] as const;
const MONTHS_SHOWN = 12;
const DAYS_IN_WEEK = 7;
/** Maximum number of days with a bar each; a longer period has a bar for each week. */
const MAX_DAYS = 14;

/** A period of the board: from one instant up to, not including, another. */
export interface TimeInterval {
  readonly from: number;
  readonly to: number;
}

/** Range of sending times of an age group: `days` are calendar days since sending, local time. */
export interface AgeBucket extends TimeInterval {
  readonly days: { readonly from: number; readonly to: number | null };
}

/** Midnight (epoch ms, local time) of the day that is `days` days after the day of `at`. */
function midnightAfterDays(at: number, days: number): number {
  const day = new Date(at);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + days).getTime();
}

/**
 * Age groups, youngest first. A sending time tomorrow, from a service with a fast clock, counts as
 * today.
 */
export function ageBuckets(now: number): readonly AgeBucket[] {
  return AGE_GROUP_STARTS.map((from, at) => {
    const next = AGE_GROUP_STARTS[at + 1];
    return {
      days: { from, to: next === undefined ? null : next - 1 },
      from: next === undefined ? 0 : midnightAfterDays(now, 1 - next),
      to: from === 0 ? LAST_INSTANT : midnightAfterDays(now, 1 - from),
    };
  });
}

/** The last twelve months including this one, earliest first, each named as `2026-11`. */
export function monthIntervals(now: number): readonly (TimeInterval & { readonly name: string })[] {
  const today = new Date(now);
  return Array.from({ length: MONTHS_SHOWN }, (_, at) => {
    const month = today.getMonth() - MONTHS_SHOWN + 1 + at;
    const start = new Date(today.getFullYear(), month, 1);
    const name = `${String(start.getFullYear())}-${String(start.getMonth() + 1).padStart(2, '0')}`;
    const end = new Date(today.getFullYear(), month + 1, 1);
    return { name, from: start.getTime(), to: end.getTime() };
  });
}

/** Periods from now to `days` days ahead: calendar days, or weeks if there are many. */
export function upcomingIntervals(now: number, days: number): readonly TimeInterval[] {
  const step = days > MAX_DAYS ? DAYS_IN_WEEK : 1;
  return Array.from({ length: Math.ceil(days / step) }, (_, at) => ({
    from: at === 0 ? now : midnightAfterDays(now, at * step),
    to: midnightAfterDays(now, Math.min(days, (at + 1) * step)),
  }));
}
