import { headOf } from '../../../../shared/rules/text/head-of-text.ts';
import type { AgreementState, TimelineEntry } from '../../../../shared/model/agreement.ts';

/** A text of the service that lists and names are made of; API v1 and v2 take far less. */
const MAX_NAME_LENGTH = 2000;

type ServiceEntry = Omit<TimelineEntry, 'at'> & { readonly at: number | null };

/**
 * A title, a name or a reason, short enough to be sorted, searched and shown in a list. All of it
 * stays in the service's own object.
 */
export const asName = (text: string): string => headOf(text, MAX_NAME_LENGTH);

/** A word this program does not know stays `unknown`, with the word itself beside it. */
export function toState(
  states: ReadonlyMap<string, AgreementState>,
  native: string,
): AgreementState {
  return states.get(native) ?? 'unknown';
}

/**
 * What happened, oldest first; what has no time is left out. A service's two clocks may differ by a
 * little: nothing is before the beginning.
 */
export function timelineOf(entries: readonly ServiceEntry[]): TimelineEntry[] {
  return entries
    .flatMap(({ at, what, party }) => (at === null ? [] : [{ at, what, party }]))
    .sort((one, other) => isFirst(other) - isFirst(one) || one.at - other.at);
}

const isFirst = ({ what }: TimelineEntry): number => Number(what === 'created');

/** When the last thing happened; null when nothing is known to have. */
export function newest(timeline: readonly TimelineEntry[]): number | null {
  return timeline.at(-1)?.at ?? null;
}
