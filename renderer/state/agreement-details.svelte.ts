import type { AgreementDetails } from '../../shared/contract/agreements.ts';
import { AgreementKey } from '../../shared/contract/ids.ts';
import { api, on } from '../desk.ts';
import { activity } from './activity.svelte.ts';
import { Loaded } from './loaded.svelte.ts';

/** The agreement that is shown beside the list. */
class AgreementDetailsState {
  key = $state.raw<AgreementKey | null>(null);
  refreshing = $state(false);
  readonly #stored = new Loaded(() => this.#read());
  readonly failure = $derived(this.#stored.failure);
  /** Null while what was read belongs to the row before. */
  readonly shown: AgreementDetails | null = $derived.by(() => {
    const value = this.#stored.value;
    const isWanted = value?.id === this.key?.id && value?.connectionId === this.key?.connectionId;
    return isWanted ? value : null;
  });

  constructor() {
    on('agreements.changed', ({ connectionId }) => {
      if (connectionId === this.key?.connectionId) void this.#stored.refresh();
    });
  }

  /** Shows what the address names: a connection and an id, or nothing. */
  show([connectionId, id]: readonly string[]): void {
    const key = AgreementKey.safeParse({ connectionId, id });
    this.key = key.success ? key.data : null;
    void this.#stored.refresh();
  }

  reload(): Promise<void> {
    return this.#stored.refresh();
  }

  /** Asks the service for it, and shows the answer. */
  async refreshFromService(): Promise<void> {
    const key = this.key;
    if (key === null) return;
    this.refreshing = true;
    await activity.attempt(() => api['agreements.show']({ ...key, refresh: true }));
    this.refreshing = false;
    await this.#stored.refresh();
  }

  /** Saves the concluded PDF as `file`; gives whether that worked. */
  async save(file: string): Promise<boolean> {
    const key = this.key;
    if (key === null) return false;
    return activity.attempt(() => api['agreements.download']({ ...key, file }));
  }

  async #read(): Promise<AgreementDetails | null> {
    return this.key === null ? null : api['agreements.show']({ ...this.key, refresh: false });
  }
}

export const details = new AgreementDetailsState();
