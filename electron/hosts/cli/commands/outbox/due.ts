import type { OutboxItem } from '../../../../../shared/contract/outbox.ts';
import type { ConnectionId } from '../../../../../shared/model/ids.ts';
import { AppError } from '../../../../../shared/errors.ts';
import { type Answer, answer, failedItem } from '../../output/answer.ts';
import { type Exit, exits } from '../../output/exit-codes.ts';
import { whyText } from '../../output/service-words.ts';
import { count, plain } from '../../output/text.ts';
import type { Session } from '../../session/session.ts';
import { readUnsettledItems } from './items.ts';
import { type SendHold, readSendHold, isDoubtful, drainOutbox } from './sending.ts';
import { MINUTE } from '../../../../../shared/rules/time/units.ts';

/** Time between two runs of a scheduler. */
const RUN_INTERVAL_MS = 15 * MINUTE;
/** Age of a missed time from which an earlier run has reported the row. */
const REPORTED_AFTER_MS = 20 * MINUTE + RUN_INTERVAL_MS;

/**
 * Sends rows whose time has come; null if there are none. A scheduler does not count as the user's
 * consent, so rows that wait for a decision go on waiting. Rows that missed their time wait too,
 * and are reported once.
 */
export async function sendDueRows(session: Session): Promise<Answer | null> {
  const now = Date.now();
  const mayGo = await createNotPausedFilter(session);
  const items = await readUnsettledItems(session);
  const isWork = items.some((item) => mayGo(item) && isDue(item, now));
  const due = items.filter((item) => (mayGo(item) && isDue(item, now)) || isNewlyMissed(item, now));
  if (due.length === 0) return null;
  try {
    const isStopped = isWork && (await drainOutbox(session));
    const ended = await Promise.all(due.map(({ ref }) => session.api['outbox.show']({ ref })));
    const held = await heldConnectionsOf(session, ended);
    const exit = isStopped ? exits.stopped : exitOfDue(ended, held);
    return answer(dueSendValue(ended, held), dueSendText(ended, held), exit);
  } catch (error) {
    if (!(error instanceof AppError) || error.failure.code === 'cancelled') throw error;
    const { code, message, reason } = error.failure;
    // The other process sends the due rows.
    if (reason === 'desk-busy') return answer({ skipped: message }, `Skipped: ${message}.`);
    return answer({ error: { code, message } }, message, exits.inPart);
  }
}

function isDue({ state, nextAt, doubt }: OutboxItem, now: number): boolean {
  const at = doubt?.nextPassAt ?? (state === 'queued' ? nextAt : null);
  return at !== null && at <= now;
}

/** Returns a filter for rows whose connection and batch the user has not paused or stopped. */
async function createNotPausedFilter({ api }: Session): Promise<(item: OutboxItem) => boolean> {
  const gates = await api['outbox.gates']({});
  const paused = new Set(gates.flatMap((one) => (one.kind === 'user' ? one.connectionId : [])));
  const batches = await api['outbox.batches']({});
  const closed = new Set(batches.flatMap((one) => (one.gate === 'open' ? [] : one.batchId)));
  return ({ connectionId, batchId }) =>
    !paused.has(connectionId) && (batchId === null || !closed.has(batchId));
}

/**
 * Whether a row missed its time after the scheduler's last run, found by this command or an earlier
 * one.
 */
function isNewlyMissed(item: OutboxItem, now: number): boolean {
  if (isQueuedForUser(item)) {
    return item.reason?.reason === 'time-missed' && item.updatedAt > now - RUN_INTERVAL_MS;
  }
  const { state, isScheduled, nextAt, chosenAt } = item;
  if (state !== 'queued' || !isScheduled || nextAt === null) return false;
  const at = chosenAt ?? nextAt;
  return at <= now && at > now - REPORTED_AFTER_MS;
}

const isQueuedForUser = ({ state, nextAt }: OutboxItem): boolean =>
  state === 'queued' && nextAt === null;

/** Reasons for connections that hold back waiting rows. */
type HeldConnections = ReadonlyMap<ConnectionId, SendHold>;

async function heldConnectionsOf(
  session: Session,
  ended: readonly OutboxItem[],
): Promise<HeldConnections> {
  const held = new Map<ConnectionId, SendHold>();
  for (const { state, connectionId } of ended) {
    if (state === 'queued') held.set(connectionId, await readSendHold(session, connectionId));
  }
  return held;
}

function exitOfDue(ended: readonly OutboxItem[], held: HeldConnections): Exit {
  if (ended.some((item) => isDoubtful(item) || isQueuedForUser(item))) return exits.personDecides;
  if (ended.some(({ state }) => state === 'rejected')) return exits.inPart;
  const [first] = [...held.values()].filter(({ isHeld }) => isHeld);
  if (first !== undefined) return first.exit;
  return held.size > 0 ? exits.personDecides : exits.done;
}

const isSent = ({ state }: OutboxItem): boolean => state === 'sent';

function waitReasonOf(
  { state, reason, connectionId }: OutboxItem,
  held: HeldConnections,
): string | null {
  if (reason !== null) return whyText(state, reason);
  return held.get(connectionId)?.why ?? null;
}

function dueSendValue(ended: readonly OutboxItem[], held: HeldConnections): object {
  return {
    sent: ended.filter(isSent).map(({ ref, title, remoteId }) => ({ ref, title, remoteId })),
    waiting: ended
      .filter((item) => !isSent(item))
      .map((item) => ({
        ref: item.ref,
        title: item.title,
        state: item.state,
        ...(item.reason !== null && { reason: failedItem(item.reason) }),
        why: waitReasonOf(item, held),
      })),
  };
}

function dueSendText(ended: readonly OutboxItem[], held: HeldConnections): string {
  const sent = ended.filter(isSent);
  return [
    ...sent.map(({ title }) => `Sent: ${plain(title)}`),
    ...ended
      .filter((item) => !isSent(item))
      .map((item) => {
        const why = waitReasonOf(item, held);
        const about = `${plain(item.title)} (${item.ref}, ${item.state})`;
        return `Not sent: ${about}${why === null ? '' : `: ${why}`}`;
      }),
    `${count(sent.length, 'agreement')} sent, ${ended.length - sent.length} not sent.`,
  ].join('\n');
}
