/** How far the pointer may stray, CSS pixels, and still be a click on what it went down on. */
const SLACK = 5;
/** What answers to a click by itself; the row around it is not meant. */
const OWN_CLICK = 'a, button, input:not([type=checkbox]), select, textarea';

interface Press {
  /** Of the row. */
  readonly key: string;
  /** On its checkbox. */
  readonly isOnMark: boolean;
}

interface Place {
  readonly x: number;
  readonly y: number;
}

/**
 * Which row of a list is meant by a click. Rows come, go and change places at any time; what lay
 * under the pointer when the button went down counts, not what lies there when it comes up.
 */
export class GridPress {
  #down: Press | null = null;
  #at: Place = { x: 0, y: 0 };
  /** What the clicks before meant, newest last: both clicks of a double click must mean one row. */
  #clicks: readonly (Press | null)[] = [];

  press(event: PointerEvent): void {
    if (!event.isPrimary || event.button !== 0) return;
    this.#down = pressOn(event.target);
    this.#at = { x: event.clientX, y: event.clientY };
  }

  /** The row that a click means; null when it means none. */
  clicked(event: MouseEvent): Press | null {
    // An assistive program clicks without a pointer, and so at once.
    const press = event.detail === 0 ? pressOn(event.target) : this.#pressedBefore(event);
    this.#down = null;
    this.#clicks = [...this.#clicks.slice(-1), press];
    return press;
  }

  /** Key of the row that was clicked twice; null when the clicks meant two rows, or a checkbox. */
  clickedTwice(): string | null {
    const [first, second] = this.#clicks;
    if (!first || !second || first.isOnMark || second.isOnMark) return null;
    return first.key === second.key ? first.key : null;
  }

  #pressedBefore({ target, clientX, clientY }: MouseEvent): Press | null {
    const press = this.#down;
    if (press === null) return null;
    const strayed = Math.max(Math.abs(clientX - this.#at.x), Math.abs(clientY - this.#at.y));
    // Who drags over other rows selects text.
    return strayed <= SLACK || pressOn(target)?.key === press.key ? press : null;
  }
}

function pressOn(target: EventTarget | null): Press | null {
  if (!(target instanceof Element) || target.closest(OWN_CLICK) !== null) return null;
  const row = target.closest<HTMLElement>('[role=row][data-id]');
  const key = row?.dataset['id'];
  if (key === undefined) return null;
  return { key, isOnMark: target instanceof HTMLInputElement };
}
