import type { BatchProgress } from '../../../shared/contract/batches.ts';
import { m } from '../../ui/language.svelte.ts';
import type { ToolAction } from '../../ui/layout/tool-actions.ts';
import type { OpenBatch } from './open-batch.svelte.ts';

interface Sending {
  readonly work: Pick<OpenBatch, 'sendNow' | 'pause' | 'resume' | 'saveReport'>;
  readonly progress: Pick<BatchProgress, 'waiting' | 'refused' | 'givenUp' | 'gate'>;
  /** Whether no row has been sent, so that the batch can be undone. */
  readonly isHeld: boolean;
  /** Shortcut of the undo. */
  readonly undoKeys: string;
  readonly undo: () => void;
  readonly stop: () => void;
  readonly openRefused: () => void;
  /** Null without an office. */
  readonly handOver: (() => void) | null;
}

/** Names the rows that are copied to a new batch: refused rows, given-up rows, or both. */
function rowsAgainLabel({ refused, givenUp }: Pick<BatchProgress, 'refused' | 'givenUp'>): string {
  if (givenUp === 0) return m.batch_refused();
  return refused === 0 ? m.batch_given_up() : m.batch_refused_given_up();
}

/** Actions on a batch that is being sent or was sent, the most important first. */
export function sendActions(sending: Sending): readonly ToolAction[] {
  const { work, progress, isHeld, undoKeys, undo, stop, openRefused, handOver } = sending;
  const isWaiting = progress.waiting > 0;
  const isPaused = isWaiting && progress.gate !== 'open';
  const action = (
    id: string,
    label: string,
    run: () => void,
    look: Pick<ToolAction, 'primary' | 'danger' | 'keys' | 'testid'> = {},
  ): ToolAction => ({ id, label, reason: null, run, ...look });
  const undoLook = { primary: true, keys: undoKeys, testid: 'batch.undo' };
  return [
    ...(isHeld
      ? [
          action('undo', m.activity_undo(), undo, undoLook),
          action('now', m.activity_send_now(), () => void work.sendNow()),
        ]
      : []),
    ...(isPaused
      ? [action('resume', m.batch_resume(), () => void work.resume(), { primary: true })]
      : []),
    ...(isWaiting && !isPaused ? [action('pause', m.batch_pause(), () => void work.pause())] : []),
    ...(isWaiting ? [action('stop', m.batch_stop(), stop, { danger: true })] : []),
    ...(progress.refused + progress.givenUp > 0
      ? [action('refused', rowsAgainLabel(progress), openRefused)]
      : []),
    ...(isWaiting && handOver !== null
      ? [action('hand-over', m.office_hand_over(), handOver, { testid: 'office.handOver' })]
      : []),
    action('xlsx', m.batch_report_xlsx(), () => void work.saveReport('xlsx', 'all')),
    action('csv', m.batch_report_csv(), () => void work.saveReport('csv', 'all')),
  ];
}
