import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { words } from './words.ts';

/** More stops than any screen has: whoever needs more goes round in circles. */
const MOST_TABS = 80;

/** Presses Tab until `target` has the focus. Throws when it cannot be reached by key. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor({ state: 'attached' });
  for (let pressed = 0; pressed < MOST_TABS; pressed += 1) {
    if (await hasFocus(target)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never reached ${String(target)}`);
}

export async function hasFocus(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element === document.activeElement);
}

/** Waits until the focus was moved to `target`. */
export async function expectFocus(target: Locator): Promise<void> {
  await expect.poll(() => hasFocus(target), { message: `focus on ${String(target)}` }).toBe(true);
}

/** First start: the demo is one key away, and both of its connections are read. */
export async function tryDemo(page: Page): Promise<void> {
  await expectFocus(page.getByTestId('choice.demo'));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: words.screen_agreements(), level: 1 }).waitFor();
  await expectFresh(page);
}

/** Waits until the check for changes that is under way has ended well. */
export async function expectFresh(page: Page): Promise<void> {
  await page
    .getByTestId('agreements.freshness')
    .filter({ hasText: /^\s*Checked \d/ })
    .waitFor();
}

/** Opens a screen with its key, and waits for its heading. */
export async function goTo(page: Page, keys: string, title: string): Promise<void> {
  await page.keyboard.press(keys);
  await page.getByRole('heading', { name: title, level: 1, exact: true }).waitFor();
}
