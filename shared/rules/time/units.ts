/** Durations in milliseconds. `DAY` is always 24 hours, even on a day with a clock change. */
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
