import type { DraftSummary } from '../../shared/contract/drafts.ts';
import type { ApiName, ConnectionId, DraftId } from '../../shared/contract/ids.ts';
import { api, on } from '../desk.ts';
import { activity } from './activity.svelte.ts';
import { connections } from './connections.svelte.ts';
import { startContent } from './draft-start.ts';
import { Loaded } from './loaded.svelte.ts';

/** What is being prepared and not yet sent. */
class Drafts {
  readonly list = new Loaded(() => api['drafts.list']({}));
  active = $state<DraftId | null>(null);
  /** Files that were dropped before there was a draft to hold them. */
  #waiting: readonly File[] = [];

  /** Those for the connection the window works with, and those that no connection was chosen for. */
  readonly items: readonly DraftSummary[] = $derived.by(() => {
    const all = this.list.value ?? [];
    const { current } = connections;
    if (current === null) return all;
    return all.filter((draft) =>
      draft.connectionId === null ? draft.api === current.api : draft.connectionId === current.id,
    );
  });
  readonly current = $derived(this.items.find(({ id }) => id === this.active) ?? null);

  constructor() {
    on('drafts.changed', () => void this.list.refresh());
  }

  /** Makes a new draft; gives its id, or null when that failed. */
  async create(name: ApiName, connectionId: ConnectionId | null): Promise<DraftId | null> {
    let id: DraftId | null = null;
    await activity.attempt(async () => {
      const content = startContent(name, Date.now());
      id = (await api['drafts.create']({ content, connectionId })).id;
    });
    return id;
  }

  async remove(id: DraftId): Promise<boolean> {
    return activity.attempt(() => api['drafts.delete']({ id }));
  }

  /** Keeps files until the draft that is being made is open. */
  keepForNew(files: readonly File[]): void {
    this.#waiting = files;
  }

  takeWaiting(): readonly File[] {
    const files = this.#waiting;
    this.#waiting = [];
    return files;
  }
}

export const drafts = new Drafts();
