import type { Page } from 'playwright';

/**
 * Selector of the grid that may scroll sideways: the author of a spreadsheet decides how many
 * columns it has.
 */
const SCROLLED_SIDEWAYS = '[data-testid="batch.grid"], [data-testid="batch.grid"] *';

/**
 * Texts that are cut in the current window. Allowed are rows of a list and the line above it, whose
 * full text is shown under the pointer; texts with a full title; and values in fields, which
 * scroll. A field's own hint may not be cut.
 */
export function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate((SIDEWAYS) => {
    const found = new Set<string>();
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode() !== null) {
      const { parentElement: element, textContent } = texts.currentNode;
      const text = textContent?.trim() ?? '';
      if (element === null || text === '' || !isRead(element) || isWholeElsewhere(element, text)) {
        continue;
      }
      if (isCut(texts.currentNode, element)) found.add(text.slice(0, 60));
    }
    for (const input of document.querySelectorAll<HTMLInputElement>('input[placeholder]')) {
      if (input.value === '' && isRead(input) && isHintCut(input)) found.add(input.placeholder);
    }
    for (const select of document.querySelectorAll('select')) {
      const chosen = select.selectedOptions[0]?.text ?? '';
      if (isRead(select) && select.title === '' && widthOf(chosen, select) > roomIn(select)) {
        found.add(chosen);
      }
    }
    return [...found];

    function isRead(element: Element): boolean {
      return (
        element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
        // Elements one pixel wide are for screen readers only.
        element.clientWidth !== 1 &&
        element.closest('.visually-hidden, option, script, style, [inert], pre') === null &&
        // A page of a document can be larger than the window, and is scrolled in it.
        element.closest('[data-testid="pdf.page"]') === null
      );
    }

    function isWholeElsewhere(element: Element, text: string): boolean {
      if (element.closest('.grid-row, .grid-header') !== null) return true;
      const titled = element.closest('[title]');
      return titled?.getAttribute('title')?.includes(text) === true;
    }

    /**
     * Whether the text is beyond the edge of its container: users who scroll down do not look for
     * more text at the side.
     */
    function isCut(node: Node, element: Element): boolean {
      const range = document.createRange();
      range.selectNodeContents(node);
      const box = range.getBoundingClientRect();
      if (box.width === 0) return false;
      for (let at: Element | null = element; at !== null; at = at.parentElement) {
        const { overflowX, overflowY, position } = getComputedStyle(at);
        const edge = at.getBoundingClientRect();
        const hidesAside = overflowX === 'hidden' || overflowX === 'clip';
        const hidesBelow = overflowY === 'hidden' || overflowY === 'clip';
        if (hidesAside && (box.right > edge.right + 1 || box.left < edge.left - 1)) return true;
        if (hidesBelow && (box.bottom > edge.bottom + 2 || box.top < edge.top - 2)) return true;
        const scrolls = overflowY === 'auto' || overflowY === 'scroll';
        if (scrolls && !at.matches(SIDEWAYS) && box.right > edge.left + at.clientWidth + 1) {
          return true;
        }
        if (scrolls) return false;
        if (position === 'fixed') break;
      }
      return box.right > document.documentElement.clientWidth + 1;
    }

    function widthOf(text: string, element: Element): number {
      const context = document.createElement('canvas').getContext('2d');
      if (context === null) return 0;
      context.font = getComputedStyle(element).font;
      return context.measureText(text).width;
    }

    function roomIn(element: Element): number {
      const { paddingLeft, paddingRight } = getComputedStyle(element);
      return element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    }

    function isHintCut(input: HTMLInputElement): boolean {
      return input.title === '' && widthOf(input.placeholder, input) > roomIn(input) + 1;
    }
  }, SCROLLED_SIDEWAYS);
}
