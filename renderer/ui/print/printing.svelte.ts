export interface Printable {
  readonly reason: () => string | null;
  readonly print: () => void;
}

/**
 * Content that the print shortcut prints: of all printable content, the part that was opened last.
 */
class Printing {
  #all = $state.raw<readonly Printable[]>([]);
  readonly current = $derived(this.#all.at(-1) ?? null);

  /** Adds content while it is shown; the returned function removes it. */
  offer(printable: Printable): () => void {
    this.#all = [...this.#all, printable];
    return () => {
      this.#all = this.#all.filter((one) => one !== printable);
    };
  }
}

export const printing = new Printing();
