import { validateWallTime } from '../time/days.ts';
import { parseV1, parseV2, printV1, printV2 } from '../time/wire-time.ts';
import { DAY } from '../time/units.ts';

/** Last minute of a day, the usual meaning of "until the 5th". */
const LAST_MINUTE = '23:59';

/** Date and time in Sweden: `2026-12-05` and `23:59`. Both are empty if no time is set. */
export interface WallTime {
  readonly date: string;
  readonly time: string;
}

/** Swedish local time of a v1 timestamp; empty if the text is not a timestamp. */
export function wallOf(stamp: string | undefined): WallTime {
  const at = parseV1(stamp ?? '');
  if (at === null) return { date: '', time: '' };
  const wall = printV2(at);
  return { date: wall.slice(0, 10), time: wall.slice(11, 16) };
}

/** V1 timestamp of a Swedish local time; null if the date is empty or invalid. */
export function stampOf({ date, time }: WallTime): string | null {
  const at = parseV2(`${date} ${time === '' ? LAST_MINUTE : time}:00`);
  return at === null || at < 0 ? null : printV1(at);
}

/** V1 timestamp of the end of the day that is `days` days after the day of `now`. */
export function stampAfter(days: number, now: number): string {
  const { date } = wallOf(printV1(now + days * DAY));
  return stampOf({ date, time: LAST_MINUTE }) ?? printV1(now + days * DAY);
}

/** Problem of a time during a clock change; null if there is no problem, or no time is set. */
export function clockChangeProblem({
  date,
  time,
}: WallTime): 'missing-hour' | 'doubled-hour' | null {
  if (date === '') return null;
  const judged = validateWallTime(`${date} ${time === '' ? LAST_MINUTE : time}`);
  if (judged.verdict === 'fine') return null;
  return judged.why === 'missing-hour' || judged.why === 'doubled-hour' ? judged.why : null;
}
