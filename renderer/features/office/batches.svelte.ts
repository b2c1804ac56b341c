import type { OfficeBatch } from '../../../shared/contract/office/batches.ts';
import { activity } from '../../window/activity.svelte.ts';
import { api } from '../../window/desk.ts';

/** Interval of reads (ms), as long as the interval in which the computers report. */
const BATCHES_POLL_MS = 5000;

/** Progress of batches on the other computers of the office, while it is shown. */
class OtherBatches {
  items = $state.raw<readonly OfficeBatch[]>([]);

  /** Starts watching; returns the function that stops it. */
  watch(): () => void {
    void activity.attempt(() => this.#look(), 'office.batches');
    // If the office cannot be reached, the known values stay and the next poll tries again.
    const lookAgain = async (): Promise<void> => {
      await this.#look();
      activity.resolve('office.batches');
    };
    const timer = setInterval(() => void lookAgain().catch(() => undefined), BATCHES_POLL_MS);
    return () => clearInterval(timer);
  }

  async #look(): Promise<void> {
    if ((await api['office.read']({})) === null) this.items = [];
    else this.items = (await api['office.batches']({})).filter(({ isThisDesk }) => !isThisDesk);
  }
}

export const otherBatches = new OtherBatches();
