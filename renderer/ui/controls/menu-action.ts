/** One thing that can be done from a menu, or the reason why it cannot be done now. */
export interface MenuAction {
  readonly id: string;
  readonly label: string;
  readonly reason: string | null;
  /** It cannot be undone. */
  readonly danger?: boolean;
  readonly run: () => void;
}
