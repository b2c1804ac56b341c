/** Something on the screen that can be put on paper. */
export interface Printable {
  /** Why it cannot be printed now. */
  readonly reason: () => string | null;
  readonly print: () => void;
}

/** What the key for printing prints: of all that can be printed now, what was opened last. */
class Printing {
  #all = $state.raw<readonly Printable[]>([]);
  readonly current = $derived(this.#all.at(-1) ?? null);

  /** Adds something for as long as it is shown; the returned function takes it away. */
  offer(printable: Printable): () => void {
    this.#all = [...this.#all, printable];
    return () => {
      this.#all = this.#all.filter((one) => one !== printable);
    };
  }
}

export const printing = new Printing();
