import { Steps } from '../../../window/steps.svelte.ts';
import type { UndoWay } from '../../../window/undo.svelte.ts';

const MAX_STEPS = 200;

/** Undo steps of open content: the content after each edit. */
export class ContentSteps<Content> {
  readonly #steps = new Steps<{ readonly content: Content }>(MAX_STEPS);
  #now: Content;
  #edit: string | null = null;

  constructor(start: Content) {
    this.#now = start;
  }

  get reach(): Readonly<Record<UndoWay, number>> {
    return this.#steps.reach;
  }

  /** Records an edit. Consecutive edits named the same are one step; null is a separate step. */
  record(content: Content, edit: string | null): void {
    if (isSame(content, this.#now)) return;
    const isLonger = edit !== null && edit === this.#edit;
    if (!isLonger) this.#steps.add({ content: this.#now });
    // Text typed and deleted again is not a step.
    else if (isSame(content, this.#steps.next('undo')?.content)) {
      this.#steps.dropLast();
      edit = null;
    }
    this.#now = content;
    this.#edit = edit;
  }

  /**
   * Records a change that cannot be undone: the content is `now`, and `work` converts all earlier
   * steps.
   */
  rebase(now: Content, work: (content: Content) => Content): void {
    this.#steps.rework(({ content }) => ({ content: work(content) }));
    this.#now = now;
    this.#edit = null;
  }

  /** Content one step back or forward; null if there is no further step. */
  go(by: UndoWay): Content | null {
    const next = this.#steps.next(by);
    if (next === undefined) return null;
    this.#steps.took(by, next, { content: this.#now });
    this.#now = next.content;
    this.#edit = null;
    return this.#now;
  }
}

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
