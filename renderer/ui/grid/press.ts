/** Maximum distance by which the pointer may move in a click (CSS px). */
const MAX_CLICK_MOVE_PX = 5;
/** Elements that handle clicks themselves; the row around them is not clicked. */
const CLICKABLE_SELECTOR = 'a, button, input:not([type=checkbox]), select, textarea';

interface RowPress {
  /** Key of the row. */
  readonly key: string;
  /** Whether the checkbox was pressed. */
  readonly isOnMark: boolean;
}

interface PointerPosition {
  readonly x: number;
  readonly y: number;
}

/**
 * Finds the row that a click means. Rows can appear, disappear and move at any time, so it is the
 * row under the pointer when the button was pressed, not when it was released.
 */
export class GridPress {
  #down: RowPress | null = null;
  #at: PointerPosition = { x: 0, y: 0 };
  /** Rows of the previous clicks, newest last: both clicks of a double click must mean one row. */
  #clicks: readonly (RowPress | null)[] = [];

  press(event: PointerEvent): void {
    if (!event.isPrimary || event.button !== 0) return;
    this.#down = rowPressOn(event.target);
    this.#at = { x: event.clientX, y: event.clientY };
  }

  /** The row that a click means; null if it means none. */
  clicked(event: MouseEvent): RowPress | null {
    // Assistive software clicks without pressing a pointer, so the target is exact.
    const press = event.detail === 0 ? rowPressOn(event.target) : this.#pressedBefore(event);
    this.#down = null;
    this.#clicks = [...this.#clicks.slice(-1), press];
    return press;
  }

  /** Key of the double-clicked row; null if the clicks meant two rows or a checkbox. */
  clickedTwice(): string | null {
    const [first, second] = this.#clicks;
    if (!first || !second || first.isOnMark || second.isOnMark) return null;
    return first.key === second.key ? first.key : null;
  }

  #pressedBefore({ target, clientX, clientY }: MouseEvent): RowPress | null {
    const press = this.#down;
    if (press === null) return null;
    const strayed = Math.max(Math.abs(clientX - this.#at.x), Math.abs(clientY - this.#at.y));
    // A drag across other rows selects text.
    return strayed <= MAX_CLICK_MOVE_PX || rowPressOn(target)?.key === press.key ? press : null;
  }
}

function rowPressOn(target: EventTarget | null): RowPress | null {
  if (!(target instanceof Element) || target.closest(CLICKABLE_SELECTOR) !== null) return null;
  const row = target.closest<HTMLElement>('[role=row][data-id]');
  const key = row?.dataset['id'];
  if (key === undefined) return null;
  return { key, isOnMark: target instanceof HTMLInputElement };
}
