// tier: all
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cutTexts } from './support/cut-texts.ts';
import { focusMark } from './support/focus.ts';
import { furnish, type FurnishedDesk, show } from './support/furnished-desk.ts';
import { apiOf } from './support/prepared-draft.ts';
import { goToPlace, places } from './support/views.ts';
import { readIn, words, wordsIn } from './support/words.ts';

const SIZE = { width: 1280, height: 800 } as const;
/** The window at 200 %. */
const SMALL = { width: 640, height: 400 } as const;
const LEAST_OUTLINE = 2;
const MOST_STOPS = 150;

let app: FurnishedDesk;
let page: Page;

beforeAll(async () => {
  app = await furnish();
  ({ page } = app);
});

afterEach(async () => {
  await page.setViewportSize(SIZE);
  await page.emulateMedia({ forcedColors: null, reducedMotion: null });
});

afterAll(() => app.close());

/**
 * What stands out wherever Tab stops, once around the page: a window without a bar of its own hands
 * the focus from the last stop to the first.
 */
async function marksAround(): Promise<NonNullable<Awaited<ReturnType<typeof focusMark>>>[]> {
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
  await page.keyboard.press('Tab');
  const first = await page.evaluateHandle(() => document.activeElement);
  const marks = [];
  for (let pressed = 1; pressed <= MOST_STOPS; pressed += 1) {
    const mark = await focusMark(page);
    if (mark === null) break;
    marks.push(mark);
    await page.keyboard.press('Tab');
    if (await first.evaluate((stop) => stop === document.activeElement)) break;
  }
  await first.dispose();
  return marks;
}

describe('the focus', () => {
  it('can be seen wherever Tab stops, on every screen (AP-01)', async () => {
    for (const { name } of places) {
      await goToPlace(app, name);
      const marks = await marksAround();
      expect(marks.length, name).toBeGreaterThan(5);
      expect(
        marks.filter(({ outline }) => outline < LEAST_OUTLINE),
        name,
      ).toEqual([]);
    }
  });

  it('goes through every pane with F6 and comes back to the first', async () => {
    await goToPlace(app, 'agreements');
    const seen: string[] = [];
    for (let pressed = 0; pressed < 8; pressed += 1) {
      await page.keyboard.press('F6');
      seen.push((await focusMark(page))?.name ?? '');
    }
    expect(new Set(seen).size).toBeGreaterThanOrEqual(3);
    expect(seen.slice(1)).toContain(seen[0]);
  });
});

describe('a small window', () => {
  it('never scrolls sideways, on any screen (AP-05)', async () => {
    for (const { name } of places) {
      await page.setViewportSize(SIZE);
      await goToPlace(app, name);
      await page.setViewportSize(SMALL);
      const widest = await page.evaluate(() =>
        Math.max(
          ...[...document.querySelectorAll('html, body, main')].map((one) => one.scrollWidth),
        ),
      );
      expect(widest, name).toBeLessThanOrEqual(SMALL.width);
    }
  });
});

describe('text at 150 %', () => {
  it.each(['de', 'fi'] as const)('is cut nowhere in %s (AP-05)', async (language) => {
    await apiOf(app)['settings.write']({ language });
    await readIn(language);
    await page.locator(`html[lang=${language}]`).waitFor();
    await page.evaluate(() => (document.documentElement.style.fontSize = '150%'));
    const cut: string[] = [];
    try {
      for (const { name } of places) {
        await goToPlace(app, name);
        const found = await cutTexts(page);
        cut.push(...found.map((text) => `${name}: ${text}`));
      }
    } finally {
      await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));
      await apiOf(app)['settings.write']({ language: 'en' });
      await readIn('en');
      await page.locator('html[lang=en]').waitFor();
    }
    expect(cut).toEqual([]);
  });
});

describe('forced colours', () => {
  it('leave an outline on the chosen row and on the current screen (AP-03)', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    await goToPlace(app, 'agreements');
    await page.getByRole('grid').focus();
    await page.keyboard.press('Home');
    const outlineOf = (selector: string) =>
      page.locator(selector).evaluateAll((all) =>
        all.map((one) => {
          const { outlineStyle, outlineWidth } = getComputedStyle(one);
          return outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth);
        }),
      );
    expect(await outlineOf('.grid-row.active')).toEqual([LEAST_OUTLINE]);
    expect(await outlineOf('nav [aria-current=page]')).toEqual([LEAST_OUTLINE]);
    expect(new Set(await outlineOf('.grid-row:not(.active)'))).toEqual(new Set([0]));
  });
});

describe('going elsewhere', () => {
  it('from a chosen agreement leads there, and does not come back by itself', async () => {
    await goToPlace(app, 'agreements');
    for (const screen of ['archive', 'agreements', 'archive'] as const) {
      await page.getByTestId(`shell.nav.${screen}`).click();
      const name = screen === 'archive' ? words.screen_archive() : words.screen_agreements();
      await page.getByRole('heading', { name, level: 1 }).waitFor();
      if (screen === 'archive') continue;
      await page.getByRole('grid').focus();
      await page.keyboard.press('Home');
    }
    expect(await page.evaluate(() => window.location.hash)).toBe('#/archive');
  });
});

describe('reduced motion', () => {
  it('lets nothing move (AP-04)', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await goToPlace(app, 'agreements');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    const moving = await page.evaluate(() =>
      document
        .getAnimations()
        .filter((one) => Number(one.effect?.getComputedTiming().duration ?? 0) > 0)
        .map((one) => String(one.effect?.getComputedTiming().duration)),
    );
    await page.keyboard.press('Escape');
    expect(moving).toEqual([]);
  });
});

describe('the language', () => {
  it('changes at once, and what is being typed stays', async () => {
    await goToPlace(app, 'agreements');
    await page.getByRole('searchbox').fill('öberg');
    await show(app, '#/settings/appearance');
    await page.getByLabel(words.settings_language()).selectOption({ label: 'Svenska' });
    await page.locator('html[lang=sv]').waitFor();
    const swedish = await wordsIn('sv');
    await page.getByRole('heading', { name: swedish.screen_settings() }).waitFor();
    await show(app, '#/agreements');
    expect(await page.getByRole('searchbox').inputValue()).toBe('öberg');
    await show(app, '#/settings/appearance');
    await page.getByLabel(swedish.settings_language()).selectOption({ label: 'English' });
    await page.locator('html[lang=en]').waitFor();
  });
});
