import type { Page } from 'playwright';

/**
 * Returns visible and spoken texts of the page in its own language. The guide and licences declare
 * English to screen readers; a document has its own language.
 */
export function readAll(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found = new Set<string>();
    const { lang } = document.documentElement;
    const isOwn = (element: Element | null): boolean =>
      element?.closest('[lang]')?.getAttribute('lang') === lang &&
      element.closest('[data-testid="pdf.page"], [translate=no]') === null;
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode() !== null) {
      const { parentElement, textContent } = texts.currentNode;
      if (!isOwn(parentElement)) continue;
      // A label of a chart is broken into lines.
      const lines = parentElement?.closest('text.label')?.parentElement?.querySelectorAll('.label');
      const text = lines ? [...lines].map((line) => line.textContent).join(' ') : textContent;
      found.add(text?.trim() ?? '');
    }
    for (const element of document.querySelectorAll('[aria-label], [title], [placeholder]')) {
      if (!isOwn(element)) continue;
      for (const name of ['aria-label', 'title', 'placeholder']) {
        found.add(element.getAttribute(name)?.trim() ?? '');
      }
    }
    return [...found].filter((text) => text !== '');
  });
}
