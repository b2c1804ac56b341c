import { DAY, HOUR, MINUTE, SECOND } from '../../../shared/rules/time/units.ts';

/**
 * Wait after the end of an attempt, by the service's clock. An accepted request is assumed to be
 * carried out and listed after this time. With `GAP`, the maximum assumed delay is twelve minutes.
 */
export const SETTLE = 10 * MINUTE;
/** Minimum time between the two scans that must both show nothing. */
export const GAP = 2 * MINUTE;
/** Delays of the scans before `SETTLE` is over: most lost answers are found quickly. */
const EARLY_SCANS = [5 * SECOND, 30 * SECOND, 2 * MINUTE] as const;
/** Delay after an inconclusive scan. Five of them take more than `INCONCLUSIVE_TIME`. */
export const SCAN_AGAIN = 8 * MINUTE;
/** Number of inconclusive scans, over `INCONCLUSIVE_TIME` or more, after which the user decides. */
export const INCONCLUSIVE_SCANS = 5;
export const INCONCLUSIVE_TIME = 30 * MINUTE;
/** Maximum number of automatic sends of the same request. */
export const MAX_ON_WIRE = 3;
/**
 * Maximum age of a send that is repeated automatically. A row that waited longer requires a
 * decision.
 */
export const OLD = DAY;
/** Maximum assumed difference between two clocks; no agreement is dated before its request. */
export const CLOCK_SLACK = 10 * MINUTE;
/**
 * Maximum error of times of API v2, which are read as Stockholm time because the API does not state
 * their time zone. In any zone, they are at most this far in the past.
 */
export const ZONES = 14 * HOUR;
/**
 * Time after the start of an attempt within which the request is answered and carried out, and its
 * uploaded files still exist.
 */
export const CARRIED_OUT = HOUR;
/** Maximum age of a control agreement, which every scan must show. */
export const CANARY_AGE = 90 * DAY;
/** Time during which sent rows (or abandoned rows) are watched for a second agreement. */
export const WATCH_SENT = 7 * DAY;
export const WATCH_ABANDONED = 30 * DAY;
/** Maximum delay until an agreement is listed, dated by the service in any time zone. */
export const WATCH_OVERLAP = ZONES + 6 * HOUR;
/** Time during which finished rows are listed for the user. */
export const LISTED = 30 * DAY;
/** Time within which sending the same content again requires the user's confirmation. */
export const SAME_WITHIN = 90 * DAY;

/** Maximum number of requests in flight per connection. */
export const CONCURRENCY = 3;
/** Number of unknown outcomes among the last `BREAKER_OF` attempts at which sending stops. */
export const BREAKER_UNKNOWN = 5;
export const BREAKER_OF = 20;
/**
 * Maximum number of rows with an unknown outcome, regardless of their age. Together with the rows
 * in flight, at most eight outcomes are unknown.
 */
export const MAX_UNKNOWN = 5;
/**
 * Maximum difference between the clocks. A larger difference would make times in requests wrong by
 * more than users expect.
 */
export const CLOCK_WRONG = 5 * MINUTE;
/**
 * Age of a scheduled time after which the user decides, because the send is no longer expected. It
 * is longer than the quarter of an hour between two runs of a scheduler, so that each scheduled
 * time is met by a run.
 */
export const MISSED = 20 * MINUTE;
/** Maximum sleep of the computer after which waiting rows are sent without a decision. */
export const LONG_SLEEP = 12 * HOUR;

/** Returns the time of the next early scan after `looks` early scans. */
export function nextScanAt(now: number, looks: number): number {
  return now + (EARLY_SCANS[Math.min(looks, EARLY_SCANS.length - 1)] ?? 0);
}
