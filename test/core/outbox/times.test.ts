import { expect, it } from 'vitest';
import * as times from '../../../electron/core/outbox/times.ts';
import { DAY, HOUR, MINUTE } from '../../../shared/rules/time/units.ts';

it('the outbox waits and watches as long as the documented times', () => {
  const { nextScanAt, ...lasting } = times;
  expect(lasting).toEqual({
    SETTLE: 10 * MINUTE,
    GAP: 2 * MINUTE,
    SCAN_AGAIN: 8 * MINUTE,
    INCONCLUSIVE_SCANS: 5,
    INCONCLUSIVE_TIME: 30 * MINUTE,
    MAX_ON_WIRE: 3,
    OLD: DAY,
    CLOCK_SLACK: 10 * MINUTE,
    CARRIED_OUT: HOUR,
    CANARY_AGE: 90 * DAY,
    WATCH_SENT: 7 * DAY,
    WATCH_ABANDONED: 30 * DAY,
    WATCH_OVERLAP: 20 * HOUR,
    ZONES: 14 * HOUR,
    LISTED: 30 * DAY,
    SAME_WITHIN: 90 * DAY,
    CONCURRENCY: 3,
    BREAKER_UNKNOWN: 5,
    BREAKER_OF: 20,
    MAX_UNKNOWN: 5,
    CLOCK_WRONG: 5 * MINUTE,
    MISSED: 20 * MINUTE,
    LONG_SLEEP: 12 * HOUR,
  });
  const scans = [0, 1, 2, 3, 9].map((looks) => nextScanAt(1_000, looks) - 1_000);
  expect(scans).toEqual([5_000, 30_000, 120_000, 120_000, 120_000]);
});
