import { SvelteSet } from 'svelte/reactivity';
import {
  OpenedReview,
  type Identity,
  type ReviewDocument,
  type SigningItem,
} from '../../../shared/contract/signing.ts';
import { AppError, type Failure } from '../../../shared/errors.ts';
import { m } from '../../ui/language.svelte.ts';
import { api, failureOf } from '../../window/desk.ts';
import { activity } from '../../window/activity.svelte.ts';
import { jobs } from '../../window/jobs.svelte.ts';
import { saveThrough } from '../../window/save-bytes.ts';
import { keyOf, signing } from './state.svelte.ts';

/** Address of a document's bytes on the page's own origin. */
export const addressOf = ({ bytesId }: ReviewDocument): string => `/bytes/out/${bytesId}`;

/** The documents that a user reads before signing, one agreement at a time. */
class SigningReviewing {
  /** Key of the item whose documents are open. */
  of = $state<string | null>(null);
  opened = $state.raw<OpenedReview | null>(null);
  opening = $state(false);
  failure = $state.raw<Failure | null>(null);
  shown = $state(0);
  /** Documents of which a page was drawn. */
  readonly #drawn = new SvelteSet<ReviewDocument>();
  /** Documents that the program could not show. */
  readonly #failed = new SvelteSet<ReviewDocument>();
  /** Documents that the user states to have read outside the program. */
  readonly #stated = new SvelteSet<ReviewDocument>();

  #turn = 0;

  /** Downloads and hashes the documents to be signed. */
  async open(item: SigningItem): Promise<void> {
    const turn = ++this.#turn;
    this.of = keyOf(item);
    this.opened = null;
    this.failure = null;
    for (const documents of [this.#drawn, this.#failed, this.#stated]) documents.clear();
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
  }

  /** Records the document at this address as drawn, or as a document that cannot be shown. */
  record(address: string, outcome: 'drawn' | 'failed'): void {
    const document = this.opened?.documents.find((one) => addressOf(one) === address);
    if (document === undefined) return;
    if (outcome === 'drawn') this.#drawn.add(document);
    else this.#failed.add(document);
  }

  /** Whether the user has to read a document outside the program, because it cannot be shown. */
  isOutside(document: ReviewDocument): boolean {
    return document.mimeType !== 'application/pdf' || this.#failed.has(document);
  }

  isStated(document: ReviewDocument): boolean {
    return this.#stated.has(document);
  }

  state(document: ReviewDocument, isRead: boolean): void {
    if (isRead) this.#stated.add(document);
    else this.#stated.delete(document);
  }

  /**
   * Whether a document was neither drawn nor read outside the program: only the other documents may
   * count as reviewed.
   */
  get hasUnseen(): boolean {
    return (this.opened?.documents ?? []).some((one) =>
      this.isOutside(one) ? !this.#stated.has(one) : !this.#drawn.has(one),
    );
  }

  /** Saves a document into a folder that the user chooses. */
  async save(item: SigningItem, document: ReviewDocument): Promise<void> {
    const key = { connectionId: item.connectionId, id: item.id };
    await activity.attempt(
      () =>
        saveThrough(async (folder) => {
          const documentId = document.id;
          const saved = await api['actions.saveDocuments']({ key, folder, documentId });
          const [file] = saved.files;
          if (file !== undefined) return file;
          const [refused] = saved.failed;
          if (refused === undefined) throw new AppError('unexpected', 'No file was saved');
          throw AppError.from(refused.failure);
        }),
      'actions.saveDocuments',
    );
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
    const opened = this.of === keyOf(item) ? this.opened : null;
    const reviewId = opened?.reviewId;
    const elsewhere = (opened?.documents ?? [])
      .filter((one) => this.isOutside(one) && this.isStated(one))
      .map((one) => one.id);
    const isDone = await activity.attempt(async () => {
      await api['signing.markReviewed']({
        connectionId,
        id,
        identityId: reviewer.id,
        ...(reviewId !== undefined && { reviewId, elsewhere }),
      });
    }, 'signing.markReviewed');
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
    }, 'signing.approve');
    if (!isDone) return false;
    this.close();
    await signing.goOn(item);
    return true;
  }
}

export const reviewing = new SigningReviewing();
