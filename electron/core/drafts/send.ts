import { type ConnectionId, type DraftId, OutboxRef } from '../../../shared/model/ids.ts';
import type { Draft, EarlierSend } from '../../../shared/contract/drafts.ts';
import type { Emit } from '../../../shared/contract/index.ts';
import { AppError } from '../../../shared/errors.ts';
import { checkPreparedDraft } from './check.ts';
import { contactsOf, notifiedPeople } from '../../../shared/rules/drafts/parts/contacts.ts';
import { requireUnlocked } from '../../../shared/rules/drafts/locked.ts';
import { type SendTimeProblem, sendTimeProblem } from '../../../shared/rules/drafts/send-time.ts';
import { freezeDraft, findEarlierSends } from './freeze.ts';
import type { DraftPreparation, PreparedDraft } from './prepare.ts';
import type { OutboxEpoch } from '../outbox/epoch.ts';
import type { Hashing } from '../outbox/marks.ts';
import type { AtKillPoint } from '../outbox/ports.ts';
import type { OutboxWorker } from '../outbox/worker.ts';
import type { Chance, Clock, Stores } from '../ports.ts';
import { requireActive } from '../deactivation.ts';
import type { Services } from '../services/services.ts';
import { readAfterRestore, type ReadAfterRestorePorts } from '../sync/after-restore.ts';

/** Keys of earlier sends shown to the user. */
type RepeatedSendKeys = readonly EarlierSend['key'][];

export type SendDraft = (order: {
  readonly id: DraftId;
  readonly connectionId: ConnectionId;
  readonly holdSeconds: number;
  readonly confirm: number;
  readonly again?: RepeatedSendKeys | undefined;
  readonly sendAt?: number | undefined;
}) => Promise<OutboxRef>;

interface SendPorts extends Hashing, ReadAfterRestorePorts {
  readonly stores: Stores;
  readonly preparation: DraftPreparation;
  readonly services: Services;
  readonly epoch: OutboxEpoch;
  readonly atKillPoint: AtKillPoint;
  readonly worker: OutboxWorker;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly emit: Emit;
}

/**
 * Puts a draft into the outbox as the exact bytes to send. After the commit the draft is locked and
 * the row waits for its undo time; this function makes no request.
 */
export function createSendDraft(ports: SendPorts): SendDraft {
  const { stores, clock, worker } = ports;
  return async ({ id, connectionId, holdSeconds, confirm, again = [], sendAt }) => {
    requireActive(stores);
    if (confirm !== 1) {
      throw new AppError('invalid', 'A draft is one agreement, so the confirmed number must be 1', {
        reason: 'count-differs',
      });
    }
    const draft = stores.drafts.get(id);
    if (sendAt !== undefined) assertValidSendTime(draft, sendAt, clock.now());
    const prepared = ports.preparation.of(draft);
    const people = await readyToSend(ports, prepared, connectionId);
    await readAfterRestore(ports, connectionId);
    assertEarlierSendsSeen(findEarlierSends(ports, prepared, connectionId), again);
    const ref = OutboxRef.parse(ports.chance.uuid());
    const nextAt = sendAt ?? clock.now() + holdSeconds * 1000;
    const service = await ports.services.open(connectionId);
    const isScheduled = sendAt !== undefined;
    const send = { ref, connectionId, nextAt, isScheduled, people: [...people] };
    const frozen = await freezeDraft(ports, prepared, service, send);
    await ports.epoch.raise();
    // Freezing takes time: this computer may have been deactivated, and the frozen content must
    // still match what the user sees.
    requireActive(stores);
    assertDraftUnchanged(stores.drafts.get(id), draft);
    worker.own(ref);
    worker.hold();
    stores.transaction(() => {
      assertDraftUnchanged(stores.drafts.get(id), draft);
      // While this draft was frozen, the same content may have been put into the outbox from
      // another draft.
      const before = findEarlierSends(ports, prepared, connectionId);
      assertEarlierSendsSeen(before, again);
      stores.drafts.setSending(id, ref);
      ports.atKillPoint('before-arm');
      const entry = before.length === 0 ? frozen : { ...frozen, shown: { again } };
      stores.outbox.insert(entry, clock.now());
    });
    ports.atKillPoint('after-arm');
    ports.preparation.forget();
    ports.emit('drafts.changed', { id });
    ports.emit('outbox.changed', { ref });
    worker.wake();
    return ref;
  };
}

/** Returns the people to notify, as `OutboxItem.people`. Throws 'invalid' with the fields' problems. */
async function readyToSend(
  ports: SendPorts,
  prepared: PreparedDraft,
  connectionId: ConnectionId,
): Promise<readonly string[]> {
  const { draft } = prepared;
  requireUnlocked(draft);
  const { api } = ports.stores.connections.get(connectionId);
  if (api !== draft.content.api) {
    const fields = { connectionId: 'uses the other API' };
    throw new AppError(
      'invalid',
      'The draft and its connection use different APIs. Choose another connection',
      { fields },
    );
  }
  const { errors } = await checkPreparedDraft(prepared, ports, connectionId);
  if (errors.length > 0) {
    const fields = Object.fromEntries(errors.map(({ field, message }) => [field, message]));
    throw new AppError(
      'invalid',
      'The draft still has problems, so it was not sent. Correct them first',
      { reason: 'problems-left', fields },
    );
  }
  return notifiedPeople(contactsOf(draft.content));
}

/** Allows sending again only if the user has seen all earlier sends. */
function assertEarlierSendsSeen(before: readonly EarlierSend[], again: RepeatedSendKeys): void {
  const unseen = before.filter(({ key }) => !again.includes(key));
  const [first] = unseen;
  if (first === undefined) return;
  const days = unseen.map(({ at }) => new Date(at).toISOString().slice(0, 10));
  const message = `The same agreement was already sent on ${[...new Set(days)].join(', ')}, so it was not sent again`;
  throw new AppError('invalid', message, { reason: 'sent-before' });
}

function assertValidSendTime({ content }: Draft, sendAt: number, now: number): void {
  const problem = sendTimeProblem(content, sendAt, now);
  if (problem === null) return;
  const message = sendTimeSentences[problem];
  throw new AppError('invalid', message, { fields: { sendAt: message } });
}

const sendTimeSentences: Readonly<Record<SendTimeProblem, string>> = {
  past: 'The sending time must be in the future',
  far: 'The sending time must be within a year',
  'closes-first': 'The agreement would expire before it is sent. Change one of the dates',
};

function assertDraftUnchanged(now: Draft, checked: Draft): void {
  requireUnlocked(now);
  if (JSON.stringify(now) !== JSON.stringify(checked)) {
    throw new AppError('conflict', 'The draft was changed in the meantime. Open it again');
  }
}
