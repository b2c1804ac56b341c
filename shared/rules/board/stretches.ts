import { LAST_INSTANT } from '../../model/ids.ts';

/** The youngest day of each age, in days since it was sent; the last one has no end. */
const AGES = [0, 1, 4, 8, 15, 31, 61] as const;
const MONTHS = 12;
const DAYS_IN_WEEK = 7;
/** Further ahead, days would be too many bars to be read. */
const MAX_DAYS = 14;

/** A stretch of time on the board: from one instant up to another, not included. */
export interface TimeStretch {
  readonly from: number;
  readonly to: number;
}

/** Agreements of an age: days since they were sent, by this computer's calendar. */
export interface AgeStretch extends TimeStretch {
  readonly days: { readonly from: number; readonly to: number | null };
}

/** Midnight so many days from the day of `at`, by this computer's clock. */
function dayFrom(at: number, days: number): number {
  const day = new Date(at);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + days).getTime();
}

/** Ages, the youngest first. What a service with a fast clock sent tomorrow is of today. */
export function ageBuckets(now: number): readonly AgeStretch[] {
  return AGES.map((from, at) => {
    const next = AGES[at + 1];
    return {
      days: { from, to: next === undefined ? null : next - 1 },
      from: next === undefined ? 0 : dayFrom(now, 1 - next),
      to: from === 0 ? LAST_INSTANT : dayFrom(now, 1 - from),
    };
  });
}

/** The last twelve months with this one, the earliest first, each named as `2026-11`. */
export function monthStretches(now: number): readonly (TimeStretch & { readonly name: string })[] {
  const today = new Date(now);
  return Array.from({ length: MONTHS }, (_, at) => {
    const month = today.getMonth() - MONTHS + 1 + at;
    const start = new Date(today.getFullYear(), month, 1);
    const name = `${String(start.getFullYear())}-${String(start.getMonth() + 1).padStart(2, '0')}`;
    const end = new Date(today.getFullYear(), month + 1, 1);
    return { name, from: start.getTime(), to: end.getTime() };
  });
}

/** From now on so many days ahead: days of the calendar, or weeks where there are many. */
export function aheadStretches(now: number, days: number): readonly TimeStretch[] {
  const step = days > MAX_DAYS ? DAYS_IN_WEEK : 1;
  return Array.from({ length: Math.ceil(days / step) }, (_, at) => ({
    from: at === 0 ? now : dayFrom(now, at * step),
    to: dayFrom(now, Math.min(days, (at + 1) * step)),
  }));
}
