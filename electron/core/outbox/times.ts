import { DAY, HOUR, MINUTE, SECOND } from '../../../shared/rules/time/units.ts';

/**
 * Wait after the end of an attempt, by the service's clock: an accepted request is assumed to be
 * carried out and listed by then. With `GAP`, the longest assumed delay is twelve minutes.
 */
export const SETTLE = 10 * MINUTE;
/** Minimum time between the two scans that must both show nothing. */
export const GAP = 2 * MINUTE;
/** Delays of the scans before that: most lost answers are found quickly. */
const EARLY_SCANS = [5 * SECOND, 30 * SECOND, 2 * MINUTE] as const;
/** Delay after an inconclusive scan. Five of them take more than `INCONCLUSIVE_TIME`. */
export const SCAN_AGAIN = 8 * MINUTE;
/** After this many inconclusive scans over this long, the user is asked. */
export const INCONCLUSIVE_SCANS = 5;
export const INCONCLUSIVE_TIME = 30 * MINUTE;
/** Maximum number of automatic sends of the same request. */
export const MAX_ON_WIRE = 3;
/** An older send is not repeated automatically; a row that waited longer requires a decision. */
export const OLD = DAY;
/** Maximum assumed difference between two clocks; no agreement is dated before its request. */
export const CLOCK_SLACK = 10 * MINUTE;
/**
 * API v2 does not name the time zone of its times, and they are read as Stockholm time. In any
 * zone, they are at most this far in the past.
 */
export const ZONES = 14 * HOUR;
/**
 * Time after the start of an attempt by which it is answered and carried out, and its files still
 * exist.
 */
export const CARRIED_OUT = HOUR;
/** Maximum age of a control agreement, which every scan must show. */
export const CANARY_AGE = 90 * DAY;
/** How long to watch for a second agreement, after a send and after an abandoned one. */
export const WATCH_SENT = 7 * DAY;
export const WATCH_ABANDONED = 30 * DAY;
/** Maximum delay until an agreement is listed, dated by the service in any time zone. */
export const WATCH_OVERLAP = ZONES + 6 * HOUR;
/** How long finished rows are listed for the user. */
export const LISTED = 30 * DAY;
/** The user is asked before the same is sent again within this time. */
export const SAME_WITHIN = 90 * DAY;

/** Maximum number of requests in flight per connection. */
export const CONCURRENCY = 3;
/** With this many unknown outcomes among the last `BREAKER_OF` attempts, nothing more is sent. */
export const BREAKER_UNKNOWN = 5;
export const BREAKER_OF = 20;
/**
 * Maximum number of rows with an unknown outcome, however old. With those in flight, at most eight
 * are in doubt.
 */
export const MAX_UNKNOWN = 5;
/** A larger difference would make times in requests wrong by more than users expect. */
export const CLOCK_WRONG = 5 * MINUTE;
/**
 * Age of a scheduled time after which the user is asked, because the send is no longer expected.
 * Longer than the quarter of an hour between two runs of a scheduler, so that one of them meets
 * each time.
 */
export const MISSED = 20 * MINUTE;
/** After a longer sleep, waiting rows require a decision before they are sent. */
export const LONG_SLEEP = 12 * HOUR;

/** Time of the next early scan after `looks` of them. */
export function nextScanAt(now: number, looks: number): number {
  return now + (EARLY_SCANS[Math.min(looks, EARLY_SCANS.length - 1)] ?? 0);
}
