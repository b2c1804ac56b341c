import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiOf, prepareDraft } from './support/prepared-draft.ts';
import { furnish, type FurnishedDesk, show } from './support/furnished-desk.ts';

/** So low that every list scrolls. */
const SIZE = { width: 1280, height: 480 } as const;
const DRAFTS = 14;
const LONG_HOLD = 30;

let app: FurnishedDesk;
let page: Page;

beforeAll(async () => {
  app = await furnish({ size: SIZE });
  ({ page } = app);
  const api = apiOf(app);
  await api['settings.write']({ archiveFolder: path.join(app.folder, 'archive') });
  await mkdir(path.join(app.folder, 'archive'));
  const bytes = () => app.desk.acceptBytes(Buffer.from('Namn;E-post\nÅsa;asa@example.com'));
  for (let number = 0; number < DRAFTS; number += 1) {
    await prepareDraft(app, 'v1', `Utkast ${String(number)}`);
    const batch = { name: `Blad ${String(number)}`, fileName: 'blad.csv', choices: {} };
    await api['batches.create']({
      ...batch,
      bytes: bytes(),
      templateId: null,
      connectionId: null,
    });
  }
});
afterAll(() => app.close());

const grid = (): Locator => page.getByRole('grid');
const rows = (): Locator => grid().locator('[role=row][data-id]');
const activeKey = (): Promise<string | null> =>
  grid()
    .locator('.grid-row.active')
    .getAttribute('data-id', { timeout: 5000 })
    .catch(() => null);
const scrolled = (): Promise<number> => grid().evaluate((element) => element.scrollTop);

/** A fresh page, on which nothing is chosen and nothing has the focus. */
async function freshScreen(hash: string): Promise<void> {
  await show(app, hash);
  await page.reload();
  await rows().first().waitFor();
  await page.mouse.move(0, 0);
}

/** Scrolls with the wheel, until the list stands still somewhere below its top. */
async function scrollDown(): Promise<void> {
  const box = await grid().boundingBox();
  if (box === null) throw new Error('The list is not shown');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.wheel(0, 400);
  await expect.poll(scrolled).toBeGreaterThan(0);
  let last = -1;
  await expect
    .poll(async () => {
      const before = last;
      last = await scrolled();
      return last === before;
    })
    .toBe(true);
}

interface Target {
  readonly key: string;
  readonly x: number;
  readonly y: number;
}

/** The row in the middle of what is seen, and where its second cell lies. */
async function middleRow(): Promise<Target> {
  const found = await grid().evaluate((element) => {
    const { top, height } = element.getBoundingClientRect();
    const all = [...element.querySelectorAll<HTMLElement>('[role=row][data-id]')];
    const middle = top + height / 2;
    const row = all.find((one) => one.getBoundingClientRect().bottom >= middle);
    const cell = row?.querySelectorAll('[role=gridcell]')[1]?.getBoundingClientRect();
    return row === undefined || cell === undefined
      ? null
      : {
          key: row.dataset['id'] ?? '',
          x: cell.left + Math.min(cell.width / 2, 40),
          y: cell.top + cell.height / 2,
        };
  });
  if (found === null) throw new Error('No row lies in the middle');
  return found;
}

const lists = [
  { name: 'agreements', hash: '#/agreements' },
  { name: 'drafts', hash: '#/drafts' },
  { name: 'archive', hash: '#/archive' },
  { name: 'signing', hash: '#/signing' },
] as const;

describe('in a scrolled list with nothing chosen', () => {
  it.each(lists)('the row that is clicked is chosen in $name, and stays there (SC-01)', async (one) => {
    await freshScreen(one.hash);
    await scrollDown();
    const { key, x, y } = await middleRow();
    const before = await scrolled();
    await page.mouse.click(x, y);
    await expect.poll(activeKey).toBe(key);
    expect(await scrolled()).toBe(before);
  });
});
