/** Receives files that the user dropped or pasted outside of any other target. */
type TakeFiles = (files: readonly File[]) => void;

/** Passes files to the target offered last, for example the open draft. */
class IncomingFiles {
  #takers: readonly TakeFiles[] = [];

  /** Registers a target for files; the returned function removes it. */
  offer(take: TakeFiles): () => void {
    this.#takers = [...this.#takers, take];
    return () => {
      this.#takers = this.#takers.filter((one) => one !== take);
    };
  }

  /** Passes files to the last target. Returns false if there is no target. */
  give(files: readonly File[]): boolean {
    const take = this.#takers.at(-1);
    take?.(files);
    return take !== undefined;
  }
}

export const incomingFiles = new IncomingFiles();
