import { toDayField } from '../../ui/day-words.ts';
import { formatDate } from '../../ui/format.ts';
import type { PastNotice } from '../../window/activity.svelte.ts';

interface PastDay {
  /** Day such as `2026-11-19`, in the computer's time zone. */
  readonly day: string;
  /** Date as a heading; null for today. */
  readonly heading: string | null;
  readonly messages: readonly PastNotice[];
}

/** Messages by day, the newest first. The window may stay open for days. */
export function groupByDay(past: readonly PastNotice[], now: number): readonly PastDay[] {
  const today = toDayField(now);
  return [...Map.groupBy(past, ({ at }) => toDayField(at))].map(([day, messages]) => ({
    day,
    heading: day === today ? null : formatDate(messages[0]?.at ?? now),
    messages,
  }));
}
