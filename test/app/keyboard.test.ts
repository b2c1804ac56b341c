import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { usualSettings } from '../../shared/contract/settings.ts';
import { startDeskApp } from './support/desk.ts';
import { focusMark } from './support/focus.ts';
import { furnish, type FurnishedDesk, show } from './support/furnished-desk.ts';
import { expectFocus, press, questionOf } from './support/steps.ts';
import { goToPlace, places } from './support/views.ts';
import { words } from './support/words.ts';

const LEAST_OUTLINE = 2;

describe('the first minute, by keyboard alone', () => {
  it('opens an agreement, the drafts and the list again in fifteen keys, each seen (AP-01)', async () => {
    const app = await startDeskApp({ seed: 'full' });
    const { page } = app;
    const heading = (name: string) => page.getByRole('heading', { name, level: 1 });
    const unseen: string[] = [];
    let pressed = 0;
    const press = async (key: string, shown: () => Promise<unknown>): Promise<void> => {
      pressed += 1;
      await page.keyboard.press(key);
      await shown();
      await expect.poll(() => focusMark(page)).not.toBeNull();
      const mark = await focusMark(page);
      // A heading that the program puts the focus on is read out; it is nothing to press.
      if (mark?.element.startsWith('H1') === true) return;
      if ((mark?.outline ?? 0) < LEAST_OUTLINE) unseen.push(`${key}: ${mark?.element ?? ''}`);
    };
    const grid = page.getByTestId('agreements.grid').getByRole('grid');
    try {
      await expectFocus(page.getByTestId('choice.demo'));
      await press('Enter', () => heading(words.screen_agreements()).waitFor());
      for (const _ of [1, 2, 3, 4]) {
        if (await grid.evaluate((list) => list === document.activeElement)) break;
        await press('F6', () => Promise.resolve());
      }
      await expectFocus(grid);
      await press('ArrowDown', () => page.locator('.grid-row.active').waitFor());
      await press('Enter', () => page.getByTestId('agreements.details').waitFor());
      await press('Control+Digit2', () => heading(words.screen_drafts()).waitFor());
      await press('Control+Digit1', () => heading(words.screen_agreements()).waitFor());
      expect(pressed).toBeLessThanOrEqual(15);
      expect(unseen).toEqual([]);
    } finally {
      await app.close();
    }
  });
});

describe('a furnished desk', () => {
  let app: FurnishedDesk;
  let page: Page;

  beforeAll(async () => {
    app = await furnish();
    ({ page } = app);
  });
  afterAll(() => app.close());

  const palette = () => page.getByTestId('palette');
  /** What a command opened: a question, a menu's sheet or another dialog in front of the page. */
  const inFront = () =>
    page.locator('[role=alertdialog], [role=dialog]:not([data-testid=palette])');

  /** Opens the palette. What a command opened late lies before the page and has its keys: it goes first. */
  async function openPalette(): Promise<void> {
    await expect
      .poll(async () => {
        if (await palette().isVisible()) return true;
        const isCovered = (await inFront().count()) > 0;
        await page.keyboard.press(isCovered ? 'Escape' : 'Control+k');
        return palette().isVisible();
      })
      .toBe(true);
  }

  /** Shows the place with its first row chosen, where it has rows. */
  async function open(name: string): Promise<void> {
    await goToPlace(app, 'shortcuts');
    await goToPlace(app, name);
    const grid = page.getByRole('grid').first();
    if (await grid.isVisible()) {
      await grid.focus();
      await page.keyboard.press('Home');
    } else await page.keyboard.press('F6');
  }

  /** What the palette offers now, by the names that its lines have. */
  async function offered(): Promise<readonly string[]> {
    await openPalette();
    const lines = palette().locator('[data-command-item]:not([aria-disabled=true])');
    await lines.first().waitFor();
    const names = await lines.evaluateAll((all) =>
      all.map((line) => line.getAttribute('data-value') ?? ''),
    );
    await page.keyboard.press('Escape');
    await palette().waitFor({ state: 'detached' });
    return names;
  }

  const hasFocus = () => page.evaluate(() => document.activeElement !== document.body);

  /** What one walk over all places finds: to open them takes most of the time. */
  async function walk() {
    const found = { off: 0, silent: [] as string[], moved: [] as string[] };
    for (const { name: place } of places) {
      await open(place);
      const before = (await focusMark(page))?.name;
      await page.keyboard.press('Control+k');
      await palette().waitFor();
      await page.keyboard.press('Escape');
      await palette().waitFor({ state: 'detached' });
      const returns = expect.poll(async () => (await focusMark(page))?.name).toBe(before);
      await returns.catch(() => found.moved.push(place));
      // An arrow at the end of its way has no more to say than that.
      for (const button of await page
        .locator('button[aria-disabled=true]:not([aria-label])')
        .all()) {
        if (!(await button.isVisible())) continue;
        found.off += 1;
        await button.focus();
        const shown = page.locator('.reason:popover-open');
        await shown.waitFor({ timeout: 5_000 }).catch(() => found.silent.push(place));
        if ((await shown.textContent())?.trim() === '') found.silent.push(place);
      }
    }
    return found;
  }
  let walked: ReturnType<typeof walk> | undefined;
  const onAllPlaces = () => (walked ??= walk());

  it('says why, wherever an action is off, to who comes by key (AP-22)', async () => {
    const { off, silent } = await onAllPlaces();
    expect(off).toBeGreaterThan(3);
    expect(silent).toEqual([]);
  });

  it('closes the palette and gives the focus back to where it was (AP-07)', async () => {
    const { moved } = await onAllPlaces();
    expect(moved).toEqual([]);
  });

  it('offers in the palette what the sheet of shortcuts lists, no more and no less (AP-07)', async () => {
    await open('agreements');
    await page.keyboard.press('Control+k');
    const keys = palette().locator('[data-command-item] kbd');
    await keys.first().waitFor();
    const listed = await keys.evaluateAll((all) => all.map((key) => key.textContent));
    await page.keyboard.press('Escape');
    await palette().waitFor({ state: 'detached' });
    await page.keyboard.press('Control+/');
    const sheet = page.getByTestId('shortcuts');
    await sheet.waitFor();
    const written = await sheet.textContent();
    await page.keyboard.press('Escape');
    expect(listed.length).toBeGreaterThan(10);
    expect(listed.filter((keys) => written?.includes(keys) !== true)).toEqual([]);
  });

  it('searches the list, the guide or nothing, and says so when there is nothing', async () => {
    for (const [hash, label] of [
      ['#/agreements', words.agreements_search_label()],
      ['#/help', words.help_search()],
    ] as const) {
      await show(app, hash);
      const field = page.getByRole('searchbox', { name: label });
      await field.waitFor();
      await page.keyboard.press('Control+f');
      await expectFocus(field);
    }
    await show(app, '#/settings');
    await page.getByRole('heading', { name: words.screen_settings(), level: 1 }).waitFor();
    await page.keyboard.press('Control+f');
    await expect.poll(() => page.getByText(words.command_search_nothing()).isVisible()).toBe(true);
  });

  it('leads to the title of a new draft, and back to it from an undone send (SC-15)', async () => {
    const title = page.getByTestId('draft.title');
    await goToPlace(app, 'new draft');
    await press(page, page.getByTestId(/^choice\./).first());
    await expectFocus(title);
    await show(app, `#/drafts/${app.drafts.v1}`);
    await title.waitFor();
    await page.keyboard.press('Control+Enter');
    const verb = words.draft_send_held({ seconds: usualSettings.holdSeconds });
    await press(page, questionOf(page).getByRole('button', { name: verb }));
    await questionOf(page).waitFor({ state: 'detached' });
    await page.getByTestId('activity.held').waitFor();
    await expect.poll(hasFocus).toBe(true);
    await page.keyboard.press('Control+z');
    await expectFocus(title);
  });

  it('leaves the focus somewhere after each command of the palette, on every screen (AP-07)', async () => {
    // The palette itself, and what takes back what the tests before it did.
    const tried = new Set(['palette.open', 'outbox.undo', 'edit.redo']);
    const lost: string[] = [];
    for (const { name: place } of places) {
      await open(place);
      let isUntouched = true;
      for (const command of await offered()) {
        // What every screen offers is tried on one.
        if (tried.has(command)) continue;
        tried.add(command);
        if (!isUntouched) await open(place);
        isUntouched = false;
        await openPalette();
        await palette().locator(`[data-command-item][data-value="${command}"]`).click();
        await palette().waitFor({ state: 'detached' });
        const keeps = expect.poll(hasFocus, { timeout: 5_000 }).toBe(true);
        await keeps.catch(() => lost.push(`${command} on ${place}`));
        // Closing it gives the focus back, too.
        if ((await inFront().count()) > 0) {
          await page.keyboard.press('Escape');
          await inFront()
            .waitFor({ state: 'detached', timeout: 5_000 })
            .catch(() => {
              lost.push(`${command} on ${place} stays open`);
            });
          const returns = expect.poll(hasFocus, { timeout: 5_000 }).toBe(true);
          await returns.catch(() => lost.push(`${command} on ${place}, closed`));
        }
      }
    }
    expect(tried.size).toBeGreaterThan(20);
    expect(lost).toEqual([]);
  });
});
