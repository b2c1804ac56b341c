import type { Page } from 'playwright-core';

/** What stands out on the element that has the focus, in CSS pixels. */
export interface FocusMark {
  readonly element: string;
  /** Width of the outline around it, or around the frame it is drawn in. */
  readonly outline: number;
}

/** The mark of the element in focus; null when nothing but the page itself has the focus. */
export function focusMark(page: Page): Promise<FocusMark | null> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return null;
    const widthOf = (one: Element | null): number => {
      if (one === null) return 0;
      const { outlineStyle, outlineWidth } = getComputedStyle(one);
      return outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth);
    };
    const outline = Math.max(widthOf(element), widthOf(element.parentElement));
    return { element: element.outerHTML.slice(0, 160), outline };
  });
}
