import { SvelteMap } from 'svelte/reactivity';
import type { OfficeDraft } from '../../../shared/contract/office/drafts.ts';
import type { DraftId } from '../../../shared/model/ids.ts';
import { m } from '../../ui/language.svelte.ts';
import { activity } from '../../window/activity.svelte.ts';
import { api, on } from '../../window/desk.ts';

/** Drafts edited on several computers. Without an office there are no requests. */
class SharedDrafts {
  isInOffice = $state(false);
  readonly #drafts = new SvelteMap<DraftId, OfficeDraft>();

  constructor() {
    on('office.changed', () => void this.begin());
    on('office.exchanged', () => void this.begin());
  }

  async begin(): Promise<void> {
    this.isInOffice = (await api['office.read']({})) !== null;
    if (!this.isInOffice) {
      this.#drafts.clear();
      return;
    }
    try {
      const drafts = await api['office.drafts']({});
      const ids = new Set(drafts.map(({ draft }) => draft));
      for (const id of this.#drafts.keys()) if (!ids.has(id)) this.#drafts.delete(id);
      for (const one of drafts) this.#drafts.set(one.draft, one);
    } catch {
      // Without the office it is not known who edits a draft, so everyone may edit it, and both
      // versions are kept.
      for (const [id, one] of this.#drafts) {
        this.#drafts.set(id, { ...one, editor: null, isSending: false });
      }
    }
  }

  of(id: DraftId): OfficeDraft | null {
    return this.#drafts.get(id) ?? null;
  }

  /** Whether the draft is shared with other computers. */
  isShared(id: DraftId): boolean {
    return this.of(id)?.keptBeside === null;
  }

  /** Name of another user who edits or sends the draft now; null if this computer may edit it. */
  elsewhere(id: DraftId): string | null {
    const draft = this.of(id);
    return draft === null || draft.isOwn ? null : draft.editor;
  }

  /**
   * Sentence about another user who edits or sends the draft now; null if this computer may edit
   * it.
   */
  whyElsewhere(id: DraftId): string | null {
    const seat = this.elsewhere(id);
    if (seat === null) return null;
    const word = this.isSentElsewhere(id) ? m.office_together_sending : m.office_together_elsewhere;
    return word({ seat });
  }

  async share(draft: DraftId, isTogether: boolean): Promise<void> {
    await activity.attempt(async () => {
      await api['office.together']({ draft, isTogether });
      await this.begin();
    }, 'office.together');
  }

  /** Whether another computer is sending the draft, according to the office. */
  isSentElsewhere(id: DraftId): boolean {
    return this.of(id)?.isSending === true;
  }

  /** Releases the draft from the computer that was to send it. */
  async free(draft: DraftId): Promise<void> {
    await activity.attempt(async () => {
      await api['office.freeDraft']({ draft });
      await this.begin();
    }, 'office.freeDraft');
  }

  /** Releases the draft, which this computer no longer edits. */
  async leave(draft: DraftId): Promise<void> {
    if (this.isShared(draft))
      await activity.attempt(() => api['office.leaveDraft']({ draft }), 'office.leaveDraft');
  }
}

export const together = new SharedDrafts();
