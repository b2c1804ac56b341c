import type { UndoWay } from './undo.svelte.ts';

/**
 * Undo steps of the item edited on one screen, for as long as it is open. Two other kinds of steps
 * live longer. Those of a draft are in the data file and survive a restart
 * (`drafts/editor/edits.ts` groups edits into steps). Those of a focused text field are the
 * browser's (`text-undo.ts`).
 */
export class Steps<Step> {
  readonly #most: number;
  /** Steps to undo and to redo; the nearest last. */
  #behind = $state.raw<readonly Step[]>([]);
  #ahead = $state.raw<readonly Step[]>([]);
  readonly reach = $derived({ undo: this.#behind.length, redo: this.#ahead.length });

  /** Keeps at most `most` steps; the oldest are dropped. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Records an edit that `back` undoes, and clears the steps to redo. */
  add(back: Step): void {
    this.#behind = [...this.#behind, back].slice(-this.#most);
    this.#ahead = [];
  }

  /**
   * The next step in this direction; undefined if there is none. It stays until `took` is called.
   */
  next(by: UndoWay): Step | undefined {
    return (by === 'undo' ? this.#behind : this.#ahead).at(-1);
  }

  /** Records that the user made the step; `back` is its reverse. */
  took(by: UndoWay, step: Step, back: Step): void {
    const isOther = (one: Step): boolean => one !== step;
    if (by === 'undo') {
      this.#behind = this.#behind.filter(isOther);
      this.#ahead = [...this.#ahead, back];
    } else {
      this.#ahead = this.#ahead.filter(isOther);
      this.#behind = [...this.#behind, back];
    }
  }

  /** Drops the last step, because its edit changed nothing. */
  dropLast(): void {
    this.#behind = this.#behind.slice(0, -1);
  }

  /** Updates all steps after a rename elsewhere, so that they still refer to the same things. */
  rework(work: (step: Step) => Step): void {
    this.#behind = this.#behind.map(work);
    this.#ahead = this.#ahead.map(work);
  }

  clear(): void {
    this.#behind = this.#ahead = [];
  }
}
