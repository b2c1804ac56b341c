import type { DraftSummary } from '../../../shared/contract/drafts.ts';
import type { ApiName, ConnectionId, DraftId } from '../../../shared/model/ids.ts';
import { api, on } from '../../window/desk.ts';
import { m } from '../../ui/language.svelte.ts';
import { activity } from '../../window/activity.svelte.ts';
import { connections } from '../connections/state.svelte.ts';
import { startContent } from '../../../shared/rules/drafts/start.ts';
import { Loaded } from '../../window/loaded.svelte.ts';
import { undo } from '../../window/undo.svelte.ts';

class Drafts {
  readonly list = new Loaded(() => api['drafts.list']({}));
  readonly trash = new Loaded(() => api['drafts.trash']({}));
  active = $state<DraftId | null>(null);
  /**
   * Files dropped before their draft existed; `#madeFor` is the draft that was then created for
   * them.
   */
  #waiting: readonly File[] = [];
  #madeFor: DraftId | null = null;

  /** Drafts of the selected connection, and those without a connection. */
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
        this.list.change((all) => [edited.summary, ...all.filter((one) => one.id !== id)]);
        return;
      }
      void this.list.renew();
      // Reload the trash only if it was loaded before: it may contain many drafts with their files.
      if (this.trash.value !== null) void this.trash.refresh();
    });
  }

  /** Creates a draft; returns its id, or null after a failure. */
  async create(name: ApiName, connectionId: ConnectionId | null): Promise<DraftId | null> {
    let id: DraftId | null = null;
    await activity.attempt(async () => {
      const content = startContent(name, Date.now());
      id = (await api['drafts.create']({ content, connectionId })).id;
    });
    this.#madeFor = id;
    return id;
  }

  /** Moves a draft to the trash; the undo key restores it until another action can be undone. */
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
      activity.notify(() => m.drafts_restored({ title }));
    });
  }

  async destroy(id: DraftId): Promise<boolean> {
    return activity.attempt(() => api['drafts.destroy']({ id }));
  }

  /** Keeps files until the new draft is open, together with files that arrived just before. */
  keepForNew(files: readonly File[]): void {
    this.#waiting = [...this.#waiting, ...files];
  }

  /** Returns the files kept for this draft; none for a draft that existed before. */
  takeWaiting(id: DraftId): readonly File[] {
    if (id !== this.#madeFor) return [];
    const files = this.#waiting;
    this.#forgetWaiting();
    return files;
  }

  /**
   * Forgets the files of a new draft that the user cancelled: they must not appear in another
   * draft.
   */
  leaveNew(): void {
    if (this.#madeFor === null) this.#forgetWaiting();
  }

  #forgetWaiting(): void {
    this.#waiting = [];
    this.#madeFor = null;
  }
}

export const drafts = new Drafts();
