import type { OfficeBatch } from '../../../shared/contract/office/batches.ts';
import { activity } from '../../window/activity.svelte.ts';
import { api } from '../../window/desk.ts';

/** As often as desks report. */
const LOOK_EVERY_MS = 5000;

/** How far batches are at the other desks of the office, while somebody looks. */
class OtherBatches {
  items = $state.raw<readonly OfficeBatch[]>([]);

  /** Gives what ends it. */
  watch(): () => void {
    void activity.attempt(() => this.#look());
    // An office that cannot be reached now is asked again; what was known stays.
    const timer = setInterval(() => void this.#look().catch(() => undefined), LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }

  async #look(): Promise<void> {
    if ((await api['office.read']({})) === null) this.items = [];
    else this.items = (await api['office.batches']({})).filter(({ isThisDesk }) => !isThisDesk);
  }
}

export const otherBatches = new OtherBatches();
