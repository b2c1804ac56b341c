import axe from 'axe-core';
import type { Page } from 'playwright';
import { expect } from 'vitest';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/**
 * The rules of axe about colours. The dark theme differs from the light one only in colours,
 * because the styles use only `light-dark()`, so all other rules have the same results in both
 * themes.
 */
const BY_COLOUR = ['color-contrast', 'link-in-text-block'];

/**
 * Fields on a page of a PDF, which are as small as on the paper (WCAG 2.2, 2.5.8, exception
 * "Essential"). The list next to the page has each of them as a large control.
 */
const SIZED_BY_PAPER = /^target-size: [^>]*\sdata-spot="/;

/**
 * Fails if axe finds a serious or critical problem on the current page, in light or dark, or if a
 * dialog's buttons cover contents that cannot be scrolled into view.
 */
export async function audit(page: Page): Promise<void> {
  await auditLight(page);
  await auditDark(page);
}

/** Same as `audit`, but only in the light theme. */
export async function auditLight(page: Page): Promise<void> {
  expect(await covered(page), 'behind the buttons of a dialog').toEqual([]);
  await expectNoFindings(page, 'light', { type: 'tag', values: TAGS });
}

/** Fails if axe finds insufficient contrast in the dark theme. */
export async function auditDark(page: Page): Promise<void> {
  await expectNoFindings(page, 'dark', { type: 'rule', values: BY_COLOUR });
}

async function expectNoFindings(
  page: Page,
  theme: 'light' | 'dark',
  rules: axe.RunOnly,
): Promise<void> {
  // Load axe once: it has a megabyte and a half, and the page keeps it until a reload.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  await page.emulateMedia({ colorScheme: theme });
  expect(await findings(page, rules), theme).toEqual([]);
  await page.emulateMedia({ colorScheme: null });
}

/**
 * Contents below the top of the buttons in a dialog that is scrolled to its end or needs no
 * scrolling.
 */
const covered = (page: Page): Promise<readonly string[]> =>
  page.locator('.dialog > .dialog-actions').evaluateAll((all) =>
    all.flatMap((buttons) => {
      const [dialog, before] = [buttons.parentElement, buttons.previousElementSibling];
      if (dialog === null || before === null) return [];
      const isAtEnd = dialog.scrollTop + dialog.clientHeight >= dialog.scrollHeight - 1;
      const { bottom } = before.getBoundingClientRect();
      const isCovered = isAtEnd && bottom > buttons.getBoundingClientRect().top + 1;
      return isCovered ? [before.textContent.slice(-80)] : [];
    }),
  );

async function findings(page: Page, runOnly: axe.RunOnly): Promise<readonly string[]> {
  const violations = await page.evaluate(async (rules) => {
    const inPage = Reflect.get(window, 'axe') as typeof axe;
    // Omits the descriptions of passed rules, which are far longer.
    const options = { runOnly: rules, resultTypes: ['violations' as const] };
    return (await inPage.run(document, options)).violations;
  }, runOnly);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
    .filter((one) => !SIZED_BY_PAPER.test(one));
}
