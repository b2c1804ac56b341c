import { activity } from '../../window/activity.svelte.ts';
import { api } from '../../window/desk.ts';
import { backups } from './state.svelte.ts';

/** A move as it is written. */
export interface MoveForm {
  folder: string;
  withCredentials: boolean;
  /** The twelve words, which are kept nowhere. */
  words: string;
}

/** The way of this desk to another computer, its rest, and the end of that. */
class Moving {
  form = $state<MoveForm | null>(null);
  isWaking = $state(false);

  /** Null while this desk works. */
  readonly rest = $derived(backups.now.value?.rest ?? null);

  begin(): void {
    const plan = backups.now.value?.plan ?? null;
    if (plan === null) return;
    this.form = { folder: plan.folder, withCredentials: plan.withCredentials, words: '' };
  }

  /** What could not be begun is asked again, with everything that was typed. */
  async move(): Promise<void> {
    const { form } = this;
    if (form === null) return;
    const written = $state.snapshot(form);
    const { words, ...order } = written;
    const isBegun = await activity.attempt(() => api['backup.move']({ ...order, secret: words }));
    this.form = isBegun ? null : written;
    // What it said of words that were wrong is over.
    if (isBegun) activity.close();
  }

  /** `waiting` is how many sends the person was shown. */
  async wake(waiting: number): Promise<void> {
    await activity.attempt(() => api['backup.wake']({ confirm: waiting }));
  }
}

export const moving = new Moving();
