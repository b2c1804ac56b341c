import type {
  AgreementId,
  BatchId,
  ConnectionId,
  DraftId,
  OutboxRef,
} from '../../shared/contract/ids.ts';
import type { Gate, OutboxHistory, OutboxItem } from '../../shared/contract/outbox.ts';
import { api, on } from '../desk.ts';
import { conditionOf, isForPerson } from '../outbox-text.ts';
import { activity } from './activity.svelte.ts';
import { clock } from './clock.svelte.ts';
import { Loaded } from './loaded.svelte.ts';

/** Nothing happens to it until a person decides. */
const needsPerson = (item: OutboxItem): boolean =>
  item.state === 'unknown' || isForPerson(conditionOf(item));

const ENDED = ['sent', 'cancelled', 'abandoned'];
const isOpen = (item: OutboxItem): boolean => !ENDED.includes(item.state);

/** Rows of a batch change many times a second; the list is read once in this time. */
const CALM = 250;

/** What is going out, and what became of it. */
class Outbox {
  readonly list = new Loaded(() => api['outbox.list']({}));
  readonly items: readonly OutboxItem[] = $derived(this.list.value ?? []);
  readonly open = $derived(this.items.filter(isOpen));
  /** The sends that Undo can still stop, newest first. */
  readonly held = $derived(this.items.filter((item) => conditionOf(item) === 'held'));
  readonly attention = $derived(this.items.filter(needsPerson).length);

  readonly gates = new Loaded(() => api['outbox.gates']({}));
  readonly batches = new Loaded(() => api['outbox.batches']({}));
  /** Gates that hold now; those whose time is over open by themselves. */
  readonly closed: readonly Gate[] = $derived(
    (this.gates.value ?? []).filter(({ until }) => until === null || until > clock.now),
  );
  /** The batch whose rows are shown; null shows single sends. */
  batchId = $state<BatchId | null>(null);
  readonly rows = new Loaded(() =>
    this.batchId === null
      ? Promise.resolve<OutboxItem[]>([])
      : api['outbox.list']({ batchId: this.batchId }),
  );
  readonly shown: readonly OutboxItem[] = $derived(
    this.batchId === null ? this.items : (this.rows.value ?? []),
  );
  #calm: ReturnType<typeof setTimeout> | null = null;

  constructor() {
    on('outbox.changed', () => {
      this.#refreshSoon();
    });
    on('outbox.gatesChanged', () => void this.gates.refresh());
  }

  async showBatch(batchId: BatchId | null): Promise<void> {
    this.batchId = batchId;
    await this.rows.refresh();
  }

  #refreshSoon(): void {
    void this.list.refresh();
    this.#calm ??= setTimeout(() => {
      this.#calm = null;
      void this.batches.refresh();
      void this.gates.refresh();
      if (this.batchId !== null) void this.rows.refresh();
    }, CALM);
  }

  /** All that is known of it; null when it could not be read. */
  async history(ref: OutboxRef): Promise<OutboxHistory | null> {
    let found: OutboxHistory | null = null;
    await activity.attempt(async () => {
      found = await api['outbox.history']({ ref });
    });
    return found;
  }

  /** What closed the connection's gates is mended, says a person. */
  async resume(connectionId: ConnectionId): Promise<void> {
    await this.#change(() => api['outbox.resume']({ connectionId }));
    await this.gates.refresh();
  }

  resend(ref: OutboxRef): Promise<boolean> {
    return this.#change(() => api['outbox.settle']({ ref, decision: { as: 'resend' } }));
  }

  keep(ref: OutboxRef, remoteId: AgreementId): Promise<boolean> {
    return this.#change(() => api['outbox.settle']({ ref, decision: { as: 'keep', remoteId } }));
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
    await Promise.all([this.list.refresh(), this.rows.refresh()]);
    return done;
  }
}

export const outbox = new Outbox();
