// tier: all
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { furnish, type FurnishedDesk, show } from './support/furnished-desk.ts';
import { noteReviews } from './support/noted-reviews.ts';
import { apiOf } from './support/prepared-draft.ts';
import { expectFocus, expectGone, expectSeen } from './support/steps.ts';
import { places, screenNames } from './support/places.ts';
import { words } from './support/words.ts';

/** A window of 1280 × 800 pixels at 200 %. */
const SIZE = { width: 640, height: 400 } as const;
/** Minimum height of a list in which some rows can be compared (px). */
const LEAST_LIST = 200;
const WIDE = { width: 1280, height: 800 } as const;
/** Minimum width of a column in which the demo's titles can be distinguished (px). */
const LEAST_TITLE = 200;

let app: FurnishedDesk;
let page: Page;

beforeAll(async () => {
  app = await furnish({ size: SIZE });
  ({ page } = app);
  await noteReviews(app, 1);
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

/** Returns the texts of the main actions of the open screen that a pointer does not reach. */
async function unreachableActions(): Promise<readonly string[]> {
  const buttons = await page.locator('main .button.primary:visible').all();
  const unreachable: string[] = [];
  for (const button of buttons)
    if (!(await isReachable(button))) unreachable.push(await button.innerText());
  return unreachable;
}

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
      expect(await unreachableActions()).toEqual([]);
    },
  );

  it('each main action can be reached, on every screen', async () => {
    const unreachable: string[] = [];
    // The list of evidence, which is empty in other tests, is tried above.
    for (const { name, hash, shown } of places.filter((place) => place.name !== 'evidence')) {
      await show(app, hash(app));
      await shown(app).first().waitFor();
      unreachable.push(...(await unreachableActions()).map((action) => `${name}: ${action}`));
    }
    expect(unreachable).toEqual([]);
  });

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

const details = () => page.locator('main aside:visible');
const headings = () => page.getByRole('grid').first().getByRole('columnheader');
const widthOf = async (column: Locator): Promise<number> =>
  (await column.boundingBox())?.width ?? 0;

/** Lists with details, each with the heading of its titles. */
const withDetails = [
  ['agreements', '#/agreements', () => words.column_title()],
  ['drafts', '#/drafts', () => words.column_title()],
  ['outbox', '#/outbox', () => words.outbox_column_what()],
  ['archive', '#/archive', () => words.column_title()],
  ['people', '#/people', () => words.people_name()],
  ['evidence', '#/signing/evidence', () => words.column_title()],
] as const;

describe('in a window of 1280 × 800 pixels,', () => {
  it.each(withDetails)(
    '%s: the details open when a row is chosen, and leave the titles 200 px',
    async (_, at, name) => {
      await page.setViewportSize(WIDE);
      await show(app, at);
      const list = page.getByRole('grid').first();
      await list.getByRole('row').nth(1).waitFor();
      await expectGone(details());
      const title = headings().filter({ hasText: name() }).first();
      expect(await widthOf(title)).toBeGreaterThanOrEqual(LEAST_TITLE);
      const before = await headings().allTextContents();
      await list.focus();
      await page.keyboard.press('ArrowDown');
      await expectSeen(details());
      expect(await widthOf(title)).toBeGreaterThanOrEqual(LEAST_TITLE);
      expect(await headings().allTextContents()).toEqual(before);
      await details().getByRole('button', { name: words.split_close() }).click();
      await expectGone(details());
      await expectFocus(list);
    },
  );

  it('a double click at the end of a row opens the draft, although the details open there', async () => {
    await show(app, '#/drafts');
    const row = page.getByRole('grid').getByRole('row').filter({ hasText: 'Arrende av åkermark' });
    const { width = 0, height = 0 } = (await row.boundingBox()) ?? {};
    await row.dblclick({ position: { x: width - 20, y: height / 2 } });
    await expect
      .poll(() => page.evaluate(() => window.location.hash))
      .toBe(`#/drafts/${app.drafts.v1}`);
  });

  it('a slow double click on a row presses nothing in the details that open under the pointer', async () => {
    await page.setViewportSize(SIZE);
    await show(app, '#/drafts');
    const row = page.getByRole('grid').getByRole('row').filter({ hasText: 'Arrende av åkermark' });
    await row.click({ position: { x: 40, y: 10 } });
    const duplicate = details().getByRole('button', { name: words.draft_duplicate() });
    await expectSeen(duplicate);
    const { x, y, width, height } = (await duplicate.boundingBox()) ?? {};
    const [left, top] = [(x ?? 0) + (width ?? 0) / 2, (y ?? 0) + (height ?? 0) / 2];
    await page.keyboard.press('Escape');
    await expectGone(details().and(page.locator(':visible')));
    const count = async () => (await apiOf(app)['drafts.list']({})).length;
    const before = await count();
    await page.mouse.click(left, top);
    await expectSeen(duplicate);
    await page.mouse.click(left, top);
    // Another click, elsewhere in the details, works immediately.
    await details().getByRole('button', { name: words.split_close() }).click();
    await expectGone(details().and(page.locator(':visible')));
    expect(await count()).toBe(before);
    await page.setViewportSize(WIDE);
  });

  it('the signing queue: the details of the first agreement leave the titles 200 px', async () => {
    await show(app, '#/signing');
    await expectSeen(details());
    const title = headings().filter({ hasText: words.column_title() });
    expect(await widthOf(title)).toBeGreaterThanOrEqual(LEAST_TITLE);
    await details().getByRole('button', { name: words.split_close() }).click();
    await expectGone(details());
    expect(await widthOf(title)).toBeGreaterThanOrEqual(LEAST_TITLE);
  });
});

/** Returns the words of the side bar that are on more than one line. */
const brokenWords = (): Promise<string[]> =>
  page.locator('nav .label').evaluateAll((labels) =>
    labels.flatMap((label) => {
      const text = label.firstChild;
      if (text === null) return [];
      return [...(text.textContent ?? '').matchAll(/\S+/g)].flatMap(({ 0: word, index }) => {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const tops = [...range.getClientRects()].map(({ top }) => Math.round(top));
        return new Set(tops).size > 1 ? [word] : [];
      });
    }),
  );

describe('the side bar', () => {
  it.each(['de', 'fi', 'nl'] as const)('breaks no word in %s', async (language) => {
    await page.setViewportSize(WIDE);
    await apiOf(app)['settings.write']({ language });
    await page.locator(`html[lang=${language}]`).waitFor();
    try {
      for (const name of screenNames) {
        // The name of the current screen is bold, and therefore wider.
        await show(app, `#/${name}`);
        await page.locator(`[data-testid="shell.nav.${name}"][aria-current=page]`).waitFor();
        expect(await brokenWords()).toEqual([]);
      }
    } finally {
      await apiOf(app)['settings.write']({ language: 'en' });
      await page.locator('html[lang=en]').waitFor();
    }
  });
});
