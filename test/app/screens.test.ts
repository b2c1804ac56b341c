// tier: quick, 45 s, because it opens every view once
import type { Locator, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ORIGIN } from '../../electron/hosts/chromium/launch.ts';
import { audit, auditLight } from './support/audit.ts';
import { type DialogLook, lookAtDialog, watchFirstFocus } from './support/first-focus.ts';
import { furnish, type FurnishedDesk, show } from './support/furnished-desk.ts';
import { apiOf, prepareDraft } from './support/prepared-draft.ts';
import { expectGone, expectSeen } from './support/steps.ts';
import { goToPlace, places, screenNames } from './support/places.ts';
import { overlays, screenViews, type View } from './support/views.ts';
import { windows } from './support/windows.ts';
import { readIn, words } from './support/words.ts';

/*
 * Opens every view once, in light and at 100 %, with all checks of this window, on the same data.
 * Other themes, sizes and languages are tested in `looks.test.ts`.
 */

const WIDE = { width: 1280, height: 800 } as const;
const NARROW = { width: 1024, height: 700 } as const;
/** Size of a checkbox or radio button on every screen (CSS pixels). */
const BOX = 16;
/** Minimum width of a column in which the demo's titles can be distinguished (px). */
const LEAST_TITLE = 200;

let app: FurnishedDesk;
let page: Page;
const asked: string[] = [];
/** Each visited checkbox and radio button, as `view: width × height`. */
const boxes: string[] = [];
/** Each visited dialog. */
const dialogs: (DialogLook & { readonly name: string })[] = [];
/** Dialogs with fields that start at the closing button, because their action is final. */
const FINAL = new Set(['check before a send', 'check before a send that is scheduled']);

beforeAll(async () => {
  app = await furnish({ size: WIDE });
  ({ page } = app);
  page.on('request', (request) => asked.push(request.url()));
  await watchFirstFocus(page);
});

afterEach(async () => {
  await page.setViewportSize(WIDE);
});

afterAll(() => app.close());

/** Opens a view, measures its boxes, and audits it. */
async function lookAt({ name, open, leave }: View): Promise<void> {
  await open(app);
  try {
    boxes.push(...(await boxSizes()).map((size) => `${name}: ${size}`));
    const dialog = await lookAtDialog(page);
    if (dialog !== null) dialogs.push({ name, ...dialog });
    await auditLight(page);
  } finally {
    await leave?.(app);
  }
}

const boxSizes = (): Promise<string[]> =>
  page.locator('input[type=checkbox], input[type=radio]').evaluateAll((all) =>
    all
      .filter((one) => one.checkVisibility())
      .map((one) => one.getBoundingClientRect())
      .map(({ width, height }) => `${width} × ${height}`),
  );

const widthOf = async (heading: Locator): Promise<number> =>
  (await heading.boundingBox())?.width ?? 0;

/** Returns the title that the page shows under the pointer: of the element or of an ancestor. */
const titleOver = (text: Locator): Promise<string> =>
  text.evaluate((element) => element.closest('[title]')?.getAttribute('title') ?? '');

// These tests run before any row is selected: in a narrow window, the details of a selected row
// would cover the list.
describe('a list', () => {
  it.each([
    ['agreements', () => words.column_title()],
    ['outbox', () => words.outbox_column_what()],
    ['signing', () => words.column_title()],
    ['archive', () => words.column_title()],
  ] as const)('gives its titles the most width, in %s (SC-08)', async (place, heading) => {
    await goToPlace(app, place);
    const grid = page.getByRole('grid').first();
    await grid.getByRole('row').nth(1).waitFor();
    const headings = grid.getByRole('columnheader');
    const title = await widthOf(grid.getByRole('columnheader', { name: heading(), exact: true }));
    expect(title).toBeGreaterThanOrEqual(LEAST_TITLE);
    for (const other of await headings.all())
      expect(await widthOf(other)).toBeLessThanOrEqual(title);
  });

  it('shows a title that is cut off in full when the pointer is over it (SC-08)', async () => {
    await page.setViewportSize(NARROW);
    await show(app, '#/agreements');
    const cells = page.getByRole('grid').getByRole('gridcell');
    const isCut = (cell: Element): boolean => cell.scrollWidth > cell.clientWidth;
    await expect.poll(() => cells.evaluateAll((all) => all.length)).toBeGreaterThan(10);
    for (const cell of await cells.all()) {
      const text = cell.locator('xpath=descendant-or-self::*[not(*)]').first();
      if (!(await text.evaluate(isCut))) continue;
      const whole = (await text.textContent())?.trim() ?? '';
      await cell.hover();
      await expect.poll(() => titleOver(text)).toContain(whole);
      return;
    }
    throw new Error('Nothing is cut in this window, so nothing was tried');
  });
});

describe('every screen', () => {
  it('in the side bar is listed once, and is among the tested screens', async () => {
    const rows = await page.getByTestId(/^shell\.nav\./).all();
    const names = await Promise.all(rows.map((row) => row.getAttribute('data-testid')));
    expect(names.map((name) => name?.replace('shell.nav.', ''))).toEqual(screenNames);
    const hashes = new Set(places.map(({ hash }) => hash(app).split('/')[1]));
    expect(screenNames.filter((name) => !hashes.has(name))).toEqual([]);
  });

  it.each(screenViews)('$name is accessible (AP-02)', async (view) => {
    await lookAt(view);
  });
});

describe('every overlay', () => {
  it.each(overlays)('$name is accessible; Escape closes it (AP-02)', async (view) => {
    await lookAt(view);
  });
});

describe('every dialog', () => {
  it('starts at its first field, or at a button that changes nothing', () => {
    expect(dialogs.length).toBeGreaterThan(30);
    const isFinal = ({ name, buttons }: (typeof dialogs)[number]): boolean =>
      FINAL.has(name) || buttons.includes('danger');
    const wrong = dialogs.filter((one) => {
      const isField = one.first === 'field';
      return one.hasField && !isFinal(one)
        ? !isField
        : isField || ['nothing', 'primary', 'danger'].includes(one.first);
    });
    expect(wrong).toEqual([]);
  });

  it('shows at each button that is not available why it is not (AP-22)', () => {
    const off = dialogs.flatMap(({ name, unavailable }) =>
      unavailable.map((button) => ({ view: name, ...button })),
    );
    expect(off.filter(({ reason }) => reason === '')).toEqual([]);
    expect(off.length).toBeGreaterThan(5);
  });

  it('has the button that closes it first, and the main action last', () => {
    const wrong = dialogs.filter(({ buttons }) => {
      const main = buttons.findIndex((kind) => kind === 'primary' || kind === 'danger');
      return (
        (main !== -1 && main !== buttons.length - 1) ||
        (buttons.includes('closes') && buttons[0] !== 'closes')
      );
    });
    expect(wrong).toEqual([]);
  });
});

describe('every checkbox and radio button', () => {
  it('has one size, in lists, forms and dialogs (SC-24)', () => {
    expect(boxes.length).toBeGreaterThan(20);
    expect(boxes.filter((one) => !one.endsWith(`: ${BOX} × ${BOX}`))).toEqual([]);
  });
});

describe('the accessibility audit of these tests', () => {
  afterEach(async () => {
    await page.emulateMedia({ colorScheme: null });
    await page.evaluate(() => {
      document.documentElement.style.removeProperty('--text');
      document.querySelector('main > button:empty')?.remove();
    });
  });

  it('finds text that is unreadable only in the dark theme', async () => {
    await show(app, '#/settings/sending');
    await page.getByText(words.settings_hold()).waitFor();
    await page.evaluate(() =>
      document.documentElement.style.setProperty('--text', 'light-dark(#1c1b19, #33312c)'),
    );
    await expect(audit(page)).rejects.toThrow(/^dark: /);
  });

  it('finds a button without a name', async () => {
    await show(app, '#/settings/sending');
    await page.getByText(words.settings_hold()).waitFor();
    await page.evaluate(() =>
      document.querySelector('main')?.append(document.createElement('button')),
    );
    await expect(audit(page)).rejects.toThrow(/^light: /);
  });

  it('needs to test only the colours of the dark theme, because no other style differs', async () => {
    const asking = await page.evaluate(() =>
      [...document.styleSheets]
        .flatMap((sheet) => [...sheet.cssRules])
        .filter(({ cssText }) => cssText.includes('prefers-color-scheme'))
        .map(({ cssText }) => cssText),
    );
    expect(asking).toEqual([]);
    expect(await page.evaluate(() => document.styleSheets.length)).toBeGreaterThan(0);
  });
});

/** Returns the position of the title, and the height of its line. */
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

describe('the common parts of every screen', () => {
  it.each(windows)(
    'include a title line of one height, with all its controls on it, in $language (SC-23)',
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

  it('include the choice of a country by name, for signing persons as in drafts (SC-25)', async () => {
    await goToPlace(app, 'identities');
    await page.getByTestId('settings.identity.add').click();
    const form = page.getByTestId('settings.identity.form');
    const country = form.getByLabel(words.draft_country(), { exact: true });
    await country.selectOption({ label: 'Sweden' });
    expect(await country.inputValue()).toBe('SE');
    await form.getByRole('button', { name: words.common_cancel() }).click();
  });
});

describe('the details of an agreement', () => {
  it('hide internal notes of the program, and fold technical details up (SC-26)', async () => {
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
  it('opens the details of a send when a link to the send is followed in the outbox (SC-21)', async () => {
    await page.setViewportSize(NARROW);
    await show(app, '#/outbox');
    await page.getByTestId('outbox.grid').waitFor();
    const details = page.getByTestId('outbox.details');
    await expectGone(details.and(page.locator(':visible')));
    await show(app, `#/outbox/${app.unknown}`);
    await expectSeen(details);
    // After the details are closed, the row stays selected, and the user can continue in the list.
    await page.keyboard.press('Escape');
    await expectGone(details.and(page.locator(':visible')));
    await page.getByRole('grid').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Home');
    expect(await details.isVisible()).toBe(false);
  });

  it('shows at most two lines of controls above the archive, and rows that can be selected (SC-27)', async () => {
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

describe('the review of a batch', () => {
  it('counts the owner of the account as one recipient for any number of agreements (SC-28)', async () => {
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

describe('the window during all these tests', () => {
  it('sends no request to other computers, and its page logs no error (TX-53)', () => {
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter((url) => !/^(blob:|data:)/.test(url) && !url.startsWith(ORIGIN))).toEqual(
      [],
    );
    expect(app.complaints).toEqual([]);
  });
});
