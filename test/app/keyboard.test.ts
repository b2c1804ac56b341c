// tier: quick, 20 s, because every action must be reachable without a mouse
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultSettings } from '../../shared/contract/settings.ts';
import { startDeskApp } from './support/desk.ts';
import { focusMark } from './support/focus.ts';
import { furnish, type FurnishedDesk, show } from './support/furnished-desk.ts';
import { apiOf } from './support/prepared-draft.ts';
import { expectFocus, press, questionOf } from './support/steps.ts';
import { hasFocus, openPlace, paletteOf } from './support/palette.ts';
import { goToPlace } from './support/places.ts';
import { words } from './support/words.ts';

const LEAST_OUTLINE = 2;

describe('the first minute, by keyboard alone', () => {
  it('opens an agreement, the drafts and the list in fifteen keys, each with visible focus (AP-01)', async () => {
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
      // A heading needs no visible focus mark, because it is only read out and cannot be pressed.
      if (mark?.element.startsWith('H1') === true) return;
      if ((mark?.outline ?? 0) < LEAST_OUTLINE) unseen.push(`${key}: ${mark?.element ?? ''}`);
    };
    const grid = page.getByTestId('agreements.grid').getByRole('grid');
    try {
      await expectFocus(page.getByTestId('choice.connect'));
      await press('Tab', () => expectFocus(page.getByTestId('choice.demo')));
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

describe('a program with sample data, by keyboard alone', () => {
  let app: FurnishedDesk;
  let page: Page;

  beforeAll(async () => {
    app = await furnish();
    ({ page } = app);
  });
  afterAll(() => app.close());

  it('offers in the palette exactly the commands of the shortcut list (AP-07)', async () => {
    await openPlace(app, 'agreements');
    await page.keyboard.press('Control+k');
    const items = paletteOf(app).locator('[data-command-item]:has(kbd)');
    await items.first().waitFor();
    const offered = await items.evaluateAll((all) =>
      all.map((item) => {
        const [words, key] = [item.querySelector('span'), item.querySelector('kbd')];
        // The reason of a command that is not available is below its name.
        const name = words?.firstChild?.textContent?.trim() ?? '';
        return `${name}: ${key?.textContent ?? ''}`;
      }),
    );
    await page.keyboard.press('Escape');
    await paletteOf(app).waitFor({ state: 'detached' });
    await page.keyboard.press('Control+/');
    const sheet = page.getByTestId('shortcuts');
    await sheet.waitFor();
    const written = await sheet.locator('section').evaluateAll((sections) =>
      sections.map((section) => ({
        title: section.querySelector('h3')?.textContent ?? '',
        rows: [...section.querySelectorAll('dl > div')].map((row) => {
          const [name, key] = [row.querySelector('dt'), row.querySelector('kbd')];
          return `${name?.textContent ?? ''}: ${key?.textContent ?? ''}`;
        }),
      })),
    );
    await page.keyboard.press('Escape');
    // The keys of every list are not commands.
    const commands = written.filter(({ title }) => title !== words.sheet_lists());
    expect(commands).toHaveLength(written.length - 1);
    expect(offered.length).toBeGreaterThan(10);
    expect(offered.toSorted()).toEqual(commands.flatMap(({ rows }) => rows).toSorted());
  });

  it('offers every palette command again after one was searched by its name and run', async () => {
    await openPlace(app, 'agreements');
    const items = paletteOf(app).locator('[data-command-item]');
    await page.keyboard.press('Control+k');
    await items.first().waitFor();
    const all = await items.count();
    await page.keyboard.type(words.command_sheet());
    await expect.poll(() => items.count()).toBe(1);
    await page.keyboard.press('Enter');
    await page.getByTestId('shortcuts').waitFor();
    await page.keyboard.press('Escape');
    await page.getByTestId('shortcuts').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await items.first().waitFor();
    expect(await items.count()).toBe(all);
    await page.keyboard.press('Escape');
    await paletteOf(app).waitFor({ state: 'detached' });
  });

  it('selects only the text of a dialog with Ctrl+A', async () => {
    await openPlace(app, 'agreements');
    await page.keyboard.press('Control+/');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: words.sheet_title() }).waitFor();
    await page.keyboard.press('Control+a');
    const selected = await page.evaluate(() => {
      const selection = document.getSelection();
      const main = document.querySelector('main');
      const reachesPage = main !== null && selection?.containsNode(main, true);
      return { text: selection?.toString() ?? '', reachesPage };
    });
    await page.keyboard.press('Escape');
    expect(selected.text).toContain(words.sheet_title());
    expect(selected.reachesPage).toBe(false);
  });

  it('finds agreements, people, drafts, templates and settings in one list with groups', async () => {
    await openPlace(app, 'agreements');
    const palette = paletteOf(app);
    const { name } = await apiOf(app)['templates.get']({ id: app.samples.template });
    for (const [typed, group, option] of [
      ['fullmakt', words.screen_agreements(), 'Fullmakt för ombud'],
      ['asa.oberg', words.screen_people(), 'Åsa Öberg'],
      ['akermark', words.screen_drafts(), 'Arrende av åkermark'],
      [name, words.screen_templates(), name],
      [words.settings_density(), words.screen_settings(), words.settings_appearance()],
    ] as const) {
      await page.keyboard.press('Control+k');
      await page.keyboard.type(typed);
      const listed = palette.getByRole('group', { name: group, exact: true });
      await listed.getByRole('option').filter({ hasText: option }).first().waitFor();
      await page.keyboard.press('Escape');
      await palette.waitFor({ state: 'detached' });
    }
    await page.keyboard.press('Control+k');
    await page.keyboard.type(words.settings_density());
    await palette.getByRole('option').filter({ hasText: words.settings_appearance() }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: words.settings_appearance(), level: 2 }).waitFor();
    expect(await hasFocus(app)).toBe(true);
  });

  it('focuses the search field of a list or of the guide, or reports that the screen has none', async () => {
    for (const [hash, label] of [
      ['#/agreements', words.agreements_search_label()],
      ['#/help', words.help_search()],
    ] as const) {
      await show(app, hash);
      const field = page.getByRole('searchbox', { name: label });
      await field.waitFor();
      for (const key of ['Control+f', '/']) {
        await field.blur();
        await page.keyboard.press(key);
        await expectFocus(field);
      }
      // In the field, the key is a character.
      await page.keyboard.press('/');
      await expect.poll(() => field.inputValue()).toBe('/');
      await field.fill('');
    }
    await show(app, '#/automation');
    await page.getByRole('heading', { name: words.screen_automation(), level: 1 }).waitFor();
    await page.keyboard.press('Control+f');
    await expect.poll(() => page.getByText(words.command_search_nothing()).isVisible()).toBe(true);
  });

  it('focuses the title of a new draft, also after its send was undone (SC-15)', async () => {
    const title = page.getByTestId('draft.title');
    await goToPlace(app, 'new draft');
    await press(page, page.getByTestId(/^choice\./).first());
    await expectFocus(title);
    await show(app, `#/drafts/${app.drafts.v1}`);
    await title.waitFor();
    await page.keyboard.press('Control+Enter');
    const verb = words.draft_send_held({ seconds: defaultSettings.holdSeconds });
    await press(page, questionOf(page).getByRole('button', { name: verb }));
    await questionOf(page).waitFor({ state: 'detached' });
    await page.getByTestId('activity.held').waitFor();
    await expect.poll(() => hasFocus(app)).toBe(true);
    await page.keyboard.press('Control+z');
    await expectFocus(title);
  });
});
