import type { UpdateFeed } from '../../../shared/contract/updates.ts';
import type { Failure } from '../../../shared/errors.ts';
import { activity } from '../../window/activity.svelte.ts';
import { api, failureOf, on } from '../../window/desk.ts';
import { jobs } from '../../window/jobs.svelte.ts';
import { Loaded } from '../../window/loaded.svelte.ts';

class Updates {
  readonly state = new Loaded(() => api['updates.show']({}));
  isChecking = $state(false);
  refusal = $state.raw<Failure | null>(null);
  readonly isDownloading = $derived(jobs.running.some(({ kind }) => kind === 'prepare-update'));

  constructor() {
    on('updates.changed', () => void this.state.refresh());
  }

  /** Stores the feed. Returns whether this worked. */
  async setFeed(feed: UpdateFeed | null): Promise<boolean> {
    try {
      await api['updates.setFeed']({ feed });
      this.refusal = null;
      return true;
    } catch (error) {
      this.refusal = failureOf(error);
      return false;
    }
  }

  /** Checks for updates; a failure is part of the state. */
  async check(): Promise<void> {
    this.isChecking = true;
    await api['updates.check']({}).catch(() => undefined);
    this.isChecking = false;
  }

  async install(version: string): Promise<void> {
    await activity.attempt(() => api['updates.install']({ version }));
  }

  async withdraw(): Promise<void> {
    await activity.attempt(() => api['updates.withdraw']({}));
  }
}

export const updates = new Updates();
