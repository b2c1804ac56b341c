/** Takes files that a person dropped or pasted where nothing else wanted them. */
type TakeFiles = (files: readonly File[]) => void;

/** Who takes them: whatever was offered last, as the draft that is open. */
class IncomingFiles {
  #takers: readonly TakeFiles[] = [];

  /** From now on they go there; the returned function ends that. */
  offer(take: TakeFiles): () => void {
    this.#takers = [...this.#takers, take];
    return () => {
      this.#takers = this.#takers.filter((one) => one !== take);
    };
  }

  /** False where nobody takes any. */
  give(files: readonly File[]): boolean {
    const take = this.#takers.at(-1);
    take?.(files);
    return take !== undefined;
  }
}

export const incomingFiles = new IncomingFiles();
