// tier: all
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addEvidence } from './support/evidence-entry.ts';
import { furnish, type FurnishedDesk, show } from './support/furnished-desk.ts';
import { expectGone, expectSeen } from './support/steps.ts';
import { words } from './support/words.ts';

/** A window of 1280 × 800 pixels at 200 %. */
const SIZE = { width: 640, height: 400 } as const;
/** Minimum height of a list in which some rows can be compared (px). */
const LEAST_LIST = 200;

let app: FurnishedDesk;
let page: Page;

beforeAll(async () => {
  app = await furnish({ size: SIZE });
  ({ page } = app);
  await addEvidence(app);
});
afterAll(() => app.close());

/** Returns the height of the part of a list that is visible once the list is scrolled into view. */
const visibleHeight = (list: Locator): Promise<number> =>
  list.evaluate((element) => {
    element.scrollIntoView({ block: 'start' });
    let { top, bottom } = element.getBoundingClientRect();
    for (let at = element.parentElement; at !== null; at = at.parentElement) {
      if (getComputedStyle(at).overflowY === 'visible') continue;
      const around = at.getBoundingClientRect();
      top = Math.max(top, around.top);
      bottom = Math.min(bottom, around.bottom);
    }
    return Math.min(bottom, window.innerHeight) - Math.max(top, 0);
  });

/** Returns whether a pointer reaches the middle of a button once the button is scrolled into view. */
const isReachable = (button: Locator): Promise<boolean> =>
  button.evaluate((element) => {
    element.scrollIntoView({ block: 'nearest' });
    const { left, top, width, height } = element.getBoundingClientRect();
    const found = document.elementFromPoint(left + width / 2, top + height / 2);
    return found !== null && element.contains(found);
  });

const lists = [
  ['agreements', () => '#/agreements'],
  ['drafts', () => '#/drafts'],
  ['outbox', () => '#/outbox'],
  ['batches', () => '#/batch'],
  ['the check of a batch', () => `#/batch/${app.samples.batch}/check`],
  ['the signing queue', () => '#/signing'],
  ['the archive', () => '#/archive'],
  ['people', () => '#/people'],
  ['evidence', () => '#/signing/evidence'],
] as const;

describe('in a window of 640 × 400 pixels,', () => {
  it.each(lists)(
    '%s: the list keeps 200 px, and each main action can be reached',
    async (_, at) => {
      await show(app, at());
      const list = page.getByRole('grid').first();
      await list.getByRole('row').nth(1).waitFor();
      expect(await visibleHeight(list)).toBeGreaterThanOrEqual(LEAST_LIST);
      const buttons = page.locator('main .button.primary:visible');
      for (const button of await buttons.all()) expect(await isReachable(button)).toBe(true);
    },
  );

  it('the counters of the agreements are on one line', async () => {
    await show(app, '#/agreements');
    const counters = page.getByTestId(/^agreements\.counter\./);
    await counters.first().waitFor();
    const tops = await counters.evaluateAll((all) =>
      all.map((one) => Math.round(one.getBoundingClientRect().top)),
    );
    expect(tops).toHaveLength(4);
    expect(new Set(tops).size).toBe(1);
  });

  it('the section of the settings is chosen in one field', async () => {
    await show(app, '#/settings');
    const links = page.getByRole('link', { name: words.settings_office(), exact: true });
    await expectGone(links.and(page.locator(':visible')));
    await page.getByTestId('settings.section').selectOption({ label: words.settings_office() });
    await expectSeen(page.getByRole('heading', { name: words.settings_office(), level: 2 }));
    expect(await page.getByTestId('settings.section').inputValue()).toBe('office');
  });
});
