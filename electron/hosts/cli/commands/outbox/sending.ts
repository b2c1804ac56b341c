import type { BatchProgress } from '../../../../../shared/contract/batches.ts';
import type { BatchId, ConnectionId } from '../../../../../shared/model/ids.ts';
import type { OutboxItem } from '../../../../../shared/contract/outbox.ts';
import { type Exit, exitOf, exits } from '../../output/exit-codes.ts';
import { sentenceOf } from '../../output/service-words.ts';
import type { Session } from '../../session/session.ts';
import { count } from '../../output/text.ts';

export const SEND_ADVICE = '`outbox run` or the open window sends it';

/** Advice for a single send, which waits for the user's consent after a restart. */
export const SINGLE_SEND_ADVICE = '`outbox run`, or "Send now" in the window, sends it';

/** Advice for rows that have a chosen time. */
export const LATER_SEND_ADVICE =
  'keep the window open, or use `run-due` or `outbox run` at most 20 minutes later';

/** Interval between two reads of a batch's progress (ms). */
const PROGRESS_POLL_MS = 500;

const UNCERTAIN_STATES: readonly OutboxItem['state'][] = [
  'unknown',
  'absent',
  'human',
  'duplicate',
];

export const isDoubtful = ({ state }: Pick<OutboxItem, 'state'>): boolean =>
  UNCERTAIN_STATES.includes(state);

/**
 * Sends the outbox until nothing can continue without a later time or a decision. Ctrl+C stops the
 * sending after the requests in flight; unsent rows stay in the outbox.
 * @param batchId Batch whose progress is drawn.
 * @returns whether Ctrl+C stopped the sending.
 */
export async function drainOutbox(
  { api, report, onStop }: Session,
  batchId: BatchId | null = null,
): Promise<boolean> {
  let isStopped = false;
  const progress = report.progress('Sending');
  const look = async (): Promise<void> => {
    const batch = (await api['outbox.batches']({})).find((one) => one.batchId === batchId);
    if (batch === undefined) return;
    const { rows, counts } = batch;
    const waiting = counts.queued + counts.sending;
    progress.show({ done: rows - waiting, total: rows, failed: counts.rejected });
  };
  const drawing = setInterval(() => {
    // Ignores a failed read of the progress; the run itself reports problems.
    look().catch(() => undefined);
  }, PROGRESS_POLL_MS);
  onStop(() => {
    isStopped = true;
    report.note('Stopping after the requests that are already running…');
    void api['outbox.halt']({});
  });
  try {
    await api['office.report']({});
    await api['outbox.run']({});
  } finally {
    clearInterval(drawing);
    onStop(null);
    progress.end();
  }
  return isStopped;
}

export interface SendHold {
  readonly isHeld: boolean;
  /** Reason as a sentence; null if it is not known. */
  readonly why: string | null;
  readonly exit: Exit;
}

/** Returns whether and why a connection sends nothing now, with the matching exit code. */
export async function readSendHold(
  { api }: Session,
  connectionId: ConnectionId,
): Promise<SendHold> {
  const gates = await api['outbox.gates']({});
  const gate = gates.find((one) => one.connectionId === connectionId);
  if (gate === undefined) return { isHeld: false, why: null, exit: exits.unreachable };
  const { kind, reason } = gate;
  if (kind === 'user') {
    return { isHeld: true, why: 'the connection is paused', exit: exits.personDecides };
  }
  if (kind === 'breaker' || kind === 'clock') {
    return {
      isHeld: true,
      why: reason === null ? null : sentenceOf(reason),
      exit: exits.personDecides,
    };
  }
  const exit = reason === null ? exits.unreachable : exitOf(reason);
  return { isHeld: true, why: reason === null ? null : sentenceOf(reason), exit };
}

/** Returns a sentence about what unsent rows of a batch wait for; empty if no row waits. */
export async function waitingText(
  session: Session,
  connectionId: ConnectionId,
  { waiting, gate, reason }: BatchProgress,
): Promise<string> {
  if (waiting === 0) return '';
  const { why } = gate === 'open' ? await readSendHold(session, connectionId) : { why: reason };
  const because = why === null ? '' : ` (${why})`;
  return `${count(waiting, 'row')} not sent yet${because}: ${SEND_ADVICE}.`;
}
