import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { furnish, type FurnishedDesk, show } from './support/furnished-desk.ts';
import { apiOf, prepareDraft } from './support/prepared-draft.ts';
import { expectGone, expectSeen } from './support/steps.ts';
import { goToPlace, overlays, places, screenNames } from './support/views.ts';
import { windows } from './support/windows.ts';
import { readIn, words } from './support/words.ts';

const NARROW = { width: 1024, height: 700 } as const;
/** CSS pixels of a box to tick, wherever it stands. */
const BOX = 16;

let app: FurnishedDesk;
let page: Page;

beforeAll(async () => {
  app = await furnish();
  ({ page } = app);
});
afterEach(async () => {
  await page.setViewportSize(windows[0]?.size ?? NARROW);
});
afterAll(() => app.close());

/** Where the title stands, and how high the line is that it begins. */
const titleLine = () =>
  page.evaluate(() => {
    const title = document.querySelector('main h1[data-screen-title]');
    const line = title?.closest('.line') ?? null;
    const { x, y } = title?.getBoundingClientRect() ?? { x: 0, y: 0 };
    return {
      left: x,
      middle: y + (title?.getBoundingClientRect().height ?? 0) / 2,
      height: line?.getBoundingClientRect().height ?? 0,
    };
  });

describe('what is the same is alike on every screen', () => {
  it.each(windows)(
    'one title line of one height, with what it holds on it, in $language (SC-23)',
    async ({ language, size }) => {
      await readIn(language);
      await apiOf(app)['settings.write']({ language });
      await page.locator(`html[lang=${language}]`).waitFor();
      await page.setViewportSize(size);
      const lines: Record<string, Awaited<ReturnType<typeof titleLine>>> = {};
      try {
        for (const name of screenNames) {
          await show(app, `#/${name}`);
          await page.locator(`[data-testid="shell.nav.${name}"][aria-current=page]`).waitFor();
          await page.locator('main h1[data-screen-title]').waitFor();
          lines[name] = await titleLine();
        }
      } finally {
        await apiOf(app)['settings.write']({ language: 'en' });
        await readIn('en');
        await page.locator('html[lang=en]').waitFor();
      }
      const [first] = Object.values(lines);
      expect(Object.keys(lines)).toHaveLength(screenNames.length);
      expect(lines).toEqual(Object.fromEntries(screenNames.map((name) => [name, first])));
    },
  );

  it('a box to tick has one size, in lists, forms and dialogs (SC-24)', async () => {
    const odd = new Set<string>();
    let seen = 0;
    const measure = async (name: string): Promise<void> => {
      const boxes = page.locator('input[type=checkbox], input[type=radio]');
      const sizes = await boxes.evaluateAll((all) =>
        all
          .filter((one) => one.checkVisibility())
          .map((one) => one.getBoundingClientRect())
          .map(({ width, height }) => [width, height]),
      );
      seen += sizes.length;
      for (const size of sizes) if (size.some((side) => side !== BOX)) odd.add(`${name}: ${size}`);
    };
    for (const { name } of places) {
      await goToPlace(app, name);
      await measure(name);
    }
    for (const { name, open, leave } of overlays.slice(0, 6)) {
      await open(app);
      await measure(name);
      await leave?.(app);
    }
    expect(seen).toBeGreaterThan(20);
    expect([...odd]).toEqual([]);
  });

  it('a country is chosen by its name, for a person who signs as in a draft (SC-25)', async () => {
    await goToPlace(app, 'identities');
    await page.getByTestId('settings.identity.add').click();
    const form = page.getByTestId('settings.identity.form');
    const country = form.getByLabel(words.draft_country(), { exact: true });
    await country.selectOption({ label: 'Sweden' });
    expect(await country.inputValue()).toBe('SE');
    await form.getByRole('button', { name: words.common_cancel() }).click();
  });
});

describe('an agreement', () => {
  it('shows nothing that the program notes for itself, and what is technical folded up (SC-26)', async () => {
    const api = apiOf(app);
    const id = await prepareDraft(app, 'v1', 'Hyra av garage');
    const { connectionId } = await api['drafts.show']({ id });
    if (connectionId === null) throw new Error('The demo has no connection for v1');
    const { ref } = await api['drafts.send']({ id, connectionId, holdSeconds: 0, confirm: 1 });
    await api['outbox.run']({});
    const sent = async () => (await api['outbox.show']({ ref })).remoteId;
    await expect.poll(sent).not.toBeNull();
    const remoteId = await sent();
    if (remoteId === null) throw new Error('It was not sent');
    const shown = await api['agreements.show']({ connectionId, id: remoteId, refresh: true });
    expect(shown.tags).toHaveProperty(['desk.ref'], ref);
    await show(app, `#/agreements/${connectionId}/${remoteId}`);
    const details = page.getByTestId('agreements.details');
    await details.getByRole('heading', { name: shown.title, level: 2 }).waitFor();
    expect(await details.innerText()).not.toContain('desk.ref');
    const technical = page.getByTestId('agreements.technical');
    expect(await technical.getAttribute('open')).toBeNull();
  });
});

describe('a narrow window', () => {
  it('opens the details of a send that something else names, while the outbox is shown (SC-21)', async () => {
    await page.setViewportSize(NARROW);
    await show(app, '#/outbox');
    await page.getByTestId('outbox.grid').waitFor();
    const details = page.getByTestId('outbox.details');
    await expectGone(details.and(page.locator(':visible')));
    await show(app, `#/outbox/${app.unknown}`);
    await expectSeen(details);
    // Closed, the cursor stays, and whoever moves in the list is left there.
    await page.keyboard.press('Escape');
    await expectGone(details.and(page.locator(':visible')));
    await page.getByRole('grid').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Home');
    expect(await details.isVisible()).toBe(false);
  });

  it('has two lines of controls above the archive, and rows that can be selected (SC-27)', async () => {
    await page.setViewportSize(NARROW);
    await goToPlace(app, 'archive');
    const grid = page.getByRole('grid');
    const head = page.locator('main header.head');
    expect((await head.boundingBox())?.height ?? Infinity).toBeLessThan(100);
    const boxes = grid.getByRole('checkbox');
    await boxes.first().click();
    await expectSeen(
      page
        .getByRole('button', { name: words.archive_run_marked({ count: 1 }) })
        .and(page.locator('.primary')),
    );
    await grid.focus();
    await page.keyboard.press('Control+a');
    const all = Number(await grid.getAttribute('aria-rowcount')) - 1;
    await expectSeen(page.getByRole('button', { name: words.archive_run_marked({ count: all }) }));
    await page.keyboard.press('Escape');
    await expectSeen(page.getByRole('button', { name: words.archive_run({ count: all }) }));
  });
});

describe('a batch', () => {
  it('counts the owner of the account once, however many agreements it has (SC-28)', async () => {
    const { batch: id } = app.samples;
    const check = await apiOf(app)['batches.check']({ id });
    const { rows } = await apiOf(app)['batches.rows']({
      id,
      filter: 'ready',
      offset: 0,
      limit: 50,
    });
    expect(check.people).toBe(rows.length + 1);
    expect(check.emails).toBe(rows.length * 2);
    await show(app, `#/batch/${id}/review`);
    const facts = page.getByTestId('batch.facts');
    await facts.getByText(words.batch_review_people()).waitFor();
    expect(await facts.innerText()).toContain(String(rows.length + 1));
  });
});
