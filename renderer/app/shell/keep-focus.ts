import { focusScreenTitle } from './panes.ts';

/** Time after which every closing overlay has returned its focus (ms). */
const FOCUS_SETTLED_MS = 100;

/**
 * Keeps the focus for keyboard and screen reader users: if the focused element is removed and
 * nothing else takes the focus, the screen's title gets it. The returned function stops this.
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
    }, FOCUS_SETTLED_MS);
  });
  document.addEventListener('focusin', note);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener('focusin', note);
    observer.disconnect();
    clearTimeout(timer);
  };
}
