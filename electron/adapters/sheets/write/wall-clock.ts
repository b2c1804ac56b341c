import { MINUTE } from '../../../../shared/rules/time/units.ts';

const twoDigits = (number: number): string => String(number).padStart(2, '0');

/** Minutes by which clocks are set back in autumn: an hour, on Lord Howe Island half an hour. */
const CLOCK_CHANGE_MINUTES = [-60, -30, 30, 60];

/** Local date and time at an instant: `2026-11-19`, `14:02`. */
export interface WallClock {
  readonly day: string;
  readonly time: string;
  /** Offset from UTC, such as `+02:00`, if this time occurs twice that night; otherwise empty. */
  readonly offset: string;
}

export function wallClock(instant: number): WallClock {
  const date = new Date(instant);
  const day = [date.getFullYear(), twoDigits(date.getMonth() + 1), twoDigits(date.getDate())].join(
    '-',
  );
  const time = `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
  return { day, time, offset: isShownTwice(instant) ? offsetOf(date) : '' };
}

function isShownTwice(instant: number): boolean {
  const wall = (at: number) => at - new Date(at).getTimezoneOffset() * MINUTE;
  return CLOCK_CHANGE_MINUTES.some((minutes) => wall(instant + minutes * MINUTE) === wall(instant));
}

function offsetOf(date: Date): string {
  const minutes = -date.getTimezoneOffset();
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`;
}

/** Returns the local date and time as text, with the offset only if the time would be ambiguous. */
export function wallClockText(instant: number): string {
  const { day, time, offset } = wallClock(instant);
  return offset === '' ? `${day} ${time}` : `${day} ${time} ${offset}`;
}
