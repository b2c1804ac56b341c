// tier: all
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Language } from '../../shared/model/languages.ts';
import { audit, auditDark } from './support/audit.ts';
import { cutTexts } from './support/cut-texts.ts';
import { focusMark } from './support/focus.ts';
import { dataOf, foreignTexts } from './support/foreign-texts.ts';
import { furnish, type FurnishedDesk, show } from './support/furnished-desk.ts';
import { takePicture } from './support/picture.ts';
import { apiOf } from './support/prepared-draft.ts';
import { compilePseudo, type Pseudo, STAND_IN } from './support/pseudo-window.ts';
import { readAll } from './support/read-all.ts';
import { chooseMore } from './support/steps.ts';
import { goToPlace, places } from './support/places.ts';
import { overlays, screenViews, type View } from './support/views.ts';
import { readIn, readWith, words, wordsIn } from './support/words.ts';

/*
 * Opens every view in the looks that `screens.test.ts` skips: dark, at 200 %, with larger text, and
 * in other languages, all on the same data. A view is opened once for each language.
 */

const SIZE = { width: 1280, height: 800 } as const;
const SMALLEST = { width: 1024, height: 700 } as const;
/** Size of the window at 200 % (CSS pixels). */
const TWICE = { width: 640, height: 400 } as const;
const LEAST_OUTLINE = 2;
const MAX_STOPS = 150;

let app: FurnishedDesk;
let page: Page;
let pseudo: Pseudo;
/** Width of the content of each view at 200 % (CSS pixels). */
const widths: { readonly name: string; readonly width: number }[] = [];

beforeAll(async () => {
  pseudo = await compilePseudo();
  app = await furnish({ over: pseudo.over, size: SIZE });
  ({ page } = app);
});

afterEach(async () => {
  await page.setViewportSize(SIZE);
  await page.emulateMedia({ forcedColors: null, reducedMotion: null });
});

afterAll(async () => {
  await app.close();
  await readIn('en');
});

/** Switches the window to a language, and the tests to its texts. */
async function speak(language: Language): Promise<void> {
  await apiOf(app)['settings.write']({ language });
  if (language === STAND_IN) readWith(pseudo.messages);
  else await readIn(language);
  await page.locator(`html[lang=${language}]`).waitFor();
}

/** Returns the width of the widest part of the page that can be scrolled sideways (CSS pixels). */
const widest = (): Promise<number> =>
  page.evaluate(() =>
    Math.max(...[...document.querySelectorAll('html, body, main')].map((one) => one.scrollWidth)),
  );

/** Opens a view, and audits it in dark, and in both themes at 200 %. */
async function auditView({ name, open, leave }: View): Promise<void> {
  await open(app);
  try {
    await auditDark(page);
    await page.setViewportSize(TWICE);
    await audit(page);
    widths.push({ name, width: await widest() });
  } finally {
    await page.setViewportSize(SIZE);
    await leave?.(app);
  }
}

describe('every screen', () => {
  it.each(screenViews)(
    '$name is accessible in dark, and at 200 % in both themes (AP-02)',
    async (view) => {
      await auditView(view);
    },
  );
});

/**
 * Returns the focus marks of all Tab stops, once around the page: in a window without a browser
 * bar, the focus moves from the last stop to the first.
 */
async function marksAround(): Promise<NonNullable<Awaited<ReturnType<typeof focusMark>>>[]> {
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
  await page.keyboard.press('Tab');
  const first = await page.evaluateHandle(() => document.activeElement);
  const marks = [];
  for (let pressed = 1; pressed <= MAX_STOPS; pressed += 1) {
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
  it.each(places)('is visible at every Tab stop in $name (AP-01)', async ({ name }) => {
    await goToPlace(app, name);
    const marks = await marksAround();
    expect(marks.length).toBeGreaterThan(5);
    expect(marks.filter(({ outline }) => outline < LEAST_OUTLINE)).toEqual([]);
  });

  it('moves through every pane with F6 and returns to the first', async () => {
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

describe('forced colours', () => {
  const outlineOf = (selector: string) =>
    page.locator(selector).evaluateAll((all) =>
      all.map((one) => {
        const { outlineStyle, outlineWidth } = getComputedStyle(one);
        return outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth);
      }),
    );

  it('keep an outline on the selected row and on the current screen in the side bar (AP-03)', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    await goToPlace(app, 'agreements');
    await page.getByRole('grid').focus();
    await page.keyboard.press('Home');
    expect(await outlineOf('.grid-row.active')).toEqual([LEAST_OUTLINE]);
    expect(await outlineOf('nav [aria-current=page]')).toEqual([LEAST_OUTLINE]);
    expect(new Set(await outlineOf('.grid-row:not(.active)'))).toEqual(new Set([0]));
  });

  it('keep an outline on the pressed filters and counters, and on no others (AP-03)', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    await goToPlace(app, 'agreements');
    const counter = page.getByTestId('agreements.counter.attention');
    await counter.click();
    await page.locator('[data-testid="agreements.counter.attention"][aria-pressed=true]').waitFor();
    // The focus has an outline of its own.
    await page.getByRole('grid').focus();
    const counters = await outlineOf('main .counter[aria-pressed=true]');
    await counter.click();
    await goToPlace(app, 'archive');
    const shown = page.getByRole('group', { name: words.archive_show() });
    await shown.getByRole('button', { name: words.archive_not_archived() }).click();
    await page.getByRole('grid').focus();
    const chips = await outlineOf('main .chip[aria-pressed=true]');
    const others = await outlineOf('main .chip[aria-pressed=false]');
    await shown.getByRole('button').first().click();
    expect([counters, chips]).toEqual([[LEAST_OUTLINE], [LEAST_OUTLINE]]);
    expect(others.length).toBeGreaterThan(1);
    expect(new Set(others)).toEqual(new Set([0]));
  });
});

describe('leaving a screen', () => {
  it('shows the other screen, and does not return to a selected agreement', async () => {
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

/** Returns the relative luminance (WCAG 2.2) of a colour as the browser prints it, `rgb(…)`. */
function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/\d+/g) ?? []).map((part) => {
    const share = Number(part) / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

describe('in the dark, a dialog', () => {
  it('is lighter than the page below it, and has an edge that can be seen', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await goToPlace(app, 'connections');
    const menu = page.getByTestId('connection.more').first();
    await chooseMore(page, menu, 'connection.more.rename');
    const dialog = page.getByRole('alertdialog');
    const { raised, edge } = await dialog.evaluate((element) => {
      const { backgroundColor, borderTopColor } = getComputedStyle(element);
      return { raised: backgroundColor, edge: borderTopColor };
    });
    const below = await page
      .locator('main section')
      .first()
      .evaluate((element) => getComputedStyle(element).backgroundColor);
    await page.keyboard.press('Escape');
    await page.emulateMedia({ colorScheme: null });
    expect(luminanceOf(raised)).toBeGreaterThan(luminanceOf(below));
    const contrast = (luminanceOf(edge) + 0.05) / (luminanceOf(raised) + 0.05);
    expect(contrast).toBeGreaterThanOrEqual(3);
  });
});

describe('reduced motion', () => {
  const durations = (): Promise<readonly number[]> =>
    page.evaluate(() =>
      document
        .getAnimations()
        .map((one) => Number(one.effect?.getComputedTiming().duration ?? 0))
        .filter((duration) => duration > 0),
    );

  it('stops all animations on every screen and in dialogs (AP-04)', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    for (const { name } of places) {
      await goToPlace(app, name);
      expect(await durations(), name).toEqual([]);
    }
    await goToPlace(app, 'agreements');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    expect(await durations()).toEqual([]);
    await page.keyboard.press('Escape');
  });
});

describe('the language setting', () => {
  it('applies immediately, and keeps the text that is being typed', async () => {
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
    // The search is cleared, because later tests need the whole list.
    await goToPlace(app, 'agreements');
    await page.getByRole('searchbox').fill('');
  });
});

const Variants = z.array(z.object({ match: z.record(z.string(), z.string()) }));
const Catalogue = z.record(z.string(), z.union([z.string(), Variants]));

/** Returns all texts of a language, with each plural form separately. */
function textsOf(language: Language): ReadonlySet<string> {
  const url = new URL(`../../renderer/messages/${language}.json`, import.meta.url);
  const messages = Object.values(Catalogue.parse(JSON.parse(readFileSync(url, 'utf8'))));
  return new Set(
    messages.flatMap((one) =>
      typeof one === 'string' ? [one] : one.flatMap(({ match }) => Object.values(match)),
    ),
  );
}

const LETTERS = /\p{L}{3}/u;

/**
 * Returns the pattern of a text that contains values. Null if the text without its values has too
 * few letters to be recognised.
 */
function patternOf(text: string): RegExp | null {
  if (!LETTERS.test(text.replaceAll(/\{\w+\}/g, ''))) return null;
  const parts = text
    .split(/\{\w+\}/)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.+')}$`, 's');
}

const patternsOf = (language: Language): readonly RegExp[] =>
  [...textsOf(language)].flatMap((text) => patternOf(text) ?? []);

describe.each(['de', 'fi'] as const)('larger text in %s', (language) => {
  beforeAll(async () => {
    await speak(language);
    await page.evaluate(() => (document.documentElement.style.fontSize = '150%'));
  });

  afterAll(async () => {
    await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));
    await speak('en');
  });

  it.each(places)('is not cut off at 150 % in $name (AP-05)', async ({ name }) => {
    await goToPlace(app, name);
    expect(await cutTexts(page)).toEqual([]);
  });
});

describe.each(['pl', 'fi'] as const)('the window in %s', (language) => {
  let patterns: { readonly own: readonly RegExp[]; readonly english: readonly RegExp[] };

  beforeAll(async () => {
    patterns = { own: patternsOf(language), english: patternsOf('en') };
    await speak(language);
  });

  afterAll(() => speak('en'));

  it.each(places)('shows no English in $name (AP-23)', async ({ name }) => {
    await page.setViewportSize(SMALLEST);
    await goToPlace(app, name);
    const said = await readAll(page);
    expect(said.length).toBeGreaterThan(10);
    const isIn = (all: readonly RegExp[], text: string): boolean =>
      all.some((pattern) => pattern.test(text));
    const { own, english } = patterns;
    expect(said.filter((text) => isIn(english, text) && !isIn(own, text))).toEqual([]);
    await takePicture(page, `${language}-${name.replaceAll(' ', '-')}`);
  });

  it('changes its language without losing typed text, and declares it to screen readers', async () => {
    await show(app, `#/drafts/${app.drafts.v1}`);
    await page.getByTestId('draft.title').fill('Umowa na próbę');
    const before = words.draft_check_send();
    await page.getByTestId('draft.send').getByText(before).waitFor();
    await speak('sv');
    await page.getByTestId('draft.send').getByText(words.draft_check_send()).waitFor();
    expect(await page.getByTestId('draft.title').inputValue()).toBe('Umowa na próbę');
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('sv');
    await speak(language);
    await page.getByTestId('draft.send').getByText(before).waitFor();
  });
});

describe('the window in an artificial language with longer words', () => {
  let data: Awaited<ReturnType<typeof dataOf>>;
  let read = 0;

  beforeAll(async () => {
    data = await dataOf(app);
    await speak(STAND_IN);
  });

  afterAll(() => speak('en'));

  it.each([...screenViews, ...overlays])(
    'takes every text from its catalogue, and cuts none: $name (AP-05, AP-23)',
    async ({ name, open, leave }) => {
      await open(app);
      try {
        for (const size of [SMALLEST, SIZE]) {
          await page.setViewportSize(size);
          const { left, count } = await foreignTexts(page, data);
          read += count;
          const cut = await cutTexts(page);
          expect({ foreign: left, cut }, `${size.width} wide`).toEqual({ foreign: [], cut: [] });
          await takePicture(page, `pseudo-${name.replaceAll(/\W+/g, '-')}-${size.width}`);
        }
      } finally {
        await page.setViewportSize(SIZE);
        await leave?.(app);
      }
    },
  );

  it('contained more than a thousand texts in these tests', () => {
    expect(read).toBeGreaterThan(1000);
  });
});

// These tests run last: opening the question before signing creates evidence, and earlier tests
// expect none.
describe('every overlay', () => {
  it.each(overlays)(
    '$name is accessible in dark, and at 200 % in both themes; Escape closes it (AP-02)',
    async (view) => {
      await auditView(view);
    },
  );
});

describe('a window at 200 %', () => {
  it('never scrolls sideways, on any screen (AP-05)', () => {
    expect(widths.length).toBeGreaterThan(places.length);
    expect(widths.filter(({ width }) => width > TWICE.width)).toEqual([]);
  });
});
