import type { AgreementId, ConnectionId, OutboxRef } from '../../shared/contract/ids.ts';
import type { Emit } from '../../shared/contract/index.ts';
import type { OutboxItem, OutboxState } from '../../shared/contract/outbox.ts';
import type { Failure } from '../../shared/errors.ts';
import type { Clock, OutboxMove, Stores } from './ports.ts';

/** Moves rows of the outbox and keeps their drafts in step; sends nothing. */
export interface OutboxBook {
  /** False when the row is in none of `from` any more. */
  move(ref: OutboxRef, from: readonly OutboxState[], move: OutboxMove): boolean;
  /** The agreement exists: the row is sent, and the draft has become the agreement. */
  settleSent(item: OutboxItem, remoteId: AgreementId | null, cause: string): void;
  /** Takes a row back; its draft can be edited again. False when it is in none of `from`. */
  takeBack(item: OutboxItem, from: readonly OutboxState[]): boolean;
  /** Settles rows whose reference was seen on an agreement of the service. */
  adopt(connectionId: ConnectionId, cause: string): void;
  /**
   * After another process ended, whichever way: what was on the wire is of unknown outcome, and
   * what was waiting waits for a person, but for the rows in `own`.
   */
  recover(own: ReadonlySet<OutboxRef>): void;
}

interface BookPorts {
  readonly stores: Pick<Stores, 'outbox' | 'drafts' | 'agreements'>;
  readonly clock: Clock;
  readonly emit: Emit;
}

const interrupted: Failure = {
  code: 'conflict',
  message: 'The program ended while this was on its way; look whether the service has it',
  reason: 'outcome-unknown',
};
const leftOver: Failure = {
  code: 'conflict',
  message: 'This was waiting when the program ended; send it now or take it back',
};
const severalFound: Failure = {
  code: 'conflict',
  message: 'The service has more than one agreement from this send; choose the one to keep',
  reason: 'outcome-unknown',
};

export function createOutboxBook(ports: BookPorts): OutboxBook {
  const { outbox, agreements } = ports.stores;

  const move: OutboxBook['move'] = (ref, from, to) => {
    const isMoved = outbox.move(ref, from, to, ports.clock.now());
    if (isMoved) ports.emit('outbox.changed', { ref });
    return isMoved;
  };

  const settleSent: OutboxBook['settleSent'] = (item, remoteId, cause) => {
    const known = remoteId === null ? {} : { remoteId };
    const sent = { to: 'sent', cause, reason: null, nextAt: null, ...known } as const;
    if (move(item.ref, [item.state], sent)) finishDraft(item, 'sent', ports);
  };

  return {
    move,
    settleSent,
    takeBack(item, from) {
      const isBack = move(item.ref, from, { to: 'abandoned', cause: 'person', nextAt: null });
      if (isBack) finishDraft(item, 'abandoned', ports);
      return isBack;
    },
    adopt(connectionId, cause) {
      for (const item of inDoubt(ports.stores, connectionId)) {
        const [found, ...others] = agreements.withRef(connectionId, item.ref);
        if (found === undefined) continue;
        if (others.length === 0) settleSent(item, found, cause);
        else move(item.ref, [item.state], { to: item.state, cause, reason: severalFound });
      }
    },
    recover(own) {
      for (const { ref } of outbox.inState('sending')) {
        move(ref, ['sending'], { to: 'unknown', cause: 'restart', reason: interrupted });
      }
      for (const item of outbox.inState('queued')) {
        if (item.nextAt === null || own.has(item.ref)) continue;
        // A signature is given by a person who waits for it, never by a later run.
        const to = item.kind === 'sign' ? 'abandoned' : 'queued';
        move(item.ref, ['queued'], { to, cause: 'restart', reason: leftOver, nextAt: null });
      }
      repairDrafts(ports);
    },
  };
}

/** Rows whose request may have arrived. A row given up is found again when it did. */
function inDoubt(stores: BookPorts['stores'], connectionId: ConnectionId): readonly OutboxItem[] {
  const tried = stores.outbox.inState('abandoned').filter(({ attempts }) => attempts > 0);
  return [...stores.outbox.inState('unknown'), ...tried].filter(
    (item) => item.connectionId === connectionId && item.kind === 'create',
  );
}

/** A draft that became an agreement goes; one that was taken back opens for editing. */
function finishDraft(item: OutboxItem, as: 'sent' | 'abandoned', ports: BookPorts): void {
  const { drafts } = ports.stores;
  const draft = drafts.list().find(({ sending }) => sending === item.ref);
  if (draft === undefined) return;
  drafts.setSending(draft.id, null);
  if (as === 'sent') drafts.remove(draft.id);
  ports.emit('drafts.changed', { id: draft.id });
}

/** Finishes what a sudden end left between a row's commit and its draft's. */
function repairDrafts(ports: BookPorts): void {
  const { drafts, outbox } = ports.stores;
  const rows = new Map(outbox.list(0).map((item) => [item.ref, item]));
  for (const draft of drafts.list()) {
    if (draft.sending === null) continue;
    const row = rows.get(draft.sending);
    if (row === undefined) drafts.setSending(draft.id, null);
    else if (row.state === 'sent' || row.state === 'abandoned') finishDraft(row, row.state, ports);
  }
}
