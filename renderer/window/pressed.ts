/**
 * Whether a button of the mouse, a pen or a finger is pressed. Content that moves between the press
 * and the release takes the click away from the control under the pointer.
 */
let isPressed = false;
let waiting: (() => void)[] = [];

/** Elements that act when they are pressed. */
const CONTROL_SELECTOR = 'button, a[href], summary, [role=button], [role^=menuitem]';

/**
 * Decides which clicks of a double click are ignored. The system's setting for double clicks applies:
 * the browser counts the clicks at one place within this time.
 * @internal
 */
export class ClickSeries {
  /** Control of the first click; null if this click was on no control. */
  #first: unknown = null;

  /**
   * Whether a click must have no effect: it repeats the click on a button that acts once, or its
   * control has appeared below the pointer since the first click.
   * @param clicks Number of clicks until now; 0 for a key and for assistive software.
   * @param control The clicked control; null if the click is on no control.
   * @param actsOnce Whether a double click on the control means one click.
   */
  isRepetition(clicks: number, control: unknown, actsOnce: boolean): boolean {
    if (clicks <= 1) {
      this.#first = control;
      return false;
    }
    return control !== null && (actsOnce || control !== this.#first);
  }
}

/**
 * Time of a slow double click (ms) and distance between its clicks (CSS px): a press has no count of
 * clicks.
 */
const DOUBLE_PRESS_MS = 1000;
const DOUBLE_PRESS_PX = 8;

interface PressPlace {
  /** Time of the press (ms, as in `performance.now()`). */
  readonly at: number;
  readonly x: number;
  readonly y: number;
}

/**
 * Whether two presses are at one place, within the time of a slow double click.
 * @internal
 */
export const isDoublePress = (first: PressPlace, second: PressPlace): boolean =>
  second.at - first.at <= DOUBLE_PRESS_MS &&
  Math.hypot(second.x - first.x, second.y - first.y) <= DOUBLE_PRESS_PX;

const controlOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>(CONTROL_SELECTOR) : null;

function suppress(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** A held Enter key must not press a control again, nor a control that has just got the focus. */
function ignoreHeldEnter(event: KeyboardEvent): void {
  if (!event.repeat || event.key !== 'Enter') return;
  const { target } = event;
  const control = controlOf(target);
  if (control !== null && control.dataset['presses'] !== 'many') return suppress(event);
  // The search in a PDF goes on to the next page with each Enter. Other forms are sent once.
  const isSentByKey = target instanceof HTMLInputElement && target.form?.role !== 'search';
  if (isSentByKey) event.preventDefault();
}

/**
 * Records presses and releases in the whole window, and ignores repeated presses. Returns a function
 * that stops this.
 */
export function watchPresses(): () => void {
  const series = new ClickSeries();
  let last: PressPlace = { at: -Infinity, x: 0, y: 0 };
  let pressed: HTMLElement | null = null;
  // Menus open on a press, and a press outside a dialog closes it, before any click is reported.
  const down = (event: PointerEvent): void => {
    const place = { at: event.timeStamp, x: event.clientX, y: event.clientY };
    const isSecond = isDoublePress(last, place);
    const isElsewhere = event.target instanceof Node && pressed?.contains(event.target) === false;
    if (isSecond && isElsewhere) suppress(event);
    if (!isSecond) pressed = controlOf(event.target);
    last = place;
  };
  const click = (event: MouseEvent): void => {
    const control = controlOf(event.target);
    const actsOnce = control?.dataset['presses'] === 'once';
    if (series.isRepetition(event.detail, control, actsOnce)) suppress(event);
  };
  const press = (): void => {
    isPressed = true;
  };
  const release = (): void => {
    // The browser sends the click directly after the release.
    setTimeout(() => {
      isPressed = false;
      for (const resume of waiting) resume();
      waiting = [];
    });
  };
  document.addEventListener('pointerdown', press, { capture: true });
  const ends = ['pointerup', 'pointercancel'] as const;
  for (const end of ends) document.addEventListener(end, release, { capture: true });
  // A release outside the window may not be reported.
  window.addEventListener('blur', release);
  // On the window, these listeners are called before those of the controls.
  window.addEventListener('pointerdown', down, { capture: true });
  window.addEventListener('click', click, { capture: true });
  window.addEventListener('keydown', ignoreHeldEnter, { capture: true });
  return () => {
    window.removeEventListener('pointerdown', down, { capture: true });
    window.removeEventListener('click', click, { capture: true });
    window.removeEventListener('keydown', ignoreHeldEnter, { capture: true });
    document.removeEventListener('pointerdown', press, { capture: true });
    for (const end of ends) document.removeEventListener(end, release, { capture: true });
    window.removeEventListener('blur', release);
  };
}

/** Resolves immediately if nothing is pressed, otherwise after the click. */
export async function released(): Promise<void> {
  if (isPressed) await new Promise<void>((resume) => waiting.push(resume));
}
