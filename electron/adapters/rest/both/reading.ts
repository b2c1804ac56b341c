import { headOf } from '../../../../shared/rules/text/head-of-text.ts';
import type { AgreementState, TimelineEntry } from '../../../../shared/model/agreement.ts';

/** Maximum length of names and titles; API v1 and v2 allow far less. */
const MAX_NAME_LENGTH = 2000;

type ServiceEntry = Omit<TimelineEntry, 'at'> & { readonly at: number | null };

/**
 * Shortens a title, a name or a reason, so that it can be sorted, searched and listed. The
 * service's own object keeps the whole text.
 */
export const shortenName = (text: string): string => headOf(text, MAX_NAME_LENGTH);

/**
 * Converts a native state; an unknown one becomes `unknown`, and its native word is kept
 * separately.
 */
export function toState(
  states: ReadonlyMap<string, AgreementState>,
  native: string,
): AgreementState {
  return states.get(native) ?? 'unknown';
}

/**
 * Returns the timeline, oldest entry first, without entries of unknown time. 'created' is always
 * first, since the service's clocks may differ slightly.
 */
export function timelineOf(entries: readonly ServiceEntry[]): TimelineEntry[] {
  return entries
    .flatMap(({ at, what, party }) => (at === null ? [] : [{ at, what, party }]))
    .sort((one, other) => creationRank(other) - creationRank(one) || one.at - other.at);
}

const creationRank = ({ what }: TimelineEntry): number => Number(what === 'created');

/** Returns the time of the last entry; null if there is no entry. */
export function newestTime(timeline: readonly TimelineEntry[]): number | null {
  return timeline.at(-1)?.at ?? null;
}
