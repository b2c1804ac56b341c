import type { Access } from '../../shared/contract/access.ts';
import type { Failure } from '../../shared/errors.ts';
import { api, failureOf, on } from './desk.ts';
import { Loaded } from './loaded.svelte.ts';

/** Whether the data on this computer is open, and the ways to open it. */
class AccessState {
  readonly state = new Loaded(() => api['access.read']({}));
  /**
   * Whether an attempt to open the data is running; the credential store may be showing a dialog.
   */
  busy = $state(false);
  failure = $state.raw<Failure | null>(null);
  /** Path to which data was set aside since the window opened. */
  setAsideTo = $state<string | null>(null);

  constructor() {
    on('access.changed', () => void this.state.refresh());
  }

  retry(): Promise<void> {
    return this.#open(() => api['access.retry']({}));
  }

  usePassphrase(passphrase: string): Promise<void> {
    return this.#open(() => api['access.usePassphrase']({ passphrase }));
  }

  openDemoProfile(): Promise<void> {
    return this.#open(() => api['access.openDemoProfile']({}));
  }

  /** Moves data that cannot be opened into a folder; the program then starts with new data. */
  async setAside(): Promise<void> {
    await this.#open(async () => {
      const { folder } = await api['access.setAside']({});
      this.setAsideTo = folder;
      return api['access.read']({});
    });
  }

  async #open(way: () => Promise<Access>): Promise<void> {
    this.busy = true;
    this.failure = null;
    try {
      this.failure = (await way()).problem;
    } catch (error) {
      this.failure = failureOf(error);
    } finally {
      await this.state.refresh();
      this.busy = false;
    }
  }
}

export const access = new AccessState();
