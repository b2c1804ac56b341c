import type { Page } from 'playwright';

/** Visible properties of the focused element, in CSS pixels. */
export interface FocusMark {
  /** Tag, id, test id and the first characters of its text. */
  readonly element: string;
  /** Text like `element`, with the role instead of the text, which may contain a number. */
  readonly name: string;
  /** Width of the outline around the element, over it, or around its frame. */
  readonly outline: number;
}

/** Properties of the focused element; null if only the page itself has the focus. */
export function focusMark(page: Page): Promise<FocusMark | null> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return null;
    const widthOf = (one: Element | null, part?: string): number => {
      if (one === null) return 0;
      const { content, outlineStyle, outlineWidth } = getComputedStyle(one, part);
      const isDrawn = outlineStyle !== 'none' && (part === undefined || content !== 'none');
      return isDrawn ? Number.parseFloat(outlineWidth) : 0;
    };
    const { parentElement } = element;
    const outline = Math.max(
      ...[widthOf(element), widthOf(element, '::after')],
      ...[widthOf(parentElement), widthOf(parentElement, '::after')],
    );
    const names = [element.tagName, element.id, element.getAttribute('data-testid')];
    const name = [...names, element.getAttribute('role')].join(' ');
    return { element: `${names.join(' ')} ${element.textContent}`.slice(0, 80), name, outline };
  });
}
