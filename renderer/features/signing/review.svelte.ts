import { SvelteSet } from 'svelte/reactivity';
import { OpenedReview, type Identity, type SigningItem } from '../../../shared/contract/signing.ts';
import type { Failure } from '../../../shared/errors.ts';
import { m } from '../../ui/language.svelte.ts';
import { api, failureOf } from '../../window/desk.ts';
import { activity } from '../../window/activity.svelte.ts';
import { jobs } from '../../window/jobs.svelte.ts';
import { keyOf, signing } from './state.svelte.ts';

/** The documents that a user reads before signing, one agreement at a time. */
class SigningReviewing {
  /** Key of the item whose documents are open. */
  of = $state<string | null>(null);
  opened = $state.raw<OpenedReview | null>(null);
  opening = $state(false);
  failure = $state.raw<Failure | null>(null);
  shown = $state(0);
  readonly #seen = new SvelteSet<number>();

  #turn = 0;

  /** Downloads and hashes the documents to be signed. */
  async open(item: SigningItem): Promise<void> {
    const turn = ++this.#turn;
    this.of = keyOf(item);
    this.opened = null;
    this.failure = null;
    this.#seen.clear();
    this.show(0);
    this.opening = true;
    try {
      const { connectionId, id } = item;
      const { jobId } = await api['signing.review']({ connectionId, id });
      const { result, failure } = await jobs.outcome(jobId);
      if (turn !== this.#turn) return;
      this.failure = failure;
      if (result !== null) this.opened = OpenedReview.parse(result);
    } catch (error) {
      if (turn === this.#turn) this.failure = failureOf(error);
    } finally {
      if (turn === this.#turn) this.opening = false;
    }
  }

  get isReading(): boolean {
    return this.of !== null;
  }

  step(by: 1 | -1): void {
    const next = this.shown + by;
    if (this.opened?.documents[next] !== undefined) this.show(next);
  }

  show(index: number): void {
    this.shown = index;
    this.#seen.add(index);
  }

  /** Whether a document was never shown: only documents that were shown may count as reviewed. */
  get hasUnseen(): boolean {
    return this.#seen.size < (this.opened?.documents.length ?? 0);
  }

  close(): void {
    this.#turn += 1;
    this.of = null;
    this.opened = null;
    this.opening = false;
    this.failure = null;
  }

  /**
   * Records the review, selects the item for signing and moves to the next item without a review.
   */
  async mark(item: SigningItem, reviewer: Identity): Promise<boolean> {
    const { connectionId, id } = item;
    const reviewId = this.of === keyOf(item) ? this.opened?.reviewId : undefined;
    const isDone = await activity.attempt(async () => {
      await api['signing.markReviewed']({
        connectionId,
        id,
        identityId: reviewer.id,
        ...(reviewId !== undefined && { reviewId }),
      });
    });
    if (!isDone) return false;
    this.close();
    await signing.reviewed(item);
    // The next item is shown, so only a message can show the missing approval of this item.
    const { title } = item;
    if (signing.waitsForApproval(item)) activity.notify(() => m.signing_review_waits({ title }));
    return true;
  }

  /** Records a second person's approval, and moves to the next item that is not ready. */
  async approve(item: SigningItem, approver: Identity): Promise<boolean> {
    const { connectionId, id } = item;
    const isDone = await activity.attempt(async () => {
      await api['signing.approve']({ connectionId, id, identityId: approver.id });
    });
    if (!isDone) return false;
    this.close();
    await signing.goOn(item);
    return true;
  }
}

export const reviewing = new SigningReviewing();
