import type { BatchProgress } from '../../../../../shared/contract/batches.ts';
import type { BatchId, ConnectionId } from '../../../../../shared/model/ids.ts';
import type { OutboxItem } from '../../../../../shared/contract/outbox.ts';
import { type Exit, exitOf, exits } from '../../output/exit-codes.ts';
import { sentenceOf } from '../../output/service-words.ts';
import type { Session } from '../../session/session.ts';
import { count } from '../../output/text.ts';

/** How to send what a command left in the outbox. */
export const HOW_TO_SEND = '`outbox run` or the open window sends it';

/** The same for one that stands alone: after a restart it waits for a person's word. */
export const HOW_TO_SEND_ONE = '`outbox run`, or "Send now" in the window, sends it';

/** The same for what has a time of its own. */
export const WHO_SENDS_LATER =
  'the open window sends it, or `run-due` or `outbox run` within 20 minutes after';

/** Between two looks at how far a batch is. */
const LOOK = 500;

/** States in which only a person can say how it goes on. */
const DOUBTFUL: readonly OutboxItem['state'][] = ['unknown', 'absent', 'human', 'duplicate'];

export const isDoubtful = ({ state }: Pick<OutboxItem, 'state'>): boolean =>
  DOUBTFUL.includes(state);

/**
 * Works the outbox until nothing can move without time or a person. Ctrl+C ends it after what is
 * on the wire; what was not sent stays in the outbox.
 * @param batchId draws how far this batch is.
 * @returns whether it was stopped by Ctrl+C.
 */
export async function workOutbox(
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
    // A look that fails draws nothing; the run itself reports what is wrong.
    look().catch(() => undefined);
  }, LOOK);
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

export interface HeldBack {
  readonly isHeld: boolean;
  /** As a sentence, where it is known. */
  readonly why: string | null;
  readonly exit: Exit;
}

/** Whether and why nothing goes out through a connection now, and the exit that says so. */
export async function heldBack({ api }: Session, connectionId: ConnectionId): Promise<HeldBack> {
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

/** What the rows of a batch that were not sent wait for, as a sentence; empty when none waits. */
export async function waitingText(
  session: Session,
  connectionId: ConnectionId,
  { waiting, gate, reason }: BatchProgress,
): Promise<string> {
  if (waiting === 0) return '';
  const { why } = gate === 'open' ? await heldBack(session, connectionId) : { why: reason };
  const because = why === null ? '' : ` (${why})`;
  return `${count(waiting, 'row')} not sent yet${because}: ${HOW_TO_SEND}.`;
}
