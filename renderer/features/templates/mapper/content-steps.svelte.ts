import { Steps } from '../../../window/steps.svelte.ts';
import type { UndoWay } from '../../../window/undo.svelte.ts';

/** As many as anybody wants back. */
const MAX_STEPS = 200;

/** What something was after each of its edits, for as long as it is open. */
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

  /** Takes note of an edit. Of the same `edit` in a row the whole is one step; null is one by itself. */
  record(content: Content, edit: string | null): void {
    if (isSame(content, this.#now)) return;
    const isLonger = edit !== null && edit === this.#edit;
    if (!isLonger) this.#steps.add({ content: this.#now });
    // Typing back to where it began is no step.
    else if (isSame(content, this.#steps.next('undo')?.content)) {
      this.#steps.dropLast();
      edit = null;
    }
    this.#now = content;
    this.#edit = edit;
  }

  /** Something that no step leads back from was done: `now` is there, and every step is as `work` has it. */
  rebase(now: Content, work: (content: Content) => Content): void {
    this.#steps.rework(({ content }) => ({ content: work(content) }));
    this.#now = now;
    this.#edit = null;
  }

  /** What is one step back or on; null at an end. */
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
