import type { UndoWay } from './undo.svelte.ts';

/**
 * The steps of what is edited on one screen, for as long as it is open. Two others live elsewhere,
 * as they last otherwise: those of a draft lie in the data file and outlive the program
 * (`drafts/editor/edits.ts` gathers what becomes one), and those of a text that has the focus are
 * the browser's own (`text-undo.ts`).
 */
export class Steps<Step> {
  readonly #most: number;
  /** What leads back and on; the nearest last. */
  #behind = $state.raw<readonly Step[]>([]);
  #ahead = $state.raw<readonly Step[]>([]);
  readonly reach = $derived({ undo: this.#behind.length, redo: this.#ahead.length });

  /** Of more than `most` the oldest are let go. */
  constructor(most: number) {
    this.#most = most;
  }

  /** An edit was made, and `back` leads back from it. Nothing leads on any more. */
  add(back: Step): void {
    this.#behind = [...this.#behind, back].slice(-this.#most);
    this.#ahead = [];
  }

  /** What leads one step that way; undefined at an end. It stays until it was taken. */
  next(by: UndoWay): Step | undefined {
    return (by === 'undo' ? this.#behind : this.#ahead).at(-1);
  }

  /** The step was taken that way, and `back` leads the other. */
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

  /** The last edit came to nothing: what led back from it is no step. */
  dropLast(): void {
    this.#behind = this.#behind.slice(0, -1);
  }

  /** What the steps are about was renamed elsewhere: they lead to the same, under its new names. */
  rework(work: (step: Step) => Step): void {
    this.#behind = this.#behind.map(work);
    this.#ahead = this.#ahead.map(work);
  }

  clear(): void {
    this.#behind = this.#ahead = [];
  }
}
