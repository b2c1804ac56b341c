import axe from 'axe-core';
import type { Page } from 'playwright';
import { expect } from 'vitest';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/**
 * What axe judges by colours. Dark is nothing but other colours, as the styles know of it through
 * `light-dark()` alone, so that every other rule would find there what it found in light.
 */
const BY_COLOUR = ['color-contrast', 'link-in-text-block'];

/**
 * Fails when axe finds something serious or critical on the page as it is now, light or dark, or where
 * a dialog's buttons cover something of it that nobody can scroll to.
 */
export async function audit(page: Page): Promise<void> {
  await auditLight(page);
  await auditDark(page);
}

/** Fails for everything that `audit` looks for, but in the light theme alone. */
export async function auditLight(page: Page): Promise<void> {
  expect(await covered(page), 'behind the buttons of a dialog').toEqual([]);
  await expectNoFindings(page, 'light', { type: 'tag', values: TAGS });
}

/** Fails when axe finds colours that cannot be told apart in the dark theme. */
export async function auditDark(page: Page): Promise<void> {
  await expectNoFindings(page, 'dark', { type: 'rule', values: BY_COLOUR });
}

async function expectNoFindings(
  page: Page,
  theme: 'light' | 'dark',
  rules: axe.RunOnly,
): Promise<void> {
  // A megabyte and a half, which the page keeps until it is loaded again.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  await page.emulateMedia({ colorScheme: theme });
  expect(await findings(page, rules), theme).toEqual([]);
  await page.emulateMedia({ colorScheme: null });
}

/** What ends below the top of the buttons in a dialog that is scrolled to its end, or has no need of it. */
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
    // What passed is not described, of which there is far more.
    const options = { runOnly: rules, resultTypes: ['violations' as const] };
    return (await inPage.run(document, options)).violations;
  }, runOnly);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
