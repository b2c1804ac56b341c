import axe from 'axe-core';
import type { Page } from 'playwright';
import { expect } from 'vitest';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/**
 * What axe judges by colours. Dark is nothing but other colours, as the styles know of it through
 * `light-dark()` alone, so that every other rule would find there what it found in light.
 */
const BY_COLOUR = ['color-contrast', 'link-in-text-block'];

/** Fails when axe finds something serious or critical on the page as it is now, light or dark. */
export async function audit(page: Page): Promise<void> {
  // A megabyte and a half, which the page keeps until it is loaded again.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await findings(page, { type: 'tag', values: TAGS }), 'light').toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await findings(page, { type: 'rule', values: BY_COLOUR }), 'dark').toEqual([]);
  await page.emulateMedia({ colorScheme: null });
}

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
