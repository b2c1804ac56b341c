export type CommandGroup = 'go' | 'do' | 'list';

/**
 * An action available by key, palette or menu. One table of commands drives the keys, the palette
 * and the list of shortcuts, so that they cannot disagree.
 */
export interface Command {
  readonly id: string;
  readonly group: CommandGroup;
  readonly title: () => string;
  /**
   * Keys in tinykeys syntax, letters by key and digits by code, as in `$mod+Digit1`. The first is
   * shown.
   */
  readonly keys: readonly string[];
  /** Whether a focused text field handles these keys itself; it always handles characters. */
  readonly leavesText?: boolean;
  /** Reason why the command is unavailable now; null if it is available. */
  readonly reason?: () => string | null;
  readonly run: () => void;
}

class Shortcuts {
  paletteOpen = $state(false);
  sheetOpen = $state(false);
  #sets = $state.raw<readonly (readonly Command[])[]>([]);
  readonly commands = $derived(this.#sets.flat());

  /** Adds commands while a screen is shown; the returned function removes them. */
  offer(commands: readonly Command[]): () => void {
    this.#sets = [...this.#sets, commands];
    return () => {
      this.#sets = this.#sets.filter((set) => set !== commands);
    };
  }
}

export const shortcuts = new Shortcuts();
