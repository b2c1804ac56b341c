/** One action of a menu, or the reason why it is unavailable now. */
export interface MenuAction {
  readonly id: string;
  readonly label: string;
  readonly reason: string | null;
  readonly danger?: boolean;
  readonly run: () => void;
}
