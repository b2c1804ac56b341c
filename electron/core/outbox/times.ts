import { DAY, HOUR, MINUTE, SECOND } from '../../../shared/rules/time/units.ts';

/**
 * After the end of an attempt, by the service's clock: what was accepted is by then carried out and
 * shown in the list. The longest delay either is assumed to have is twelve minutes, with `GAP`.
 */
export const SETTLE = 10 * MINUTE;
/** Between the two scans that must both show nothing. */
export const GAP = 2 * MINUTE;
/** Scans before that: most lost answers are found at once. */
const EARLY_SCANS = [5 * SECOND, 30 * SECOND, 2 * MINUTE] as const;
/** After a scan that proved nothing. Five of them take more than `INCONCLUSIVE_TIME`. */
export const SCAN_AGAIN = 8 * MINUTE;
/** So many scans over so long prove nothing: a person is asked. */
export const INCONCLUSIVE_SCANS = 5;
export const INCONCLUSIVE_TIME = 30 * MINUTE;
/** How often the same request goes out by itself, at most. */
export const MAX_ON_WIRE = 3;
/** A send that is older is not sent again by itself; one that waited longer asks. */
export const OLD = DAY;
/** Two clocks lie no further apart, and an agreement is not dated before its request. */
export const CLOCK_SLACK = 10 * MINUTE;
/**
 * API v2 does not say in which zone its times are, and they are read as Stockholm's: by no zone's
 * clock do they then lie further in the past.
 */
export const ZONES = 14 * HOUR;
/** After an attempt begins: it is answered and carried out by then, and its files are still kept. */
export const CARRIED_OUT = HOUR;
/** A sent agreement that every scan must show is at most this old. */
export const CANARY_AGE = 90 * DAY;
/** How long a second agreement is looked for, of one that was sent and of one given up. */
export const WATCH_SENT = 7 * DAY;
export const WATCH_ABANDONED = 30 * DAY;
/** An agreement shows in the list, dated by the service in whichever zone, at most so much later. */
export const WATCH_OVERLAP = ZONES + 6 * HOUR;
/** What a person may still want to look back on. */
export const LISTED = 30 * DAY;
/** A person is asked before the same is sent again within this time. */
export const SAME_WITHIN = 90 * DAY;

/** Requests on the wire at once through one connection. */
export const CONCURRENCY = 3;
/** So many unknown outcomes among the last attempts, and nothing more goes out. */
export const BREAKER_UNKNOWN = 5;
export const BREAKER_OF = 20;
/** More rows of unknown outcome, however old: with those on the wire at most eight are in doubt. */
export const MAX_UNKNOWN = 5;
/** Times that go into requests would be wrong by more than a person expects. */
export const CLOCK_WRONG = 5 * MINUTE;
/**
 * A chosen time that passed so long ago: nobody expects the send any more, and a person is asked. Longer than the
 * quarter of an hour between two runs of a scheduler, so that each time is met by one of them.
 */
export const MISSED = 20 * MINUTE;
/** Asleep, or restored, for longer: what waits asks before it goes out. */
export const LONG_SLEEP = 12 * HOUR;

/** When the next early scan is made after `looks` of them. */
export function nextScanAt(now: number, looks: number): number {
  return now + (EARLY_SCANS[Math.min(looks, EARLY_SCANS.length - 1)] ?? 0);
}
