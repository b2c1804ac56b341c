import type { AgreementState, TimelineEntry } from '../../../shared/model/agreement.ts';

type Told = Omit<TimelineEntry, 'at'> & { readonly at: number | null };

/** A word this program does not know stays `unknown`, with the word itself beside it. */
export function toState(
  states: ReadonlyMap<string, AgreementState>,
  native: string,
): AgreementState {
  return states.get(native) ?? 'unknown';
}

/** What happened, oldest first; what was not told is left out. */
export function timelineOf(entries: readonly Told[]): TimelineEntry[] {
  return entries
    .flatMap(({ at, what, party }) => (at === null ? [] : [{ at, what, party }]))
    .sort((one, other) => one.at - other.at);
}

/** When the last thing happened; null when nothing is known to have. */
export function newest(timeline: readonly TimelineEntry[]): number | null {
  return timeline.at(-1)?.at ?? null;
}
