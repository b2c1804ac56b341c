import type { Locator } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { furnish, type FurnishedDesk, show } from './support/furnished-desk.ts';
import { goToPlace } from './support/views.ts';
import { words } from './support/words.ts';

/** Pixels of a column in which titles of the demo can be told apart. */
const LEAST = 200;

let app: FurnishedDesk;

beforeAll(async () => {
  app = await furnish({ size: { width: 1280, height: 800 } });
});
afterAll(() => app.close());

const widthOf = async (heading: Locator): Promise<number> =>
  (await heading.boundingBox())?.width ?? 0;

it.each([
  ['agreements', () => words.column_title()],
  ['outbox', () => words.outbox_column_what()],
  ['signing', () => words.column_title()],
  ['archive', () => words.column_title()],
] as const)('titles get the room of the list in %s (SC-08)', async (place, heading) => {
  await goToPlace(app, place);
  const grid = app.page.getByRole('grid').first();
  await grid.getByRole('row').nth(1).waitFor();
  const headings = grid.getByRole('columnheader');
  const title = await widthOf(grid.getByRole('columnheader', { name: heading(), exact: true }));
  expect(title).toBeGreaterThanOrEqual(LEAST);
  for (const other of await headings.all()) expect(await widthOf(other)).toBeLessThanOrEqual(title);
});

it('a title that is cut all the same can be read under the pointer (SC-08)', async () => {
  const { page } = app;
  await page.setViewportSize({ width: 1024, height: 700 });
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

/** What the page says under the pointer: of the element, or of one it stands in. */
const titleOver = (text: Locator): Promise<string> =>
  text.evaluate((element) => element.closest('[title]')?.getAttribute('title') ?? '');
