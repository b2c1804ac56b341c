/** Something that can be taken back, or done again, by key. */
export interface Undoable {
  /** What it would be, for the button: “Restore Lease 4”. Null shows no button. */
  readonly label: (() => string) | null;
  /** Why there is nothing now, in words. */
  readonly reason: () => string | null;
  readonly run: () => void;
}

/** What Ctrl+Z and Ctrl+Shift+Z do on the screen that is shown. A send that is held comes first. */
class Undo {
  back = $state.raw<Undoable | null>(null);
  again = $state.raw<Undoable | null>(null);

  /** Until the returned function is called. */
  offer(back: Undoable, again: Undoable | null = null): () => void {
    this.back = back;
    this.again = again;
    return () => {
      if (this.back === back) this.clear();
    };
  }

  clear(): void {
    this.back = null;
    this.again = null;
  }
}

export const undo = new Undo();
