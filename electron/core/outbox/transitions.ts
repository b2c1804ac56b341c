import type { AgreementId, ConnectionId, OutboxRef } from '../../../shared/model/ids.ts';
import type { Emit } from '../../../shared/contract/index.ts';
import type { OutboxState } from '../../../shared/contract/outbox.ts';
import type { Failure } from '../../../shared/errors.ts';
import { type OutboxEvent, transition } from './machine.ts';
import type { AtKillPoint, StoredItem } from './ports.ts';
import { askForMissedBatches, isMissed, timeMissedFailure } from './missed.ts';
import { OLD } from './times.ts';
import type { Clock, Stores } from '../ports.ts';

/** Context of an event for the journal and for users: its cause and its actor. */
interface StepContext {
  readonly cause: string;
  /** Actor of the event; by default the program itself. */
  readonly actor?: string;
  readonly reason?: Failure | null;
  /** Information that the user saw when deciding, for the journal. */
  readonly shown?: unknown;
  /** Whether the user sends this row immediately and thereby accepts that it is late. */
  readonly isAtOnce?: boolean;
}

/** Moves rows of the outbox and updates their drafts accordingly. Sends nothing. */
export interface OutboxTransitions {
  /**
   * Applies an event and returns the row. Returns null if the event changes nothing or the row was
   * moved in the meantime.
   */
  apply(ref: OutboxRef, event: OutboxEvent, context: StepContext): StoredItem | null;
  /** Reschedules a waiting row; if `nextAt` is null, the row waits for the user. */
  postpone(ref: OutboxRef, nextAt: number | null, context: StepContext): boolean;
  /** Records a reason for a row without changing its state. */
  explain(item: Pick<StoredItem, 'ref' | 'state'>, context: StepContext): void;
  /** Returns a row to drafts, where it can be edited again. Returns false if it is too late. */
  takeBack(item: StoredItem, actor: string): boolean;
  /** Resolves rows of unknown outcome whose mark was seen on an agreement of the service. */
  linkToAgreements(connectionId: ConnectionId, cause: string): void;
  /**
   * Recovers after another process ended in any way. Rows in flight get an unknown outcome, and
   * waiting rows wait for the user, except for rows in `own`, rows scheduled for later and batches
   * of today.
   */
  recover(own: ReadonlySet<OutboxRef>): void;
  /**
   * Prevents all waiting rows from being sent and discards earlier proofs, because this data may be
   * older than sends made from it.
   */
  distrust(): void;
  /**
   * Whether a local copy of an agreement has the mark of this row although the row has no attempt.
   * If so, the row was sent from another copy of this data, and gets an unknown outcome.
   */
  doubtSeen(item: StoredItem): boolean;
  /**
   * Whether a send that this row replaces may exist, and the user has not decided about this row
   * after that send. If so, the row waits for the user.
   */
  askIfReplacedMayExist(ref: OutboxRef): boolean;
  /** Makes rows that fell due while the computer slept (from `since` on) wait for the user. */
  slept(since: number, isLong: boolean): void;
}

interface TransitionPorts {
  readonly stores: Pick<Stores, 'outbox' | 'drafts' | 'agreements' | 'transaction'>;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly atKillPoint?: AtKillPoint;
}

const conflictFailure = (message: string): Failure => ({ code: 'conflict', message });
const interruptedSendFailure: Failure = {
  ...conflictFailure(
    'The program ended during this send. The list of the service is being checked',
  ),
  reason: 'outcome-unknown',
};
/** API v2 lists no revoked agreements, and neither API lists deleted ones. */
export const notListedFailure: Failure = {
  ...conflictFailure(
    'The full list of the service was searched twice, and the agreement is not in it. ' +
      'An agreement that was created and then revoked or deleted may not be listed either',
  ),
  reason: 'not-listed',
};
const leftOverFailure: Failure = {
  ...conflictFailure(
    'This send was still waiting when the program ended. Send it now, or cancel it',
  ),
  reason: 'left-over',
};
const restoredSendFailure: Failure = {
  ...conflictFailure(
    'This data was restored, copied or moved. Another computer may have completed this send since',
  ),
  reason: 'outcome-unknown',
};
/** States of rows in this copy of the data that another copy of the data may have sent later. */
const undecidedRowStates = ['queued', 'unknown', 'absent', 'human'] as const;
const replacedWasSentFailure: Failure = {
  ...conflictFailure(
    'The agreement that this one replaces was created after all. Send this one too, or cancel it',
  ),
  reason: 'replaced-sent',
};
const replacedUnprovedFailure: Failure = {
  ...conflictFailure(
    'It could not be checked whether the service created the agreement that this one replaces. ' +
      'Send this one, or cancel it',
  ),
  reason: 'replaced-unproved',
};
const oldBatchFailure: Failure = {
  ...conflictFailure('This batch is from another day. Decide whether to continue it'),
  reason: 'batch-old',
};

export function createOutboxTransitions(ports: TransitionPorts): OutboxTransitions {
  const { outbox } = ports.stores;

  const apply: OutboxTransitions['apply'] = (ref, event, context) => {
    const { cause, actor = 'program', reason = null, shown, isAtOnce = false } = context;
    const item = outbox.get(ref);
    const now = ports.clock.now();
    const wasInDoubt = outbox.wasInDoubt(ref);
    const step = transition({ ...item, wasInDoubt }, event, now);
    if (step === null) return null;
    if (step.to === 'sent') ports.atKillPoint?.('before-sent');
    const keptReason = step.to === item.state && reason === null ? item.reason : reason;
    const kept = isAtOnce ? { chosenAt: null } : {};
    const why = step.to === 'sent' ? null : keptReason;
    const written = { ...step, ...kept, cause, actor, reason: why };
    if (!outbox.apply(item, { ...written, ...(shown === undefined ? {} : { shown }) }, now)) {
      return null;
    }
    if (step.to === 'sent') ports.atKillPoint?.('after-sent');
    const after = outbox.get(ref);
    ports.emit('outbox.changed', { ref });
    if (isFinalState(after.state)) finishDraft(after, ports);
    if (after.state === 'sent') holdReplacing(ports, postpone, after);
    return after;
  };

  const postpone: OutboxTransitions['postpone'] = (
    ref,
    nextAt,
    { cause, actor, reason = null, isAtOnce = false },
  ) => {
    const who = actor === undefined ? {} : { actor };
    const kept = isAtOnce ? { chosenAt: null } : {};
    const change = { to: 'queued', cause, reason, nextAt, ...who, ...kept } as const;
    const isMoved = outbox.move(ref, ['queued'], change, ports.clock.now());
    if (isMoved) ports.emit('outbox.changed', { ref });
    return isMoved;
  };

  return {
    apply,
    postpone,
    explain({ ref, state }, { cause, reason = null }) {
      const isMoved = outbox.move(ref, [state], { to: state, cause, reason }, ports.clock.now());
      if (isMoved) ports.emit('outbox.changed', { ref });
    },
    takeBack: ({ ref }, actor) =>
      apply(ref, { kind: 'cancel' }, { cause: 'person', actor }) !== null,
    linkToAgreements(connectionId, cause) {
      adoptSeen(ports, connectionId, (ref, event) => apply(ref, event, { cause }));
    },
    recover(own) {
      recoverRows(ports, { apply, postpone }, own);
    },
    distrust() {
      const restart = { kind: 'restart', isRestored: true } as const;
      // All rows are marked in one transaction. Otherwise, after a crash halfway, the next start
      // would also mark rows that the user has decided about.
      ports.stores.transaction(() => {
        for (const { ref } of undecidedRowStates.flatMap((state) => outbox.inState(state))) {
          apply(ref, restart, { cause: 'restored', reason: restoredSendFailure });
        }
      });
    },
    doubtSeen(item) {
      const isFresh =
        item.state === 'queued' && item.attempts === 0 && !outbox.wasInDoubt(item.ref);
      if (!isFresh || seenOf(ports.stores, item).length === 0) return false;
      const restart = { kind: 'restart', isRestored: true } as const;
      apply(item.ref, restart, { cause: 'restored', reason: restoredSendFailure });
      adoptSeen(ports, item.connectionId, (ref, event) => apply(ref, event, { cause: 'sync' }));
      return true;
    },
    askIfReplacedMayExist(ref) {
      const state = outbox.replacedOpen(ref);
      if (state === null) return false;
      const isThere = state === 'sent' || state === 'duplicate';
      const reason = isThere ? replacedWasSentFailure : replacedUnprovedFailure;
      return postpone(ref, null, { cause: 'replaced', reason });
    },
    slept: (since, isLong) => askAfterSleep(ports, postpone, since, isLong),
  };
}

/** Makes the rows that replace this row wait for the user, who decides whether they are sent. */
function holdReplacing(
  { stores }: TransitionPorts,
  postpone: OutboxTransitions['postpone'],
  { ref }: StoredItem,
): void {
  for (const row of stores.outbox.replacing(ref)) {
    postpone(row.ref, null, { cause: 'replaced', reason: replacedWasSentFailure });
  }
}

/** Stops open batches until the user continues them. */
function askBatches(
  { outbox }: TransitionPorts['stores'],
  isOld: (armedAt: number) => boolean,
  reason: Failure,
): void {
  for (const { batchId, gate, armedAt, counts } of outbox.batches(Number.POSITIVE_INFINITY)) {
    if (gate !== 'open' || counts.queued === 0 || !isOld(armedAt)) continue;
    outbox.setBatchGate(batchId, 'asks', reason);
  }
}

function recoverRows(
  ports: TransitionPorts,
  { apply, postpone }: Pick<OutboxTransitions, 'apply' | 'postpone'>,
  own: ReadonlySet<OutboxRef>,
): void {
  const { outbox } = ports.stores;
  const restart = { kind: 'restart', isRestored: false } as const;
  for (const { ref } of outbox.inState('sending')) {
    apply(ref, restart, { cause: 'restart', reason: interruptedSendFailure });
  }
  // The program ended after a row was proven absent, before the row was moved accordingly.
  const absent = { kind: 'absent', mayResend: false, isNeverMade: false } as const;
  for (const { ref } of outbox.inState('absent')) {
    apply(ref, absent, { cause: 'restart', reason: notListedFailure });
  }
  const now = ports.clock.now();
  for (const item of outbox.inState('queued')) {
    const { ref, kind, nextAt, batchId, isScheduled, verify } = item;
    if (nextAt === null || own.has(ref) || batchId !== null || verify) continue;
    // A signature is sent only while its user waits for it, never by a later run of the program.
    if (kind === 'sign')
      apply(ref, { kind: 'cancel' }, { cause: 'restart', reason: leftOverFailure });
    else if (!isScheduled || isMissed(item, now)) {
      const reason = isScheduled ? timeMissedFailure : leftOverFailure;
      postpone(ref, null, { cause: 'restart', reason });
    }
  }
  askBatches(ports.stores, (armedAt) => now - armedAt > OLD, oldBatchFailure);
  repairDrafts(ports);
}

function askAfterSleep(
  { stores, clock }: TransitionPorts,
  postpone: OutboxTransitions['postpone'],
  since: number,
  isLong: boolean,
): void {
  const now = clock.now();
  for (const item of stores.outbox.inState('queued')) {
    const { ref, nextAt, batchId, isScheduled } = item;
    const fellDue = nextAt !== null && nextAt >= since && nextAt <= now;
    if (batchId === null && (isScheduled ? isMissed(item, now) : fellDue)) {
      postpone(ref, null, { cause: 'sleep', reason: timeMissedFailure });
    }
  }
  if (isLong) askBatches(stores, () => true, timeMissedFailure);
  else askForMissedBatches(stores, now);
}

const isFinalState = (state: OutboxState) =>
  state === 'sent' || state === 'cancelled' || state === 'abandoned';

type ApplyEvent = (ref: OutboxRef, event: OutboxEvent) => unknown;

/**
 * Resolves a row whose mark is on exactly one of the copies that a sync read. If the mark is on
 * several copies, a scan decides.
 */
function adoptSeen(
  { stores, clock }: TransitionPorts,
  connectionId: ConnectionId,
  apply: ApplyEvent,
): void {
  const { outbox } = stores;
  const serverAt = clock.now();
  for (const item of outbox.inDoubt(connectionId)) {
    if (item.kind !== 'create') continue;
    const hits = seenOf(stores, item).filter((id) => {
      const bound = outbox.boundTo(connectionId, id);
      return bound === null || bound.ref === item.ref;
    });
    if (hits.length !== 1) continue;
    // The list was not read for this row, so a missing agreement proves nothing.
    const seen = { hits, lookalikes: 0, incompleteReason: 'too-early', serverAt } as const;
    apply(item.ref, { kind: 'pass', seen });
  }
}

function seenOf(
  { agreements }: TransitionPorts['stores'],
  item: StoredItem,
): readonly AgreementId[] {
  const { mark, connectionId, ref } = item;
  if (mark.by === 'tag') return agreements.withRef(connectionId, ref);
  return [];
}

/**
 * Moves a draft that became an agreement to the sent drafts, and unlocks a draft whose row ended in
 * another state.
 */
function finishDraft(item: StoredItem, ports: TransitionPorts): void {
  const { drafts } = ports.stores;
  if (item.draftId === null) return;
  const draft = drafts.locked().find(({ sending }) => sending === item.ref);
  if (draft === undefined) return;
  drafts.setSending(draft.id, null);
  // A sent draft is kept so that it can be copied: v2 does not return the content that was sent.
  if (item.state === 'sent') drafts.keepSent(draft.id, item.ref, ports.clock.now());
  ports.emit('drafts.changed', { id: draft.id });
}

/** Updates drafts that were not updated because of a crash after the commit of their row. */
function repairDrafts(ports: TransitionPorts): void {
  const { drafts, outbox } = ports.stores;
  const locked = drafts.locked();
  if (locked.length === 0) return;
  const rows = new Map(outbox.list(0).map((item) => [item.ref, item]));
  for (const draft of locked) {
    const row = rows.get(draft.sending);
    if (row === undefined) drafts.setSending(draft.id, null);
    else if (isFinalState(row.state)) finishDraft(row, ports);
  }
}
