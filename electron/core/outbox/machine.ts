import { AgreementId } from '../../../shared/model/ids.ts';
import type {
  SendMark,
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

/** Maximum number of early scans; more than are possible before `SETTLE` and `GAP` are over. */
const MAX_EARLY = 10;

export interface MachineRow extends Pick<
  OutboxItem,
  'state' | 'policy' | 'attempts' | 'verify' | 'remoteId' | 'createdAt'
> {
  readonly mark: Pick<SendMark, 'by'>;
  readonly track: RowTrack;
  /**
   * Whether the outcome of the row was unknown before. If so, and this copy of the data has no
   * attempt, another copy of the data may have sent the row.
   */
  readonly wasInDoubt: boolean;
}

/** Result of one reading of the service's list for one row. */
export interface ScanFindings {
  /** Agreements with the mark of the row. */
  readonly hits: readonly AgreementId[];
  /** Number of agreements that might be this send and belong to no other row. */
  readonly lookalikes: number;
  readonly incompleteReason: IncompleteReason | null;
  /** Time of the scan by the service's clock; null if unknown. */
  readonly serverAt: number | null;
}

export type OutboxEvent =
  /** T3: nothing left the computer. If `nextAt` is null, the row waits for the user. */
  | { readonly kind: 'not-sent'; readonly nextAt: number | null }
  /** T4: the service carried out the request. */
  | { readonly kind: 'done'; readonly remoteId: AgreementId | null }
  /**
   * T5: rejected by the service. `endedAt` by the service's clock; null if a file that must be
   * uploaded first was rejected.
   */
  | { readonly kind: 'refused'; readonly endedAt: number | null }
  /** T6, T7: rejected before processing; `endedAt` by the service's clock. */
  | {
      readonly kind: 'turned-away';
      readonly nextAt: number | null;
      readonly endedAt: number;
    }
  /**
   * T8: the answer was lost. `endedAt` by the service's clock; null if no answer showed that clock.
   */
  | { readonly kind: 'lost'; readonly endedAt: number | null }
  /**
   * T9: the program was restarted. `isRestored`: whether this copy of the data may be older than
   * sends made from it.
   */
  | { readonly kind: 'restart'; readonly isRestored: boolean }
  /** T10 to T13, T16, T20: a scan of the service's list was completed. */
  | { readonly kind: 'pass'; readonly seen: ScanFindings }
  /** T14, T15: next state of a row that is proven absent. */
  | {
      readonly kind: 'absent';
      readonly mayResend: boolean;
      /**
       * Whether it is proven that no agreement was ever created. A list cannot prove this, because
       * it does not show revoked agreements.
       */
      readonly isNeverMade: boolean;
    }
  /** T17: decisions of the user about a row. */
  | { readonly kind: 'resend' }
  | { readonly kind: 'confirm'; readonly remoteId: AgreementId }
  | { readonly kind: 'abandon' }
  /** T18: a waiting row is cancelled. */
  | { readonly kind: 'cancel' }
  /** T19: the user keeps one of several duplicates. */
  | { readonly kind: 'keep'; readonly remoteId: AgreementId };

/** Changes of a transition, without its cause and reason. */
export type Step = Pick<
  OutboxMove,
  'to' | 'remoteId' | 'nextAt' | 'verify' | 'track' | 'isUncounted'
>;

const EMPTY_TRACK: RowTrack = {
  endedAt: null,
  cleanPasses: 0,
  cleanAt: null,
  inconclusiveScans: 0,
  inconclusiveSince: null,
  looks: 0,
  lookAt: null,
};

/**
 * Whether the mark is unique to this send (classes C1 and C2). False for a signature, which is
 * never sent again automatically.
 */
const isStrong = ({ mark }: MachineRow) => mark.by !== 'nothing' && mark.by !== 'object';

/**
 * Returns the transition of a row for an event; null if the event changes nothing in the row's
 * state. Reads no clock; `now` is the local time (epoch ms).
 */
export function transition(row: MachineRow, event: OutboxEvent, now: number): Step | null {
  switch (event.kind) {
    case 'not-sent':
      return stepWhenSending(row, { to: 'queued', nextAt: event.nextAt, isUncounted: true });
    case 'done':
      return stepWhenSending(row, sentStep(event.remoteId));
    case 'refused':
      // A file to be uploaded first was rejected, so the request was not sent.
      if (row.state === 'queued') return { to: 'rejected', nextAt: null };
      return stepWhenSending(row, verifyStep('rejected', null, event.endedAt, now));
    case 'turned-away':
      return stepWhenSending(row, verifyStep('queued', event.nextAt, event.endedAt, now));
    case 'lost':
      return stepWhenSending(row, unknownStep(event.endedAt, now));
    case 'restart':
      return restartStep(row, event.isRestored, now);
    case 'pass':
      return stepAfterScan(row, event.seen, now);
    case 'absent':
      if (row.state !== 'absent') return null;
      return event.mayResend && event.isNeverMade && mayResend(row, now)
        ? resendStep(now)
        : { to: 'human' };
    case 'resend':
      return isAny(row, ['absent', 'human']) || isTurnedAway(row) ? resendStep(now) : null;
    case 'confirm':
      return isAny(row, ['unknown', 'absent', 'human']) || isTurnedAway(row)
        ? sentStep(event.remoteId)
        : null;
    case 'abandon':
      return isAny(row, ['unknown', 'absent', 'human', 'rejected']) || isTurnedAway(row)
        ? abandonStep(row)
        : null;
    case 'cancel':
      return cancelStepOf(row);
    case 'keep':
      return isAny(row, ['duplicate']) ? sentStep(event.remoteId) : null;
  }
}

function stepWhenSending(row: MachineRow, step: Step): Step | null {
  return row.state === 'sending' ? step : null;
}

const sentStep = (remoteId: AgreementId | null): Step => ({
  to: 'sent',
  nextAt: null,
  verify: false,
  track: EMPTY_TRACK,
  ...(remoteId === null ? {} : { remoteId }),
});

/** Returns the step after an answer that nothing was done, which one clean scan has to confirm. */
const verifyStep = (
  to: OutboxState,
  nextAt: number | null,
  endedAt: number | null,
  now: number,
): Step => ({
  to,
  nextAt,
  verify: true,
  track: { ...EMPTY_TRACK, endedAt, lookAt: now },
});

/**
 * Whether the row's request was turned away. Scans continue, because the service may have carried
 * it out anyway; the user may decide earlier.
 */
const isTurnedAway = (row: MachineRow) => row.state === 'queued' && row.verify;

const unknownStep = (endedAt: number | null, now: number): Step => ({
  to: 'unknown',
  nextAt: null,
  verify: false,
  track: { ...EMPTY_TRACK, endedAt, lookAt: nextScanAt(now, 0) },
});

const resendStep = (now: number): Step => ({
  to: 'queued',
  nextAt: now,
  verify: false,
  track: EMPTY_TRACK,
});

/** Whether no request can have been sent, from this copy of the data or another. */
const isNeverSent = (row: MachineRow) =>
  isAny(row, ['queued', 'rejected']) && row.attempts === 0 && !row.wasInDoubt;

/**
 * Whether scans still look for the row. A lagging list may show a rejected send later, when its
 * correction may already have been sent.
 */
const isLookedFor = (row: MachineRow) =>
  row.verify ||
  (isAny(row, ['rejected', 'abandoned']) &&
    row.track.endedAt !== null &&
    row.track.lookAt !== null);

/** Whether a rejected send was not found, but no scan could prove that it does not exist. */
export const isUnproved = ({ verify, track }: Pick<MachineRow, 'verify' | 'track'>): boolean =>
  !verify && track.inconclusiveScans > 0 && track.cleanPasses === 0;

/** Returns the step of abandoning. An abandoned row is watched, as it may have been carried out. */
const abandonStep = (row: MachineRow): Step => {
  const end = { to: isNeverSent(row) ? 'cancelled' : 'abandoned', nextAt: null } as const;
  // A user who abandons a row of unknown outcome has compared it with the service, so its
  // correction may be sent.
  if (isAny(row, ['unknown', 'absent', 'human'])) {
    return { ...end, verify: false, track: { lookAt: null, inconclusiveScans: 0 } };
  }
  return {
    ...end,
    verify: row.verify,
    track: { lookAt: isLookedFor(row) ? row.track.lookAt : null },
  };
};

const cancelStepOf = (row: MachineRow): Step | null =>
  isAny(row, ['queued', 'absent', 'rejected']) ? abandonStep(row) : null;

function restartStep(row: MachineRow, isRestored: boolean, now: number): Step | null {
  if (row.state === 'sending') return unknownStep(null, now);
  const isUndecided = isAny(row, ['queued', 'unknown', 'absent', 'human']);
  return isRestored && isUndecided ? unknownStep(null, now) : null;
}

function mayResend(row: MachineRow, now: number): boolean {
  const age = now - row.createdAt;
  // A creation time in the future means that the clock was put back, so the age is unknown.
  const isYoung = age <= OLD && age >= -CLOCK_SLACK;
  // A row of unknown outcome without attempts is from restored data, and the attempts are in
  // another copy of the data.
  if (row.attempts === 0) return false;
  return row.policy === 'auto' && isStrong(row) && row.attempts < MAX_ON_WIRE && isYoung;
}

/** States in which a scan may still find the agreement. */
const SEARCHED_STATES: readonly OutboxState[] = [
  'unknown',
  'absent',
  'human',
  'abandoned',
  'rejected',
  'queued',
];

function stepAfterScan(row: MachineRow, seen: ScanFindings, now: number): Step | null {
  const others = seen.hits.filter((id) => id !== row.remoteId);
  if (isAny(row, ['sent'])) return others.length > 0 ? { to: 'duplicate', nextAt: null } : null;
  if (!isAny(row, SEARCHED_STATES)) return null;
  if (row.state === 'queued' && isNeverSent(row) && !row.verify) return null;
  const [found, ...more] = seen.hits;
  if (more.length > 0) return { to: 'duplicate', nextAt: null, verify: false, track: EMPTY_TRACK };
  if (found !== undefined) return sentStep(found);
  if (row.state === 'unknown') return notFoundStep(row, seen, now);
  if (!isLookedFor(row)) return null;
  return confirmRejection(row, seen, now);
}

/**
 * Returns the step after a scan that did not find a rejected row. One complete scan is enough,
 * unless the scan was too early. The user decides about possible matches, because a service may
 * carry out a request that it rejects.
 */
function confirmRejection(
  row: MachineRow,
  { incompleteReason, lookalikes, serverAt }: ScanFindings,
  now: number,
): Step | null {
  const to = row.state;
  const free = { to, verify: false, track: EMPTY_TRACK };
  if (lookalikes > 0) return { ...askUserStep(), verify: false };
  const early = incompleteReason === null ? tooEarly(row, serverAt, now) : null;
  if (incompleteReason === null && early === null) return free;
  const unproved = early ?? inconclusiveTrack(row, now);
  if (!hasExhaustedScans(unproved, now) && incompleteReason !== 'other-user') {
    if (early === null || to !== 'rejected') return { to, track: unproved };
    return { to, verify: false, track: { ...unproved, cleanPasses: 1 } };
  }
  if (to === 'queued') return { to: 'human', track: { lookAt: null } };
  // One scan proved that the send does not exist, and no later scan found it.
  if (row.track.cleanPasses > 0) return free;
  // No scan proved that the send does not exist, so the user decides about its correction. The
  // counts of scans record this.
  const isAway =
    incompleteReason === 'not-reached' && now - (unproved.inconclusiveSince ?? now) < OLD;
  const { lookAt } = isAway && row.track.endedAt !== null ? unproved : { lookAt: null };
  return { to, verify: false, track: { ...unproved, lookAt } };
}

/**
 * Returns the next scan if the scan at `serverAt` was too early to prove that the row is absent;
 * otherwise null. A row that was turned away is sent again, automatically or after it is returned
 * to drafts, so a lagging list must not prove that it is absent. A rejected row is looked for
 * equally long, but its correction may be sent after the first scan. A signature is read from its
 * agreement, not from a list.
 */
function tooEarly(row: MachineRow, serverAt: number | null, now: number): NextScan | null {
  const { endedAt } = row.track;
  if (endedAt === null || row.mark.by === 'object') return null;
  if (serverAt === null) return nextScan(row, now);
  if (isLaterThanAny(endedAt, serverAt)) {
    return { ...nextScan(row, now, now + SETTLE), endedAt: serverAt };
  }
  const counts = endedAt + SETTLE;
  return serverAt >= counts ? null : nextScan(row, now, now + (counts - serverAt));
}

/** Whether a recorded time is implausible: more than a day later than the service's clock. */
const isLaterThanAny = (noted: number, serverAt: number): boolean => noted > serverAt + OLD;

function notFoundStep(row: MachineRow, seen: ScanFindings, now: number): Step {
  const { incompleteReason, serverAt } = seen;
  if (seen.lookalikes > 0) return askUserStep();
  if (incompleteReason === 'other-user') return askUserStep();
  if (serverAt === null) return rescanOrAskStep(nextScan(row, now), now);
  const { endedAt, cleanAt } = row.track;
  // No answer showed the service's clock when the attempt ended, so the wait starts with the first
  // answer that shows it.
  if (endedAt === null) return rescanOrAskStep({ ...nextScan(row, now), endedAt: serverAt }, now);
  if (isLaterThanAny(Math.max(endedAt, cleanAt ?? endedAt), serverAt)) {
    const track = { endedAt: serverAt, cleanPasses: 0, cleanAt: null };
    return rescanOrAskStep({ ...nextScan(row, now, now + SETTLE), ...track }, now);
  }
  const from = cleanAt === null ? endedAt + SETTLE : cleanAt + GAP;
  if (serverAt < from) return rescanOrAskStep(nextScan(row, now, now + (from - serverAt)), now);
  if (incompleteReason !== null) return rescanOrAskStep(inconclusiveTrack(row, now), now);
  if (row.track.cleanPasses === 0) {
    const first = {
      cleanPasses: 1,
      cleanAt: serverAt,
      inconclusiveScans: 0,
      inconclusiveSince: null,
    };
    return stillUnknownStep({ ...first, looks: row.track.looks + 1, lookAt: now + GAP });
  }
  return { to: 'absent', track: { cleanPasses: 2, cleanAt: serverAt, lookAt: null } };
}

const askUserStep = (): Step => ({ to: 'human', track: { lookAt: null } });
const stillUnknownStep = (track: Partial<RowTrack>): Step => ({ to: 'unknown', track });

/** Schedules another scan, or requires the user's decision if the scans are exhausted. */
const rescanOrAskStep = (track: NextScan, now: number): Step =>
  hasExhaustedScans(track, now)
    ? { ...askUserStep(), track: { ...track, lookAt: null } }
    : stillUnknownStep(track);

/** Result of an inconclusive scan, with the time of the next scan. */
type NextScan = Partial<RowTrack> & Pick<RowTrack, 'lookAt'>;

/**
 * Schedules the scan after an early scan. Early scans may find the agreement but never count as
 * clean. If the service's clock does not advance or varies with each answer, all scans are too
 * early. After `MAX_EARLY` of them, further early scans count as inconclusive.
 */
function nextScan(row: MachineRow, now: number, counts = Number.POSITIVE_INFINITY): NextScan {
  const looks = row.track.looks + 1;
  if (looks > MAX_EARLY) {
    const unproved = inconclusiveTrack(row, now);
    return { ...unproved, lookAt: Math.min(counts, unproved.lookAt) };
  }
  return { looks, lookAt: Math.min(counts, nextScanAt(now, looks)) };
}

function inconclusiveTrack({ track }: MachineRow, now: number) {
  return {
    inconclusiveScans: track.inconclusiveScans + 1,
    inconclusiveSince: track.inconclusiveSince ?? now,
    looks: track.looks + 1,
    lookAt: now + SCAN_AGAIN,
  };
}

function hasExhaustedScans(
  { inconclusiveScans = 0, inconclusiveSince = null }: NextScan,
  now: number,
): boolean {
  const isLong = inconclusiveSince !== null && now - inconclusiveSince >= INCONCLUSIVE_TIME;
  return inconclusiveScans >= INCONCLUSIVE_SCANS && isLong;
}

function isAny(row: MachineRow, states: readonly OutboxState[]): boolean {
  return states.includes(row.state);
}
