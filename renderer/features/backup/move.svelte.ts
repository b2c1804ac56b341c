import { activity } from '../../window/activity.svelte.ts';
import { api } from '../../window/desk.ts';
import { errorSentenceOf } from '../../window/refusal.ts';
import { backups } from './state.svelte.ts';

export interface MoveForm {
  folder: string;
  withCredentials: boolean;
  /** The twelve words; they are not stored. */
  words: string;
}

/** The move of this installation to another computer, its deactivation, and its reactivation. */
class ComputerMove {
  form = $state<MoveForm | null>(null);
  isWaking = $state(false);

  /** Deactivation of this computer; null while it is active. */
  readonly rest = $derived(backups.now.value?.rest ?? null);

  begin(): void {
    const plan = backups.now.value?.plan ?? null;
    if (plan === null) return;
    this.form = { folder: plan.folder, withCredentials: plan.withCredentials, words: '' };
  }

  /**
   * Starts the move. Returns null on success; otherwise the reason, which the dialog shows next to
   * the typed values.
   */
  async move(): Promise<string | null> {
    const { form } = this;
    if (form === null) return null;
    const { words, ...order } = $state.snapshot(form);
    const refusal = await errorSentenceOf(() => api['backup.move']({ ...order, secret: words }));
    if (refusal === null) this.form = null;
    return refusal;
  }

  /** Reactivates this computer. `waiting` is the number of waiting sends that the user saw. */
  async wake(waiting: number): Promise<void> {
    await activity.attempt(() => api['backup.wake']({ confirm: waiting }));
  }
}

export const moving = new ComputerMove();
