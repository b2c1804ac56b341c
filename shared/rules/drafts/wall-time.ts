import { validateWallTime } from '../time/days.ts';
import { parseV1Time, parseV2Time, formatV1Time, formatV2Time } from '../time/wire-time.ts';
import { DAY } from '../time/units.ts';

/** Last minute of a day, the usual meaning of "until the 5th". */
const LAST_MINUTE = '23:59';

/** Separates the typed date and time in a value that is not a timestamp. */
const TYPED_SEPARATOR = ', ';

/**
 * Date and time in Sweden: `2026-12-05` and `23:59`. Both are empty if no time is set; either can
 * be a text that the user typed and that is not a date or time.
 */
export interface WallTime {
  readonly date: string;
  readonly time: string;
}

/** Swedish local time of a v1 timestamp, or the typed texts of {@link stampOf}. */
export function wallTimeOf(stamp: string | undefined): WallTime {
  const at = parseV1Time(stamp ?? '');
  if (at === null) return typedTextsOf(stamp ?? '');
  const wall = formatV2Time(at);
  return { date: wall.slice(0, 10), time: wall.slice(11, 16) };
}

/**
 * Value of a typed date and time: a v1 timestamp, or undefined if the date is empty. Texts that are
 * not an existing time are kept as they are, so that the check reports them and nothing else is
 * sent.
 */
export function stampOf(wall: WallTime): string | undefined {
  if (wall.date === '') return undefined;
  const stamp = clockChangeProblem(wall) === 'missing-hour' ? null : timestampOf(wall);
  return stamp ?? [wall.date, wall.time === '' ? LAST_MINUTE : wall.time].join(TYPED_SEPARATOR);
}

/** V1 timestamp of a Swedish local time; null if the date is empty or invalid. */
function timestampOf({ date, time }: WallTime): string | null {
  const at = parseV2Time(`${date} ${time === '' ? LAST_MINUTE : time}:00`);
  return at === null || at < 0 ? null : formatV1Time(at);
}

/** V1 timestamp of the end of the day that is `days` days after the day of `now`. */
export function timestampAfterDays(days: number, now: number): string {
  const { date } = wallTimeOf(formatV1Time(now + days * DAY));
  return timestampOf({ date, time: LAST_MINUTE }) ?? formatV1Time(now + days * DAY);
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

function typedTextsOf(text: string): WallTime {
  const end = text.lastIndexOf(TYPED_SEPARATOR);
  if (end < 0) return { date: text, time: '' };
  return { date: text.slice(0, end), time: text.slice(end + TYPED_SEPARATOR.length) };
}
