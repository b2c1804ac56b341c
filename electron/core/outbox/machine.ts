import { AgreementId } from '../../../shared/model/ids.ts';
import type {
  Mark,
  OutboxItem,
  OutboxState,
  IncompleteReason,
} from '../../../shared/contract/outbox.ts';
import type { OutboxMove, RowTrack } from './ports.ts';
import {
  CLOCK_SLACK,
  GAP,
  nextScanAt,
  MAX_ON_WIRE,
  OLD,
  SETTLE,
  SCAN_AGAIN,
  INCONCLUSIVE_SCANS,
  INCONCLUSIVE_TIME,
} from './times.ts';

/** More early scans than come before `SETTLE` and `GAP` are over. */
const MAX_EARLY = 10;

/** All of a row that a transition depends on. */
export interface Row extends Pick<
  OutboxItem,
  'state' | 'policy' | 'attempts' | 'verify' | 'remoteId' | 'createdAt'
> {
  readonly mark: Pick<Mark, 'by'>;
  readonly track: RowTrack;
  /** It was in doubt before, with or without an attempt here: another copy of the data may have sent it. */
  readonly wasInDoubt: boolean;
}

/** What one reading of the service's list says about one row. */
export interface ScanFindings {
  /** Agreements that carry its mark. */
  readonly hits: readonly AgreementId[];
  /** How many could be it without being certain to be, and belong to no other row. */
  readonly lookalikes: number;
  readonly incompleteReason: IncompleteReason | null;
  /** By the service's clock; null where it is not known. */
  readonly serverAt: number | null;
}

export type OutboxEvent =
  /** T3: not one byte left. `nextAt` null waits for a person. */
  | { readonly kind: 'not-sent'; readonly nextAt: number | null }
  /** T4 */
  | { readonly kind: 'done'; readonly remoteId: AgreementId | null }
  /** T5; `endedAt` by the service's clock. Null: a file that goes up first was refused. */
  | { readonly kind: 'refused'; readonly endedAt: number | null }
  /** T6, T7: refused before it was looked at; `endedAt` by the service's clock. */
  | {
      readonly kind: 'turned-away';
      readonly nextAt: number | null;
      readonly endedAt: number;
    }
  /** T8; `endedAt` by the service's clock, null when no answer showed that clock. */
  | { readonly kind: 'lost'; readonly endedAt: number | null }
  /** T9; `isRestored`: this copy of the data may be older than what was sent from it. */
  | { readonly kind: 'restart'; readonly isRestored: boolean }
  /** T10 to T13, T16, T20 */
  | { readonly kind: 'pass'; readonly seen: ScanFindings }
  /** T14, T15: what becomes of a row that is proven absent. */
  | {
      readonly kind: 'absent';
      readonly mayResend: boolean;
      /** Nothing was made, and not only: nothing is there. What was taken back is in no list. */
      readonly isNeverMade: boolean;
    }
  /** T17 */
  | { readonly kind: 'resend' }
  | { readonly kind: 'confirm'; readonly remoteId: AgreementId }
  | { readonly kind: 'abandon' }
  /** T18 */
  | { readonly kind: 'cancel' }
  /** T19 */
  | { readonly kind: 'keep'; readonly remoteId: AgreementId };

/** What a transition changes beside who caused it and why. */
export type Step = Pick<
  OutboxMove,
  'to' | 'remoteId' | 'nextAt' | 'verify' | 'track' | 'isUncounted'
>;

const UNTRACKED: RowTrack = {
  endedAt: null,
  cleanPasses: 0,
  cleanAt: null,
  inconclusiveScans: 0,
  inconclusiveSince: null,
  looks: 0,
  lookAt: null,
};

/** A mark that only this send carries: classes C1 and C2. A signature is never sent again alone. */
const isStrong = ({ mark }: Row) => mark.by !== 'nothing' && mark.by !== 'object';

/**
 * The whole of what can become of a row. Null: the event changes nothing in this state. It knows
 * no clock; `now` is the time here in epoch milliseconds.
 */
export function transition(row: Row, event: OutboxEvent, now: number): Step | null {
  switch (event.kind) {
    case 'not-sent':
      return onWire(row, { to: 'queued', nextAt: event.nextAt, isUncounted: true });
    case 'done':
      return onWire(row, sent(event.remoteId));
    case 'refused':
      // A file that goes up first was refused: nothing of the request itself has left.
      if (row.state === 'queued') return { to: 'rejected', nextAt: null };
      return onWire(row, verified('rejected', null, event.endedAt, now));
    case 'turned-away':
      return onWire(row, verified('queued', event.nextAt, event.endedAt, now));
    case 'lost':
      return onWire(row, doubted(event.endedAt, now));
    case 'restart':
      return restarted(row, event.isRestored, now);
    case 'pass':
      return afterScan(row, event.seen, now);
    case 'absent':
      if (row.state !== 'absent') return null;
      return event.mayResend && event.isNeverMade && mayResend(row, now)
        ? again(now)
        : { to: 'human' };
    case 'resend':
      return isAny(row, ['absent', 'human']) || isTurnedAway(row) ? again(now) : null;
    case 'confirm':
      return isAny(row, ['unknown', 'absent', 'human']) || isTurnedAway(row)
        ? sent(event.remoteId)
        : null;
    case 'abandon':
      return isAny(row, ['unknown', 'absent', 'human', 'rejected']) || isTurnedAway(row)
        ? givenUp(row)
        : null;
    case 'cancel':
      return cancelled(row);
    case 'keep':
      return isAny(row, ['duplicate']) ? sent(event.remoteId) : null;
  }
}

function onWire(row: Row, step: Step): Step | null {
  return row.state === 'sending' ? step : null;
}

const sent = (remoteId: AgreementId | null): Step => ({
  to: 'sent',
  nextAt: null,
  verify: false,
  track: UNTRACKED,
  ...(remoteId === null ? {} : { remoteId }),
});

/** The answer says that nothing was done, which one clean scan has to confirm. */
const verified = (
  to: OutboxState,
  nextAt: number | null,
  endedAt: number | null,
  now: number,
): Step => ({
  to,
  nextAt,
  verify: true,
  track: { ...UNTRACKED, endedAt, lookAt: now },
});

/** Scans go on, since it may have been done all the same: a person may decide sooner. */
const isTurnedAway = (row: Row) => row.state === 'queued' && row.verify;

const doubted = (endedAt: number | null, now: number): Step => ({
  to: 'unknown',
  nextAt: null,
  verify: false,
  track: { ...UNTRACKED, endedAt, lookAt: nextScanAt(now, 0) },
});

const again = (now: number): Step => ({
  to: 'queued',
  nextAt: now,
  verify: false,
  track: UNTRACKED,
});

/** Not a byte of it can have left, here or from another copy of the data. */
const isNeverSent = (row: Row) =>
  isAny(row, ['queued', 'rejected']) && row.attempts === 0 && !row.wasInDoubt;

/** A list that lags behind may yet show what was refused, though its correction may go out meanwhile. */
const isLookedFor = (row: Row) =>
  row.verify ||
  (isAny(row, ['rejected', 'abandoned']) &&
    row.track.endedAt !== null &&
    row.track.lookAt !== null);

/** Nothing was found of what was refused, and no scan could show that nothing is there. */
export const isUnproved = ({ verify, track }: Pick<Row, 'verify' | 'track'>): boolean =>
  !verify && track.inconclusiveScans > 0 && track.cleanPasses === 0;

/** What was given up is watched on: it may have been made. */
const givenUp = (row: Row): Step => {
  const end = { to: isNeverSent(row) ? 'cancelled' : 'abandoned', nextAt: null } as const;
  // A person who gave up a send in doubt has compared it with what the service has: its correction may go out.
  if (isAny(row, ['unknown', 'absent', 'human'])) {
    return { ...end, verify: false, track: { lookAt: null, inconclusiveScans: 0 } };
  }
  return {
    ...end,
    verify: row.verify,
    track: { lookAt: isLookedFor(row) ? row.track.lookAt : null },
  };
};

const cancelled = (row: Row): Step | null =>
  isAny(row, ['queued', 'absent', 'rejected']) ? givenUp(row) : null;

function restarted(row: Row, isRestored: boolean, now: number): Step | null {
  if (row.state === 'sending') return doubted(null, now);
  const isUndecided = isAny(row, ['queued', 'unknown', 'absent', 'human']);
  return isRestored && isUndecided ? doubted(null, now) : null;
}

function mayResend(row: Row, now: number): boolean {
  const age = now - row.createdAt;
  // Made later than now: the clock was put back, and does not tell how old it is.
  const isYoung = age <= OLD && age >= -CLOCK_SLACK;
  // In doubt without an attempt here: it was restored, and its attempts are in another copy.
  if (row.attempts === 0) return false;
  return row.policy === 'auto' && isStrong(row) && row.attempts < MAX_ON_WIRE && isYoung;
}

/** States in which something may still be found. */
const SEARCHED: readonly OutboxState[] = [
  'unknown',
  'absent',
  'human',
  'abandoned',
  'rejected',
  'queued',
];

function afterScan(row: Row, seen: ScanFindings, now: number): Step | null {
  const others = seen.hits.filter((id) => id !== row.remoteId);
  if (isAny(row, ['sent'])) return others.length > 0 ? { to: 'duplicate', nextAt: null } : null;
  if (!isAny(row, SEARCHED)) return null;
  if (row.state === 'queued' && isNeverSent(row) && !row.verify) return null;
  const [found, ...more] = seen.hits;
  if (more.length > 0) return { to: 'duplicate', nextAt: null, verify: false, track: UNTRACKED };
  if (found !== undefined) return sent(found);
  if (row.state === 'unknown') return unfound(row, seen, now);
  if (!isLookedFor(row)) return null;
  return confirmed(row, seen, now);
}

/**
 * Nothing of a refused row was found: one complete scan is enough, unless it came too early. What
 * could be it without saying so is for a person: a service that refuses may have carried the request out all the same.
 */
function confirmed(
  row: Row,
  { incompleteReason, lookalikes, serverAt }: ScanFindings,
  now: number,
): Step | null {
  const to = row.state;
  const free = { to, verify: false, track: UNTRACKED };
  if (lookalikes > 0) return { ...asked(), verify: false };
  const early = incompleteReason === null ? tooEarly(row, serverAt, now) : null;
  if (incompleteReason === null && early === null) return free;
  const unproved = early ?? inconclusive(row, now);
  if (!hasExhaustedScans(unproved, now) && incompleteReason !== 'other-user') {
    if (early === null || to !== 'rejected') return { to, track: unproved };
    return { to, verify: false, track: { ...unproved, cleanPasses: 1 } };
  }
  if (to === 'queued') return { to: 'human', track: { lookAt: null } };
  // One scan proved it, and none since has found it.
  if (row.track.cleanPasses > 0) return free;
  // Nothing proved it: a person decides about its correction, which the counted scans tell.
  const isAway = incompleteReason === 'not-reached' && now - (unproved.inconclusiveSince ?? now) < OLD;
  const { lookAt } = isAway && row.track.endedAt !== null ? unproved : { lookAt: null };
  return { to, verify: false, track: { ...unproved, lookAt } };
}

/**
 * What was turned away goes out again by itself, or anew once it is taken back: a list that lags
 * behind must not prove its absence. What was refused is looked for as long, while its correction
 * may go out after the first scan. A signature is read from its agreement, not from a list.
 */
function tooEarly(row: Row, serverAt: number | null, now: number): Look | null {
  const { endedAt } = row.track;
  if (endedAt === null || row.mark.by === 'object') return null;
  if (serverAt === null) return nextScan(row, now);
  if (isLaterThanAny(endedAt, serverAt)) {
    return { ...nextScan(row, now, now + SETTLE), endedAt: serverAt };
  }
  const counts = endedAt + SETTLE;
  return serverAt >= counts ? null : nextScan(row, now, now + (counts - serverAt));
}

/** Whether a time that was noted was no clock's: by the service's clock it is still further off than a day. */
const isLaterThanAny = (noted: number, serverAt: number): boolean => noted > serverAt + OLD;

function unfound(row: Row, seen: ScanFindings, now: number): Step {
  const { incompleteReason, serverAt } = seen;
  if (seen.lookalikes > 0) return asked();
  if (incompleteReason === 'other-user') return asked();
  if (serverAt === null) return unknownYet(nextScan(row, now), now);
  const { endedAt, cleanAt } = row.track;
  // No answer showed the service's clock when the attempt ended: it counts from when one does.
  if (endedAt === null) return unknownYet({ ...nextScan(row, now), endedAt: serverAt }, now);
  if (isLaterThanAny(Math.max(endedAt, cleanAt ?? endedAt), serverAt)) {
    const track = { endedAt: serverAt, cleanPasses: 0, cleanAt: null };
    return unknownYet({ ...nextScan(row, now, now + SETTLE), ...track }, now);
  }
  const from = cleanAt === null ? endedAt + SETTLE : cleanAt + GAP;
  if (serverAt < from) return unknownYet(nextScan(row, now, now + (from - serverAt)), now);
  if (incompleteReason !== null) return unknownYet(inconclusive(row, now), now);
  if (row.track.cleanPasses === 0) {
    const first = { cleanPasses: 1, cleanAt: serverAt, inconclusiveScans: 0, inconclusiveSince: null };
    return still({ ...first, looks: row.track.looks + 1, lookAt: now + GAP });
  }
  return { to: 'absent', track: { cleanPasses: 2, cleanAt: serverAt, lookAt: null } };
}

const asked = (): Step => ({ to: 'human', track: { lookAt: null } });
const still = (track: Partial<RowTrack>): Step => ({ to: 'unknown', track });

/** It is looked for again, or a person is asked. */
const unknownYet = (track: Look, now: number): Step =>
  hasExhaustedScans(track, now) ? { ...asked(), track: { ...track, lookAt: null } } : still(track);

/** What a scan that proved nothing leaves, and when the next one is due. */
type Look = Partial<RowTrack> & Pick<RowTrack, 'lookAt'>;

/**
 * Early scans may find it, and never count as a clean scan. By the clock of a service that stands still, or shows
 * another time with each answer, all of them come too early: after as many as a wait has, they are inconclusive.
 */
function nextScan(row: Row, now: number, counts = Number.POSITIVE_INFINITY): Look {
  const looks = row.track.looks + 1;
  if (looks > MAX_EARLY) {
    const unproved = inconclusive(row, now);
    return { ...unproved, lookAt: Math.min(counts, unproved.lookAt) };
  }
  return { looks, lookAt: Math.min(counts, nextScanAt(now, looks)) };
}

function inconclusive({ track }: Row, now: number) {
  return {
    inconclusiveScans: track.inconclusiveScans + 1,
    inconclusiveSince: track.inconclusiveSince ?? now,
    looks: track.looks + 1,
    lookAt: now + SCAN_AGAIN,
  };
}

function hasExhaustedScans({ inconclusiveScans = 0, inconclusiveSince = null }: Look, now: number): boolean {
  const isLong = inconclusiveSince !== null && now - inconclusiveSince >= INCONCLUSIVE_TIME;
  return inconclusiveScans >= INCONCLUSIVE_SCANS && isLong;
}

function isAny(row: Row, states: readonly OutboxState[]): boolean {
  return states.includes(row.state);
}
