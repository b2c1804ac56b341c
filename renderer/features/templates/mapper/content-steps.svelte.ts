import type { UndoWay } from '../../../window/undo.svelte.ts';

/** As many as anybody wants back. */
const MOST = 200;

/** What something was after each of its edits, for as long as it is open. */
export class ContentSteps<Content> {
  /** Both without the present one, and the nearest last. */
  #behind = $state.raw<readonly Content[]>([]);
  #ahead = $state.raw<readonly Content[]>([]);
  #now: Content;
  #edit: string | null = null;
  readonly reach = $derived({ undo: this.#behind.length, redo: this.#ahead.length });

  constructor(start: Content) {
    this.#now = start;
  }

  /** Takes note of an edit. Of the same `edit` in a row the whole is one step; null is one by itself. */
  record(content: Content, edit: string | null): void {
    if (isSame(content, this.#now)) return;
    const isLonger = edit !== null && edit === this.#edit;
    if (!isLonger) this.#behind = [...this.#behind, this.#now].slice(-MOST);
    // Typing back to where it began is no step.
    else if (isSame(content, this.#behind.at(-1))) {
      this.#behind = this.#behind.slice(0, -1);
      edit = null;
    }
    this.#ahead = [];
    this.#now = content;
    this.#edit = edit;
  }

  /** What is one step back or on; null at an end. */
  go(by: UndoWay): Content | null {
    const [from, to] = by === 'undo' ? [this.#behind, this.#ahead] : [this.#ahead, this.#behind];
    const next = from.at(-1);
    if (next === undefined) return null;
    const rest = [from.slice(0, -1), [...to, this.#now]] as const;
    [this.#behind, this.#ahead] = by === 'undo' ? rest : [rest[1], rest[0]];
    this.#now = next;
    this.#edit = null;
    return next;
  }
}

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
