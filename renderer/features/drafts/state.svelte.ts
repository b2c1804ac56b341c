import type { DraftSummary } from '../../../shared/contract/drafts.ts';
import type { ApiName, ConnectionId, DraftId } from '../../../shared/model/ids.ts';
import { api, on } from '../../window/desk.ts';
import { m } from '../../ui/language.svelte.ts';
import { activity } from '../../window/activity.svelte.ts';
import { connections } from '../connections/state.svelte.ts';
import { startContent } from '../../../shared/rules/drafts/start.ts';
import { Loaded } from '../../window/loaded.svelte.ts';
import { undo } from '../../window/undo.svelte.ts';

/** What is being prepared and not yet sent. */
class Drafts {
  readonly list = new Loaded(() => api['drafts.list']({}));
  readonly trash = new Loaded(() => api['drafts.trash']({}));
  active = $state<DraftId | null>(null);
  /** Files that were dropped before there was a draft to hold them, and the one that was made since. */
  #waiting: readonly File[] = [];
  #madeFor: DraftId | null = null;

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
    on('drafts.changed', ({ id, edited }) => {
      if (edited !== undefined) {
        // The one that was changed last is listed first.
        this.list.change((all) => [edited.summary, ...all.filter((one) => one.id !== id)]);
        return;
      }
      void this.list.renew();
      // Only where it was looked at: it may hold many drafts with their files.
      if (this.trash.value !== null) void this.trash.refresh();
    });
  }

  /** Makes a new draft; gives its id, or null when that failed. */
  async create(name: ApiName, connectionId: ConnectionId | null): Promise<DraftId | null> {
    let id: DraftId | null = null;
    await activity.attempt(async () => {
      const content = startContent(name, Date.now());
      id = (await api['drafts.create']({ content, connectionId })).id;
    });
    this.#madeFor = id;
    return id;
  }

  /** Puts it into the trash; until something else is undone, one key brings it back. */
  async remove(id: DraftId, title: string): Promise<boolean> {
    const isDone = await activity.attempt(() => api['drafts.delete']({ id }));
    if (isDone) {
      undo.offer({
        label: () => m.drafts_restore({ title }),
        reason: () => null,
        run: () => {
          undo.clear();
          void this.restore(id, title);
        },
      });
    }
    return isDone;
  }

  async restore(id: DraftId, title: string): Promise<boolean> {
    return activity.attempt(async () => {
      await api['drafts.restore']({ id });
      activity.say(() => m.drafts_restored({ title }));
    });
  }

  async destroy(id: DraftId): Promise<boolean> {
    return activity.attempt(() => api['drafts.destroy']({ id }));
  }

  /** Keeps files until the draft that is being made is open, beside those that came just before. */
  keepForNew(files: readonly File[]): void {
    this.#waiting = [...this.#waiting, ...files];
  }

  /** What was kept for this draft; nothing for one that was there already. */
  takeWaiting(id: DraftId): readonly File[] {
    if (id !== this.#madeFor) return [];
    const files = this.#waiting;
    this.#forgetWaiting();
    return files;
  }

  /** A person makes none after all: what was kept must not turn up in another draft. */
  leaveNew(): void {
    if (this.#madeFor === null) this.#forgetWaiting();
  }

  #forgetWaiting(): void {
    this.#waiting = [];
    this.#madeFor = null;
  }
}

export const drafts = new Drafts();
