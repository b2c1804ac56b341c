import { formatDateTime, formatTime } from '../../ui/format.ts';
import { clock } from '../../window/clock.svelte.ts';

/** Time such as `14:02`, with the day if it is not today. */
export function sinceText(instant: number): string {
  const isToday = new Date(instant).toDateString() === new Date(clock.now).toDateString();
  return isToday ? formatTime(instant) : formatDateTime(instant);
}
