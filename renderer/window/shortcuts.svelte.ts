export type CommandGroup = 'go' | 'do' | 'list';

/**
 * Something a person can have done by key, palette or menu. One table of these drives the keys,
 * the palette and the sheet of shortcuts, so that they cannot disagree.
 */
export interface Command {
  readonly id: string;
  readonly group: CommandGroup;
  readonly title: () => string;
  /** As tinykeys writes them, letters by key and digits by code: `$mod+Digit1`. The first is shown. */
  readonly keys: readonly string[];
  /** The keys stay with the text while focus is in a text field. */
  readonly leavesText?: boolean;
  /** Why it cannot be done now. */
  readonly reason?: () => string | null;
  readonly run: () => void;
}

/** The commands there are now, and the two overlays that show them. */
class Shortcuts {
  paletteOpen = $state(false);
  sheetOpen = $state(false);
  #sets = $state.raw<readonly (readonly Command[])[]>([]);
  readonly commands = $derived(this.#sets.flat());

  /** Adds commands for as long as a screen is shown; the returned function takes them away. */
  offer(commands: readonly Command[]): () => void {
    this.#sets = [...this.#sets, commands];
    return () => {
      this.#sets = this.#sets.filter((set) => set !== commands);
    };
  }
}

export const shortcuts = new Shortcuts();
