// tier: all
import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { furnish, type FurnishedDesk } from './support/furnished-desk.ts';
import { expectFresh } from './support/steps.ts';
import { goToPlace } from './support/places.ts';

/** Number of rows of a list that are recorded: enough to know how the list is read. */
const ROWS_KEPT = 2;

let app: FurnishedDesk;
let page: Page;

beforeAll(async () => {
  app = await furnish();
  ({ page } = app);
});
afterAll(() => app.close());

/** Replaces texts that change with the date and time, and removes most rows of a list. */
function settled(tree: string): string {
  let rows = 0;
  let skipped: number | null = null;
  const lines: string[] = [];
  for (const line of tree.split('\n')) {
    const indent = line.search(/\S/);
    if (skipped !== null && indent > skipped) continue;
    skipped = null;
    if (/^\s*- (grid|table)\b/.test(line)) rows = 0;
    if (/^\s*- row\b/.test(line)) {
      rows += 1;
      if (rows > ROWS_KEPT + 1) {
        skipped = indent;
        continue;
      }
    }
    const placed = line.replaceAll(app.folder, 'FOLDER').replaceAll(ID, '_ID.pdf');
    lines.push(placed.replaceAll(DAY, 'DAY').replaceAll(/\d+/g, '#'));
  }
  return `${lines.join('\n')}\n`;
}

/** Suffix by which file names in the archive distinguish agreements. */
const ID = /_[0-9a-f]{8}\.pdf/g;
const DAY =
  /\b\d{1,2} (?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]*(?: \d{4})?|\b(?:yesterday|today|tomorrow)\b|\bin \d+ (?:day|hour|minute|week|month)s?\b|\b\d+ (?:day|hour|minute|week|month)s? ago\b|\b\d\d:\d\d\b/g;

/** Names of ten views that are the same at any time of day: lists, editors, a choice, settings. */
const SPOKEN = [
  ...['agreements', 'draft v1', 'draft v2', 'new draft', 'batches'],
  ...['signing', 'archive', 'connections', 'sending', 'identities'],
];

describe('the text that a screen reader speaks', () => {
  it.each(SPOKEN)('on the screen "%s" equals the reviewed recording', async (name) => {
    await goToPlace(app, name);
    if (name === 'agreements') await expectFresh(page);
    const main = page.getByRole('main');
    await expect.poll(() => main.locator('[aria-busy=true]').count()).toBe(0);
    // The text layer of a page is added a moment after its picture is drawn.
    const sheets = main.getByTestId('pdf.page');
    if ((await sheets.count()) > 0)
      await expect.poll(() => sheets.locator('span').count()).not.toBe(0);
    const file = path.join(import.meta.dirname, 'spoken', `${name.replaceAll(' ', '-')}.txt`);
    await expect(settled(await main.ariaSnapshot())).toMatchFileSnapshot(file);
  });
});
