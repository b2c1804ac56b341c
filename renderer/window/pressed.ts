/**
 * Whether a button of the mouse, a pen or a finger is pressed. Content that moves between the press
 * and the release takes the click away from the control under the pointer.
 */
let isPressed = false;
let waiting: (() => void)[] = [];

/** Records presses and releases in the whole window; returns a function that stops this. */
export function watchPresses(): () => void {
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
  return () => {
    document.removeEventListener('pointerdown', press, { capture: true });
    for (const end of ends) document.removeEventListener(end, release, { capture: true });
    window.removeEventListener('blur', release);
  };
}

/** Resolves immediately if nothing is pressed, otherwise after the click. */
export async function released(): Promise<void> {
  if (isPressed) await new Promise<void>((resume) => waiting.push(resume));
}
