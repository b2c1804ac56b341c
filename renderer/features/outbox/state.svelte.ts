import type {
  AgreementId,
  BatchId,
  ConnectionId,
  DraftId,
  OutboxRef,
} from '../../../shared/model/ids.ts';
import type {
  ConnectionGate,
  OutboxBatch,
  OutboxHistory,
  OutboxItem,
} from '../../../shared/contract/outbox.ts';
import { api, on } from '../../window/desk.ts';
import { isOpenItem, openRows, type OpenedBatch, type OutboxLine, outboxLines } from './lines.ts';
import { conditionOf, isForPerson } from './words.ts';
import { activity } from '../../window/activity.svelte.ts';
import { clock } from '../../window/clock.svelte.ts';
import { errorSentenceOf } from '../../window/refusal.ts';
import { Loaded } from '../../window/loaded.svelte.ts';
import { type OutboxPlace, placeIn, placeOf } from './place.ts';
import { router } from '../../window/router.svelte.ts';

/** Whether the item cannot change until a user decides. */
const needsPerson = (item: OutboxItem): boolean =>
  item.state === 'unknown' || isForPerson(conditionOf(item));

const requiresDecision = ({ gate, counts }: Pick<OutboxBatch, 'gate' | 'counts'>): boolean =>
  gate === 'asks' && counts.queued > 0;

/**
 * Number of decisions that a batch needs: one for each such row, and one more if the program
 * stopped it.
 */
const attentionOf = ({ needsPerson: rows, gate, counts }: OutboxBatch): number =>
  rows + (requiresDecision({ gate, counts }) ? 1 : 0);

/** Minimum time between two reads of the list (ms): rows of a batch change many times a second. */
const MIN_OUTBOX_READ_INTERVAL_MS = 250;

class Outbox {
  readonly list = new Loaded(() => api['outbox.list']({}));
  readonly items: readonly OutboxItem[] = $derived(this.list.value ?? []);
  readonly open = $derived(this.items.filter(isOpenItem));
  /** Sends that Undo can still cancel, newest first. */
  readonly held = $derived(this.items.filter((item) => conditionOf(item) === 'held'));
  readonly gates = new Loaded(() => api['outbox.gates']({}));
  readonly batches = new Loaded(() => api['outbox.batches']({}));
  readonly #single = $derived(this.items.filter(needsPerson).length);
  /** Number of items that need a user: single sends, rows of batches, and batches to resume. */
  readonly attention = $derived(
    (this.batches.value ?? []).reduce((sum, one) => sum + attentionOf(one), this.#single),
  );
  /** Number of single sends and whole batches that only the user can decide. */
  readonly decisions = $derived(
    this.items.filter((item) => isForPerson(conditionOf(item))).length +
      (this.batches.value ?? []).filter(requiresDecision).length,
  );
  readonly openCount = $derived(
    (this.batches.value ?? []).reduce((sum, one) => sum + openRows(one), this.open.length),
  );
  /**
   * Parts of the address that show the items that need a user; for several lists, the first one.
   */
  readonly attentionPlace: readonly string[] = $derived.by(() => {
    const batch = (this.batches.value ?? []).find((one) => attentionOf(one) > 0);
    if (this.#single > 0 || batch === undefined) return [];
    return placeOf({ batchId: batch.batchId, needsPerson: batch.needsPerson > 0, ref: null });
  });
  /** Gates that block sending now; a gate with a time limit ends automatically. */
  readonly closed: readonly ConnectionGate[] = $derived(
    (this.gates.value ?? []).filter(({ until }) => until === null || until > clock.now),
  );
  /** Line that the address names, and which rows of its batch are listed. */
  readonly place: OutboxPlace = $derived(
    router.screen === 'outbox' ? placeIn(router.parts) : placeIn([]),
  );
  /** The batch whose rows are listed; null for none. */
  opened = $state.raw<OpenedBatch | null>(null);
  /** Rows of the opened batch; null until they are read. */
  readonly rows = new Loaded(() => this.#readRows());
  readonly lines: readonly OutboxLine[] = $derived.by(() => {
    const { items, opened } = this;
    const batches = this.batches.value ?? [];
    const read = this.rows.value;
    const rows = read !== null && read.of === opened ? read.items : [];
    return outboxLines({ items, batches, opened, rows });
  });
  #calm: ReturnType<typeof setTimeout> | null = null;

  constructor() {
    on('outbox.changed', () => {
      this.#refreshSoon();
    });
    on('outbox.gatesChanged', () => void this.gates.refresh());
  }

  /** Lists the rows of a batch below its line, and hides those of any other batch. */
  openBatch(batchId: BatchId, isNarrowed: boolean): void {
    this.opened = { batchId, needsPerson: isNarrowed };
    void this.rows.refresh();
  }

  toggleBatch(batchId: BatchId): void {
    if (this.opened?.batchId === batchId) this.opened = null;
    else this.openBatch(batchId, false);
  }

  async #readRows(): Promise<{ readonly of: OpenedBatch; readonly items: OutboxItem[] } | null> {
    const { opened: of } = this;
    if (of === null) return null;
    const items = await api['outbox.list'](of);
    return { of, items };
  }

  #refreshSoon(): void {
    void this.list.refresh();
    this.#calm ??= setTimeout(() => {
      this.#calm = null;
      void this.batches.refresh();
      void this.gates.refresh();
      if (this.opened !== null) void this.rows.refresh();
    }, MIN_OUTBOX_READ_INTERVAL_MS);
  }

  /** Complete history of a send; null if it could not be read. */
  async history(ref: OutboxRef): Promise<OutboxHistory | null> {
    let found: OutboxHistory | null = null;
    await activity.attempt(async () => {
      found = await api['outbox.history']({ ref });
    });
    return found;
  }

  /** Resumes a connection after the user confirmed that the problem that blocked it is fixed. */
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

  /** Cancels a send; returns the draft that can be edited again, if there is one. */
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

  reconcile(ref: OutboxRef): Promise<boolean> {
    return this.#change(() => api['outbox.look']({ ref }));
  }

  settleAsSent(ref: OutboxRef, remoteId: AgreementId): Promise<boolean> {
    return this.#change(() => this.#recordSent(ref, remoteId));
  }

  /** Records an item as sent; returns the reason if the ID cannot be accepted, otherwise null. */
  async recordSentAs(ref: OutboxRef, remoteId: AgreementId): Promise<string | null> {
    const refusal = await errorSentenceOf(() => this.#recordSent(ref, remoteId));
    await Promise.all([this.list.refresh(), this.rows.refresh()]);
    return refusal;
  }

  #recordSent(ref: OutboxRef, remoteId: AgreementId): Promise<unknown> {
    return api['outbox.settle']({ ref, decision: { as: 'sent', remoteId } });
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
