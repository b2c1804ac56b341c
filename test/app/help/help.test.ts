// tier: all
import { readdir, readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { place } from '../../../build/places.ts';
import { type DeskApp, startDeskApp } from '../support/desk.ts';
import { show } from '../support/furnished-desk.ts';
import { takePicture } from '../support/picture.ts';
import { apiOf } from '../support/prepared-draft.ts';
import { expectFocus, expectSeen, press, tabTo, tryDemo } from '../support/steps.ts';
import { readIn, words, wordsIn } from '../support/words.ts';

let app: DeskApp;
let page: Page;
const asked: string[] = [];

beforeAll(async () => {
  app = await startDeskApp({ size: { width: 1024, height: 700 } });
  ({ page } = app);
  page.on('request', (request) => asked.push(request.url()));
  await tryDemo(page);
});
afterAll(() => app.close());

const article = (): Locator => page.getByTestId('help.article');
const contents = (): Locator => page.getByRole('navigation', { name: words.help_contents() });
const hash = (): Promise<string> => page.evaluate(() => window.location.hash);

/** Returns the distance of an element from the top of its scroll container (CSS pixels). */
const belowTop = (element: Locator): Promise<number> =>
  element.evaluate((one) => {
    const pane = one.closest('[data-pane]');
    return Math.round(one.getBoundingClientRect().top - (pane?.getBoundingClientRect().top ?? 0));
  });

describe('help', () => {
  beforeEach(async () => {
    await show(app, '#/agreements');
    await page.getByRole('heading', { name: words.screen_agreements(), level: 1 }).waitFor();
  });

  it('opens with F1 at the table of contents, with the focus on the heading', async () => {
    await page.keyboard.press('F1');
    const title = page.getByRole('heading', { name: words.screen_help(), level: 1 });
    await expectFocus(title);
    const pages = await readdir(place('renderer/guide/en'));
    const links = contents().getByRole('listitem').getByRole('link');
    // The guide is loaded after the screen is rendered.
    await expect.poll(() => links.count()).toBeGreaterThanOrEqual(pages.length);
    // The page is at its very top, where the parts above its title are also visible.
    expect(await belowTop(article())).toBeGreaterThan(0);
    await takePicture(page, 'help');
  });

  it('opens from the side bar and from the palette', async () => {
    await page.getByTestId('shell.nav.help').click();
    await article().waitFor();
    await show(app, '#/agreements');
    await page.keyboard.press('Control+k');
    await page.keyboard.type(words.screen_help());
    await page.keyboard.press('Enter');
    await expectSeen(article());
    expect(await hash()).toBe('#/help');
  });

  it('leads with the keyboard from the table of contents to a page and to a heading in it', async () => {
    await page.keyboard.press('F1');
    await article().waitFor();
    await press(page, contents().getByRole('link', { name: 'Prepare and send' }));
    await article().getByRole('heading', { name: 'Prepare and send', level: 2 }).waitFor();
    await press(page, contents().getByRole('link', { name: 'Send it', exact: true }));
    const heading = article().getByRole('heading', { name: 'Send it', exact: true });
    await expect.poll(() => belowTop(heading)).toBeLessThan(60);
    expect(await hash()).toBe('#/help/prepare-and-send/send-it');
    // The focus stays in the table of contents while the user moves through its links.
    await expectFocus(contents().getByRole('link', { name: 'Send it', exact: true }));
    await takePicture(page, 'help-page');
  });

  it('follows a link to a heading, and returns through the history', async () => {
    await show(app, '#/help/review-and-sign');
    const link = article().getByRole('link', { name: 'Evidence in a dispute' });
    await link.waitFor();
    await link.focus();
    await page.keyboard.press('Enter');
    await expectFocus(article().getByRole('heading', { name: 'Evidence in a dispute', level: 2 }));
    await page.evaluate(() => window.history.back());
    await expectSeen(article().getByRole('heading', { name: 'Review and sign', level: 2 }));
  });

  it('scrolls back to a heading that is chosen again', async () => {
    await show(app, '#/help/prepare-and-send/send-it');
    const heading = article().getByRole('heading', { name: 'Send it', exact: true });
    await expect.poll(() => belowTop(heading)).toBeLessThan(60);
    const pane = page.getByRole('region', { name: words.help_text() });
    await pane.evaluate((one) => one.scrollTo({ top: one.scrollHeight }));
    expect(await belowTop(heading)).toBeLessThan(0);
    await contents().getByRole('link', { name: 'Send it', exact: true }).click();
    await expect.poll(() => belowTop(heading)).toBeGreaterThanOrEqual(0);
  });

  it('scrolls only the text of the guide in a small window', async () => {
    await page.setViewportSize({ width: 640, height: 400 });
    try {
      await show(app, '#/help/prepare-and-send/send-it');
      const heading = article().getByRole('heading', { name: 'Send it', exact: true });
      const top = (): Promise<number> =>
        heading.evaluate((one) => Math.round(one.getBoundingClientRect().top));
      await expect.poll(top).toBeLessThan(200);
      expect(await top()).toBeGreaterThan(0);
      await article().getByRole('list').first().waitFor();
      await page.getByRole('link', { name: 'Review and sign' }).last().click();
      await expectSeen(article().getByRole('heading', { name: 'Review and sign', level: 2 }));
      const moved = await page.evaluate(() =>
        [document.documentElement, document.body, document.querySelector('main')].map(
          (one) => one?.scrollTop,
        ),
      );
      expect(moved).toEqual([0, 0, 0]);
      await takePicture(page, 'help-small');
    } finally {
      await page.setViewportSize({ width: 1024, height: 700 });
    }
  });

  it('names screens and buttons as the window does, in the window’s language', async () => {
    await show(app, '#/help/unknown-outcome');
    const names = article().locator('strong');
    await names.first().waitFor();
    expect(await names.allTextContents()).toContain(words.outbox_state_unknown());
    await apiOf(app)['settings.write']({ language: 'pl' });
    try {
      await page.locator('html[lang=pl]').waitFor();
      const polish = await wordsIn('pl');
      await page.getByText(polish.help_in_english()).waitFor();
      expect(await names.allTextContents()).toContain(polish.outbox_state_unknown());
      // A screen reader reads the English page and the Polish names each in their own language.
      expect(await article().getAttribute('lang')).toBe('en');
      expect(await names.first().getAttribute('lang')).toBe('pl');
      await takePicture(page, 'help-polish');
    } finally {
      await apiOf(app)['settings.write']({ language: 'en' });
      await page.locator('html[lang=en]').waitFor();
    }
  });

  it('omits the ellipsis of a button before a full stop', async () => {
    await show(app, '#/help/prepare-and-send');
    const line = article().getByRole('listitem').filter({ hasText: 'Drop the PDFs on the window' });
    await line.waitFor();
    const name = words.draft_add_file().replace('…', '');
    expect((await line.textContent())?.trim()).toMatch(new RegExp(`press ${name}\\.$`));
  });

  it('shows the same page in Swedish after a change of language', async () => {
    await show(app, '#/help/moving');
    await article().getByRole('heading', { name: 'Moving to another computer' }).waitFor();
    await apiOf(app)['settings.write']({ language: 'sv' });
    await readIn('sv');
    try {
      await expectSeen(article().getByRole('heading', { name: 'Flytta till en annan dator' }));
      expect(await article().getAttribute('lang')).toBe('sv');
      expect(await page.getByText(words.help_in_english()).count()).toBe(0);
    } finally {
      await apiOf(app)['settings.write']({ language: 'en' });
      await readIn('en');
      await page.locator('html[lang=en]').waitFor();
    }
  });

  it('shows every picture with an alternative text, without moving the text', async () => {
    const shown: string[] = [];
    for (const file of await readdir(place('renderer/guide/en'))) {
      await show(app, `#/help/${file.replace('.md', '')}`);
      const markdown = await readFile(place('renderer/guide/en', file), 'utf8');
      const [, title = ''] = /^# (.*)/.exec(markdown) ?? [];
      await article().getByRole('heading', { name: title, level: 2 }).waitFor();
      const pictures = await article()
        .locator('img')
        .evaluateAll((all) =>
          Promise.all(
            all.map(async (one) => {
              if (!(one instanceof HTMLImageElement)) return [0, 0, 0, 0];
              await one.decode();
              const { width, height } = one.getBoundingClientRect();
              const own = one.naturalWidth / one.naturalHeight;
              return [one.naturalWidth, one.alt.length, own, width / height] as const;
            }),
          ),
        );
      for (const [natural, alt, own, drawn] of pictures) {
        shown.push(file);
        expect(natural, file).toBeGreaterThan(0);
        expect(alt, file).toBeGreaterThan(20);
        expect(drawn, file).toBeCloseTo(own, 1);
      }
    }
    const files = await readdir(place('renderer/guide/pictures'));
    expect(shown).toHaveLength(files.length);
  });

  it('has only links that lead to existing pages', async () => {
    const names = (await readdir(place('renderer/guide/en'))).map((file) => file.slice(0, -3));
    const broken: string[] = [];
    let followed = 0;
    for (const name of names) {
      await show(app, `#/help/${name}`);
      await contents().locator(`a[aria-current=page][href="#/help/${name}"]`).waitFor();
      for (const link of await article().getByRole('link').all()) {
        const [, , to = '', anchor = ''] = ((await link.getAttribute('href')) ?? '').split('/');
        followed += 1;
        if (!names.includes(to) || anchor !== '') broken.push(`${name}: ${to}#${anchor}`);
      }
    }
    expect(followed).toBeGreaterThan(8);
    expect(broken).toEqual([]);
  });
});

describe('a search of the guide', () => {
  const results = (): Locator => page.getByTestId('help.results');

  it('finds words in texts and headings, moves through results with the keyboard, and opens them', async () => {
    await page.keyboard.press('F1');
    await article().waitFor();
    await page.keyboard.press('Control+f');
    await page.keyboard.type('passphrase');
    await results().waitFor();
    const links = results().getByRole('link');
    // Sections with the word in their heading come first.
    expect(await links.first().textContent()).toContain('If it asks for a passphrase');
    expect(await results().locator('mark').first().textContent()).toBe('passphrase');
    const count = await links.count();
    expect(await page.getByRole('status').first().textContent()).toBe(words.help_found({ count }));
    await takePicture(page, 'help-search');
    await page.keyboard.press('ArrowDown');
    await expectFocus(links.first());
    await page.keyboard.press('ArrowDown');
    await expectFocus(links.nth(1));
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await expectFocus(page.getByRole('searchbox'));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expectFocus(article().getByRole('heading', { name: 'If it asks for a passphrase' }));
    expect(await page.getByRole('searchbox').inputValue()).toBe('');
  });

  it('finds the words that the window uses, because the guide uses them too', async () => {
    await show(app, '#/help');
    await page.getByRole('searchbox').fill(words.outbox_candidate_is());
    await expectSeen(results().getByRole('link', { name: 'When you decide' }));
  });

  it('reports when nothing is found, and returns to the page on Escape', async () => {
    await page.getByRole('searchbox').fill('zzzz');
    await page.getByRole('heading', { name: words.help_nothing() }).waitFor();
    await page.getByRole('searchbox').press('Escape');
    await expectSeen(article());
  });
});

describe('the licences in the help', () => {
  it('name this program and every package with its terms, and can be searched', async () => {
    await show(app, '#/settings/about');
    const list = page.getByTestId('settings.licences');
    await list.waitFor();
    const lines = list.locator('summary');
    const all = await lines.count();
    const search = page.getByRole('searchbox', { name: words.licences_search() });
    await tabTo(page, search);
    await page.keyboard.type('pdf-lib');
    await expect.poll(() => lines.count()).toBeLessThan(all);
    const line = lines.filter({ hasText: /^\s*@cantoo\/pdf-lib/ }).first();
    await tabTo(page, line);
    await page.keyboard.press('Enter');
    await expectSeen(
      list.getByText('Permission is hereby granted').filter({ visible: true }).first(),
    );
    await takePicture(page, 'licences');
  });
});

describe('the whole help', () => {
  it('is part of the program and sends no request', () => {
    const outside = asked.filter((url) => !/^(?:blob|data|desk|https:\/\/desk)/.test(url));
    expect(asked.length).toBeGreaterThan(0);
    expect(outside).toEqual([]);
    expect(app.complaints).toEqual([]);
  });
});
