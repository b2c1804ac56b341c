import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { leaseV1, people } from '../../support/desks/batch-desk.ts';
import { type DeskApp, startDeskApp } from '../support/desk.ts';
import { takePicture } from '../support/picture.ts';
import { addLeaseTemplate, apiOf } from '../support/prepared-draft.ts';
import { expectSeen, goTo, press, tabTo } from '../support/steps.ts';
import { words } from '../support/words.ts';

const EXTRA = Array.from({ length: 20 }, (_, at) => `Kolumn ${at + 1}`);
/** Columns that the template uses. */
const USED = ['Förnamn', 'Efternamn', 'Personnummer', 'E-post', 'Monthly rent'];
const WIDTH = 1024;

let app: DeskApp;
let page: Page;

beforeAll(async () => {
  app = await startDeskApp({ seed: 'none', size: { width: WIDTH, height: 700 } });
  ({ page } = app);
  const { token } = app.demo.credentials;
  const office = { name: 'Kontoret', api: 'v1', environment: 'test', accountId: null } as const;
  const connection = { orgNo: null, url: app.demo.v1Url, secret: token, ...office };
  await apiOf(app)['connections.add'](connection);
  await addLeaseTemplate(app, leaseV1);
  await page.reload();
  await page.getByTestId('agreements.new-draft').waitFor();
  await openCheck();
});
afterAll(() => app.close());

const sheet = (): Locator => page.getByTestId('batch.grid').getByRole('grid');
const result = (): Locator => sheet().getByText(words.batch_row_ready()).first();
const cell = (text: string): Locator => sheet().getByText(text, { exact: true }).first();

/**
 * Whether the middle of the element is visible: inside the window, and not covered by another
 * element.
 */
const isSeen = (target: Locator): Promise<boolean> =>
  target.evaluate((one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    const there = document.elementFromPoint(x + width / 2, y + height / 2);
    return there !== null && (one.contains(there) || there.contains(one));
  });

async function openCheck(): Promise<void> {
  await goTo(page, 'Control+5', words.screen_batch());
  // Some unused columns are before the used ones, as in lists of other programs.
  const rows = people(12).map((line, row) => {
    const cells = EXTRA.map((_, at) => `r${row + 1}k${at + 1}`);
    return [...cells.slice(0, 2), line, ...cells.slice(2)].join(';');
  });
  const header = [...EXTRA.slice(0, 2), ...USED, ...EXTRA.slice(2)].join(';');
  const buffer = Buffer.from([header, ...rows].join('\r\n'));
  await page
    .getByTestId('batch.pick')
    .setInputFiles({ name: 'bred.csv', mimeType: 'text/csv', buffer });
  await page.getByTestId('batch.template').waitFor();
  await tabTo(page, page.getByTestId('batch.template'));
  await page.keyboard.type('Hyres');
  await tabTo(page, page.getByTestId('batch.connection'));
  await page.keyboard.type('Kontoret');
  await press(page, page.getByTestId('batch.next'));
  await page.getByRole('heading', { name: words.batch_columns_title() }).waitFor();
  await press(page, page.getByTestId('batch.next'));
  await sheet().waitFor();
}

it('a spreadsheet wider than the window keeps the column with the problems of each row visible', async () => {
  await expectSeen(result());
  expect(await isSeen(result())).toBe(true);
  await takePicture(page, 'batch-wide');
});

it('a spreadsheet wider than the window scrolls to its last column with the pointer', async () => {
  const last = cell('r1k20');
  expect(await isSeen(last)).toBe(false);
  await sheet().hover();
  await page.mouse.wheel(10_000, 0);
  await expect.poll(() => isSeen(last)).toBe(true);
  expect(await isSeen(result())).toBe(true);
  await page.mouse.wheel(-10_000, 0);
  await expect.poll(() => isSeen(last)).toBe(false);
});

it('a spreadsheet wider than the window shows each cell reached by keyboard beside the fixed column', async () => {
  await sheet().focus();
  await page.keyboard.press('Home');
  for (let at = 1; at <= EXTRA.length; at += 1) {
    const steps = at === 1 ? USED.length : 1;
    for (let step = 0; step < steps; step += 1) await page.keyboard.press('ArrowRight');
    await expect.poll(() => isSeen(cell(`r1k${at}`)), { message: `column ${at}` }).toBe(true);
  }
});

it('the check shows the columns that the template does not use after the other columns', async () => {
  const headings = await sheet().getByRole('columnheader').allTextContents();
  const shown = headings.map((heading) => heading.trim());
  expect(shown).toEqual([words.batch_file_row(), ...USED, ...EXTRA, words.batch_grid_result()]);
});

it('several problems of a row are read in full on two lines', async () => {
  await sheet().focus();
  await page.keyboard.press('Home');
  // The cursor is still in the last column.
  for (let at = 0; at < USED.length + EXTRA.length; at += 1) await page.keyboard.press('ArrowLeft');
  // The names of the first person are removed.
  await page.keyboard.press('Delete');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Delete');
  const lines = sheet().locator('.grid-row.active .lines');
  await expect.poll(async () => (await lines.innerText()).includes('·')).toBe(true);
  const { lineHeight, height } = await lines.evaluate((one) => ({
    lineHeight: Number.parseFloat(getComputedStyle(one).lineHeight),
    height: one.getBoundingClientRect().height,
  }));
  expect(Math.round(height / lineHeight)).toBe(2);
  await takePicture(page, 'batch-result-lines');
});
