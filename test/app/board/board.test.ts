import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RemoteAgreement } from '../../../shared/model/agreement.ts';
import { audit } from '../support/audit.ts';
import { cacheAgreements } from '../support/cached-agreements.ts';
import { type DeskApp, startDeskApp } from '../support/desk.ts';
import { takePicture } from '../support/picture.ts';
import { apiOf } from '../support/prepared-draft.ts';
import { expectSeen, fill, goTo, press, tabTo } from '../support/steps.ts';
import { words } from '../support/words.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

const AGREEMENTS = 240;

/**
 * Returns the data of the agreement with this index. Its status is, in turn: waiting, signed,
 * partly signed, rejected.
 */
function change(at: number): Partial<RemoteAgreement> {
  const now = Date.now();
  const closedAt = now - at * DAY;
  if (at % 4 === 1) return { closedAt, sentAt: at === 1 ? null : closedAt - (1 + (at % 9)) * DAY };
  return at === 0
    ? { sentAt: null, expiresAt: null }
    : { sentAt: now - (at % 70) * DAY, expiresAt: now + (at % 25) * DAY + 1000 };
}

let folder: string;
let app: DeskApp;
let page: Page;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'desk-board-'));
  const dataDir = path.join(folder, 'data');
  await cacheAgreements(dataDir, AGREEMENTS, change);
  app = await startDeskApp({ dataDir });
  ({ page } = app);
  await page.getByRole('grid').waitFor();
  await goTo(page, 'Control+Shift+b', words.screen_board());
});

afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

const plot = (name: string): Locator => page.getByTestId(`board.${name}`);
const rowsOf = async (name: string): Promise<readonly (readonly string[])[]> =>
  plot(name)
    .getByRole('row')
    .evaluateAll((rows) =>
      rows.slice(1).map((row) => [...row.children].map((cell) => cell.textContent ?? '')),
    );

describe('the board', () => {
  it('gives the values of each chart as a table, which screen readers always read', async () => {
    const { waiting, expiring, failed } = await apiOf(app)['board.read']({});
    await plot('waiting').getByRole('table', { name: words.board_waiting() }).waitFor();
    const rows = await rowsOf('waiting');
    expect(rows.map(([, count]) => Number(count))).toEqual(waiting.bars.map(({ count }) => count));
    expect(rows[1]?.[0]).toBe('1–3 days');
    expect(rows.at(-1)?.[0]).toBe(words.board_or_more({ days: '61 days' }));
    expect((await rowsOf('expiring')).length).toBe(expiring.bars.length);
    expect((await rowsOf('failed')).length).toBe(failed.bars.length);
    expect(await plot('signing').getByRole('columnheader').allTextContents()).toEqual([
      words.board_signing_group(),
      words.board_median(),
      words.board_ninety(),
    ]);
    await takePicture(page, 'board');
  });

  it('states how many agreements each chart excludes', async () => {
    const left = [
      ['waiting', words.board_left_unsent({ count: '1' })],
      ['signing', words.board_left_untimed({ count: '1' })],
      ['expiring', words.board_left_unexpiring({ count: '1' })],
    ] as const;
    for (const [name, text] of left) await expectSeen(plot(name).getByText(text));
  });

  it('draws bars in proportion to their values, the second series with a pattern', async () => {
    const widths = await plot('waiting')
      .locator('svg[viewBox] rect.bar')
      .evaluateAll((bars) => bars.map((bar) => Number(bar.getAttribute('width'))));
    const counts = (await rowsOf('waiting')).map(([, count]) => Number(count));
    const most = Math.max(...counts);
    const longest = Math.max(...widths);
    for (const [at, count] of counts.entries())
      expect(widths[at]).toBeCloseTo((count / most) * longest, 0);
    const fills = await plot('signing')
      .locator('svg[viewBox] rect.bar')
      .evaluateAll((bars) => bars.map((bar) => bar.getAttribute('fill')));
    expect(fills.some((one) => one?.startsWith('url(#') === true)).toBe(true);
    expect(fills).toContain(null);
  });

  it('switches a chart to its table and back with the keyboard', async () => {
    const box = plot('templates').getByRole('checkbox', { name: words.board_table() });
    await tabTo(page, box);
    await page.keyboard.press('Space');
    await expect.poll(() => plot('templates').locator('svg').count()).toBe(0);
    await takePicture(page, 'board-table');
    await page.keyboard.press('Space');
    await expect.poll(() => plot('templates').locator('svg').count()).toBeGreaterThan(0);
  });

  it('shows more days ahead on request', async () => {
    const bars = async (): Promise<number> => (await rowsOf('expiring')).length;
    const before = await bars();
    await page.getByRole('button', { name: '14 days' }).click();
    await expect.poll(bars).toBe(14);
    await page.getByRole('button', { name: '30 days' }).click();
    await expect.poll(bars).toBe(before);
  });

  it('saves a chart as a picture and as a table where the user chooses, and never overwrites a file', async () => {
    const save = async (form: string, file: string): Promise<void> => {
      await press(page, plot('signing').getByRole('button', { name: words.board_save() }));
      const dialog = page.getByRole('alertdialog');
      await dialog.getByLabel(form).check();
      await fill(page, page.getByTestId('board.file'), file);
      await takePicture(page, `board-save-${path.extname(file).slice(1)}`);
      await dialog.getByRole('button', { name: words.board_save_confirm() }).click();
    };
    const svg = path.join(app.folder, 'signing.svg');
    await save(words.board_form_svg(), svg);
    await expect.poll(() => readFile(svg, 'utf8').catch(() => '')).toContain('</svg>');
    const text = await readFile(svg, 'utf8');
    expect(text).toContain(`<title id="title">${words.board_signing()}</title>`);
    const csv = path.join(app.folder, 'signing.csv');
    await save(words.board_form_csv(), csv);
    await expect.poll(() => readFile(csv, 'utf8').catch(() => '')).toContain(words.board_median());
    const lines = (await readFile(csv, 'utf8')).trimEnd().split('\r\n');
    expect(lines).toHaveLength((await rowsOf('signing')).length + 1);
    const before = await readFile(csv, 'utf8');
    await save(words.board_form_csv(), csv);
    await expect.poll(() => page.getByTestId('activity.message').textContent()).not.toContain(csv);
    expect(await readFile(csv, 'utf8')).toBe(before);
  });

  it('leads from a bar to the list of exactly the counted agreements, with the keyboard', async () => {
    const { expiring } = await apiOf(app)['board.read']({});
    const at = expiring.bars.findIndex(({ count }, place) => place > 0 && count > 0);
    const links = plot('expiring').getByRole('link');
    expect(await links.count()).toBe(expiring.bars.filter(({ count }) => count > 0).length);
    const [first] = expiring.bars;
    expect(await links.first().textContent()).toContain(String(first?.count));
    const link = links.nth(expiring.bars.slice(0, at).filter(({ count }) => count > 0).length);
    await press(page, link);
    await expectSeen(page.getByRole('heading', { name: words.screen_agreements(), level: 1 }));
    const counted = String((expiring.bars[at]?.count ?? 0) + 1);
    const grid = page.getByRole('grid');
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe(counted);
    await goTo(page, 'Control+Shift+b', words.screen_board());
  });

  it('does not link a bar whose items no list can show', async () => {
    await plot('waiting').getByRole('table').waitFor();
    for (const name of ['waiting', 'templates'])
      expect(await plot(name).getByRole('link').count()).toBe(0);
    // One signed agreement has no time of sending, so the months exclude agreements of the list.
    expect(await plot('signing').getByRole('link').count()).toBe(0);
  });

  it('links the numbers of a table in the same way', async () => {
    await plot('expiring').getByRole('checkbox', { name: words.board_table() }).check();
    await expectSeen(plot('expiring').getByRole('cell').getByRole('link').first());
    await audit(page);
    await plot('expiring').getByRole('checkbox', { name: words.board_table() }).uncheck();
    await audit(page);
  });

  it('first counts the agreements that need the user, and leads to them', async () => {
    const { attention } = await apiOf(app)['agreements.counts']({});
    expect(attention).toBeGreaterThan(0);
    const first = page.getByTestId(/^board\./).first();
    await expectSeen(first.getByRole('heading', { name: words.board_needs_you() }));
    await press(page, page.getByTestId('board.needs-you.attention'));
    const rows = () => page.getByRole('grid').getAttribute('aria-rowcount');
    await expect.poll(rows).toBe(String(attention + 1));
    await goTo(page, 'Control+Shift+b', words.screen_board());
  });

  it('fits into a small window', async () => {
    await page.setViewportSize({ width: 1024, height: 700 });
    const isWide = (): Promise<boolean> =>
      page.evaluate(
        () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
      );
    expect(await isWide()).toBe(false);
    await takePicture(page, 'board-small');
  });
});
