import type { AgreementId, DraftId, OutboxRef } from '../../shared/contract/ids.ts';
import type { OutboxItem } from '../../shared/contract/outbox.ts';
import { api, on } from '../desk.ts';
import { conditionOf } from '../outbox-text.ts';
import { activity } from './activity.svelte.ts';
import { Loaded } from './loaded.svelte.ts';

/** Nothing happens to it until a person decides. */
const needsPerson = (item: OutboxItem): boolean =>
  ['unknown', 'rejected', 'asks'].includes(conditionOf(item));

const isOpen = (item: OutboxItem): boolean => item.state !== 'sent' && item.state !== 'abandoned';

/** What is going out, and what became of it. */
class Outbox {
  readonly list = new Loaded(() => api['outbox.list']({}));
  readonly items: readonly OutboxItem[] = $derived(this.list.value ?? []);
  readonly open = $derived(this.items.filter(isOpen));
  /** The sends that Undo can still stop, newest first. */
  readonly held = $derived(this.items.filter((item) => conditionOf(item) === 'held'));
  readonly attention = $derived(this.items.filter(needsPerson).length);

  constructor() {
    on('outbox.changed', () => void this.list.refresh());
  }

  /** Takes a send back; gives the draft that can be edited again, when there is one. */
  async undo(ref: OutboxRef): Promise<DraftId | null> {
    let draftId: DraftId | null = null;
    await this.#change(async () => {
      draftId = (await api['outbox.undo']({ ref })).draftId;
    });
    return draftId;
  }

  sendNow(ref: OutboxRef): Promise<boolean> {
    return this.#change(() => api['outbox.sendNow']({ ref }));
  }

  look(ref: OutboxRef): Promise<boolean> {
    return this.#change(() => api['outbox.look']({ ref }));
  }

  settleAsSent(ref: OutboxRef, remoteId: AgreementId): Promise<boolean> {
    return this.#change(() => api['outbox.settle']({ ref, decision: { as: 'sent', remoteId } }));
  }

  abandon(ref: OutboxRef): Promise<boolean> {
    return this.#change(() => api['outbox.settle']({ ref, decision: { as: 'abandon' } }));
  }

  async #change(work: () => Promise<unknown>): Promise<boolean> {
    const done = await activity.attempt(work);
    await this.list.refresh();
    return done;
  }
}

export const outbox = new Outbox();
