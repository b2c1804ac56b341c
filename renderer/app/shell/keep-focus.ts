import { focusScreenTitle } from './panes.ts';

/** Milliseconds: whatever closes by itself has given its focus back by then. */
const SETTLED = 100;

/**
 * Whoever works by key or listens is never dropped at the page: where what had the focus is gone and
 * nothing took it over, the title of the screen has it. The returned function ends that.
 */
export function keepFocus(): () => void {
  let last: Element | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const note = ({ target }: FocusEvent): void => {
    last = target instanceof Element ? target : null;
  };
  const isDropped = (): boolean =>
    last !== null && !last.isConnected && document.activeElement === document.body;
  const observer = new MutationObserver(() => {
    if (!isDropped()) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (isDropped()) focusScreenTitle();
    }, SETTLED);
  });
  document.addEventListener('focusin', note);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener('focusin', note);
    observer.disconnect();
    clearTimeout(timer);
  };
}
