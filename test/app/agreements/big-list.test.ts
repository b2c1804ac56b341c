// tier: all
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { audit } from '../support/audit.ts';
import { cacheAgreements } from '../support/cached-agreements.ts';
import { type DeskApp, startDeskApp } from '../support/desk.ts';

const AGREEMENTS = 10_000;
/** Maximum number of rendered rows: a few screens. The list has ten thousand rows. */
const MAX_ROWS = 60;
/** Index of a row far down in the list, which the first load does not contain. */
const LATE = 7_777;
const RARE = 'Båthus i Öregrund';
/** Number of header rows, which `aria-rowcount` includes. */
const HEADER = 1;
/** Timeout for filling the data file, which takes longer than a test (ms). */
const FILLING = 180_000;

let folder: string;
let app: DeskApp;
let page: Page;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'desk-big-'));
  const dataDir = path.join(folder, 'data');
  await cacheAgreements(dataDir, AGREEMENTS, (at) => (at === LATE ? { title: RARE } : {}));
  app = await startDeskApp({ dataDir });
  ({ page } = app);
  await page.getByRole('grid').waitFor();
}, FILLING);

afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

const grid = (): Locator => page.getByRole('grid');
const rows = (): Promise<number> => grid().getByRole('row').count();
const marked = (): Locator => page.getByTestId('agreements.selection');

const shownCount = (count: number): string => count.toLocaleString('en-GB');

interface ActiveRow {
  readonly text: string;
  /** Row number from 1, including the header. */
  readonly position: number;
}

/** Returns the row that the list declares as active, once it is rendered again. */
async function activeRow(): Promise<ActiveRow> {
  const found = await page.waitForFunction(() => {
    const list = document.querySelector('[role=grid]');
    const row = document.getElementById(list?.getAttribute('aria-activedescendant') ?? '');
    return row && { text: row.textContent, position: Number(row.getAttribute('aria-rowindex')) };
  });
  const row = await found.jsonValue();
  if (row === null) throw new Error('No row is under the cursor');
  return row;
}
const activeText = async (): Promise<string> => (await activeRow()).text;
const activePosition = async (): Promise<number> => (await activeRow()).position;

async function scrollTo(part: number): Promise<void> {
  await grid().evaluate((list, at) => (list.scrollTop = list.scrollHeight * at), part);
}

/** Moves to the top of the whole list, with the focus in it and no selection. */
async function atTop(): Promise<void> {
  await grid().focus();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Home');
  await expect.poll(activeText).toContain('Avtal 0');
}

describe('a list of ten thousand agreements', () => {
  it('shows the total and renders only the visible rows (AP-06)', async () => {
    expect(await grid().getAttribute('aria-rowcount')).toBe(String(AGREEMENTS + HEADER));
    expect(await rows()).toBeLessThan(MAX_ROWS);
  });

  it('opens the row on which Enter was pressed before the row was loaded', async () => {
    // In a narrow window, the opened details cover the list.
    const size = page.viewportSize() ?? { width: 0, height: 0 };
    await page.setViewportSize({ width: 700, height: size.height });
    await atTop();
    // Both keys are sent before the page can render or load.
    await grid().evaluate((list) => {
      for (const key of ['End', 'Enter']) {
        list.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      }
    });
    const last = page.getByRole('heading', { name: `Avtal ${String(AGREEMENTS - 1)}`, level: 2 });
    await last.waitFor();
    await page.keyboard.press('Escape');
    await page.setViewportSize(size);
  });

  it('keeps the selected row when it is scrolled out of view (TX-60)', async () => {
    await atTop();
    await page.keyboard.press('ArrowDown');
    for (const part of [0.5, 0.9, 0.2]) {
      await scrollTo(part);
      await grid().getByRole('row').filter({ hasText: 'Avtal' }).nth(5).waitFor();
      expect(await activeText()).toContain('Avtal 1');
      expect(await activePosition()).toBe(HEADER + 2);
      expect(await rows()).toBeLessThan(MAX_ROWS);
    }
    await page.keyboard.press('ArrowDown');
    expect(await activeText()).toContain('Avtal 2');
  });

  it('moves by row, by page, to its ends and to an initial letter with the keyboard', async () => {
    await atTop();
    await page.keyboard.press('End');
    await expect.poll(activeText).toContain(`Avtal ${String(AGREEMENTS - 1)}`);
    expect(await activePosition()).toBe(AGREEMENTS + HEADER);
    await page.keyboard.press('k');
    await expect.poll(activeText).toContain(`Avtal ${String(AGREEMENTS - 2)}`);
    await page.keyboard.press('Home');
    await page.keyboard.press('j');
    expect(await activeText()).toContain('Avtal 1');
    const before = await activePosition();
    await page.keyboard.press('PageDown');
    expect(await activePosition()).toBeGreaterThan(before + 5);
    await page.keyboard.press('PageUp');
    expect(await activePosition()).toBe(before);
  });

  it('shows placeholder rows, never an empty list, while its scroll bar is dragged', async () => {
    await atTop();
    for (const part of [0.3, 0.31, 0.7, 0.1, 0.99]) {
      await scrollTo(part);
      expect(await rows()).toBeGreaterThan(10);
    }
    await expect.poll(() => grid().locator('[aria-busy=true]').count()).toBe(0);
  });

  it('selects all matches in one step, minus the rows that the user deselects', async () => {
    await atTop();
    await page.keyboard.press('Control+a');
    await marked().getByText(shownCount(AGREEMENTS)).waitFor();
    await page.keyboard.press('Space');
    await marked()
      .getByText(shownCount(AGREEMENTS - 1))
      .waitFor();
    await page.keyboard.press('Escape');
    await marked().waitFor({ state: 'detached' });
    expect(await grid().evaluate((list) => list === document.activeElement)).toBe(true);
  });

  it('selects a thousand rows as a range, and deselects them one by one', async () => {
    await page.keyboard.press('Control+f');
    await page.keyboard.type('avtal');
    await atTop();
    await page.keyboard.press('Space');
    for (let pages = 0; pages < 100; pages += 1) await page.keyboard.press('Shift+PageDown');
    const position = await activePosition();
    await marked()
      .getByText(shownCount(position - HEADER), { exact: true })
      .waitFor();
    expect(position).toBeGreaterThan(1000);
    await page.keyboard.press('Shift+PageUp');
    await expect.poll(activePosition).toBeLessThan(position);
    const fewer = await activePosition();
    await marked()
      .getByText(shownCount(fewer - HEADER), { exact: true })
      .waitFor();
    await page.keyboard.press('Escape');
  });

  it('is filtered while the user types, and agreements beyond the loaded rows are found too', async () => {
    await page.keyboard.press('Control+f');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('bathus');
    await expect.poll(() => grid().getAttribute('aria-rowcount')).toBe(String(1 + HEADER));
    await grid().getByText(RARE).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => grid().getAttribute('aria-rowcount')).toBe(String(AGREEMENTS + HEADER));
  });

  it('keeps the selected row when the sort order changes', async () => {
    await atTop();
    for (let steps = 0; steps < 3; steps += 1) await page.keyboard.press('ArrowDown');
    const followed = await activeText();
    await grid().getByRole('columnheader', { name: 'Title' }).getByRole('button').click();
    await expect.poll(activePosition).not.toBe(3 + HEADER + 1);
    expect(await activeText()).toBe(followed);
    await expect
      .poll(() => grid().getByRole('columnheader', { name: 'Title' }).getAttribute('aria-sort'))
      .toBe('ascending');
    await grid().getByRole('columnheader', { name: 'Updated' }).getByRole('button').click();
    await expect.poll(activePosition).toBe(3 + HEADER + 1);
  });

  it('is accessible with selected rows, in light and dark', async () => {
    await atTop();
    await page.keyboard.press('Space');
    await marked().waitFor();
    await audit(page);
    await page.keyboard.press('Escape');
    expect(app.complaints).toEqual([]);
  });
});
