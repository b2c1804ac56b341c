/** One action of a menu, or the reason why it is unavailable now. */
export interface MenuAction {
  readonly id: string;
  readonly label: string;
  readonly reason: string | null;
  readonly danger?: boolean;
  /** Shortcut shown after the label, for example `Ctrl N`. */
  readonly keys?: string;
  /** Test id of the item; by default, that of the menu followed by the id of the action. */
  readonly testid?: string;
  readonly run: () => void;
}
