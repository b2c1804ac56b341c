/** Selector of the panes between which a key moves; a pane that contains other panes is skipped. */
const PANE_SELECTOR = '[data-pane]:not(:has([data-pane]))';
const FOCUSABLE_SELECTOR =
  'a[href], button:not([disabled]), input:not([disabled]), select, textarea, [tabindex]:not([tabindex="-1"])';

/** Selector of search fields, and of buttons that open and focus a search field. */
const SEARCH_SELECTOR = ':is(input, button)[data-search]';

const isElementShown = (element: HTMLElement): boolean => element.checkVisibility();

function findShown(root: ParentNode, selector: string): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>(selector)].filter(isElementShown);
}

/** Moves the focus to the next (1) or previous (-1) pane, wrapping around. */
export function movePane(step: 1 | -1): void {
  const panes = findShown(document, PANE_SELECTOR);
  const at = panes.findIndex((pane) => pane.contains(document.activeElement));
  const next = panes[(at + step + panes.length) % panes.length];
  if (next === undefined) return;
  const wanted = findShown(next, '[role=grid], [aria-current=page]')[0];
  (wanted ?? findShown(next, FOCUSABLE_SELECTOR)[0] ?? next).focus();
}

/**
 * Focuses the search field of the focused pane, or the first one of the screen (list, document or
 * guide) if the pane has none. Returns whether there is one.
 */
export function focusSearch(): boolean {
  const pane = document.activeElement?.closest('[data-pane]') ?? document;
  const [near] = findShown(pane, SEARCH_SELECTOR);
  const [first] = findShown(document, SEARCH_SELECTOR);
  const search = near ?? first;
  if (search === undefined) return false;
  if (search instanceof HTMLInputElement) {
    search.focus();
    search.select();
  } else search.click();
  return true;
}

/**
 * Focuses the heading of the screen so that it is read out, or the start of a screen without a
 * heading.
 */
export function focusScreenTitle(): void {
  const title = document.querySelector<HTMLElement>('[data-screen-title]');
  (title ?? document.querySelector<HTMLElement>('main'))?.focus();
}

export function isFromTextField({ target }: Event): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, [contenteditable]');
}
