import type { Page } from 'playwright-core';

/** What stands out on the element that has the focus, in CSS pixels. */
export interface FocusMark {
  readonly element: string;
  /** Width of the outline around it, over it, or around the frame it stands in. */
  readonly outline: number;
}

/** The mark of the element in focus; null when nothing but the page itself has the focus. */
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
    return { element: element.outerHTML.slice(0, 160), outline };
  });
}
