import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../electron/adapters/sqlite/open.ts';
import { createStores } from '../../electron/adapters/sqlite/stores.ts';
import { dataKey } from '../../electron/adapters/vault/data-key.ts';
import { createVault } from '../../electron/adapters/vault.ts';
import { databaseFile } from '../../electron/compose-data.ts';
import { newConnection, remote } from '../adapters/sqlite/samples.ts';
import { type DeskApp, startDeskApp } from './support/desk.ts';

const AGREEMENTS = 10_000;
/** Some screens full; all rows of the list would be ten thousand. */
const MOST_ROWS = 60;
/** Far down in the list, where no reading of the first rows comes. */
const LATE = 7_777;
const RARE = 'Båthus i Öregrund';
/** The header is a row, too. */
const HEADER = 1;

let folder: string;
let app: DeskApp;
let page: Page;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'desk-big-'));
  const dataDir = path.join(folder, 'data');
  await fillData(dataDir);
  app = await startDeskApp({ dataDir });
  ({ page } = app);
  await page.getByRole('grid').waitFor();
});

afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

/** What a first check would leave behind, for a service that is not there any more. */
async function fillData(dataDir: string): Promise<void> {
  const keyfile = `${dataDir}.key`;
  await mkdir(dataDir);
  await writeFile(keyfile, randomBytes(32), { mode: 0o600 });
  const vault = createVault({ store: 'keyfile', path: keyfile, dataDir });
  const key = await dataKey(vault, { databaseExists: false });
  const now = Date.now();
  const database = openDatabase({ file: databaseFile(dataDir), key, now });
  const { connections, agreements } = createStores(database);
  const connection = newConnection({ url: 'http://127.0.0.1:9' });
  connections.save(connection);
  const all = Array.from({ length: AGREEMENTS }, (_, at) =>
    remote({ title: at === LATE ? RARE : `Avtal ${String(at)}`, updatedAt: now - at * 60_000 }),
  );
  agreements.put(connection.id, 'v1', all, now);
  database.close();
}

const grid = (): Locator => page.getByRole('grid');
const rows = (): Promise<number> => grid().getByRole('row').count();

/** What the list names as the row under the cursor, as far as it is on the page. */
async function activeText(): Promise<string | null> {
  const id = await grid().getAttribute('aria-activedescendant');
  return page.locator(`[id="${id ?? ''}"]`).textContent();
}

/** From 1, the header included. */
async function activePosition(): Promise<number> {
  return Number(await grid().locator('[aria-selected=true]').getAttribute('aria-rowindex'));
}

describe('a list of ten thousand', () => {
  it('says how many there are, and draws those that can be seen', async () => {
    expect(await grid().getAttribute('aria-rowcount')).toBe(String(AGREEMENTS + HEADER));
    expect(await rows()).toBeLessThan(MOST_ROWS);
  });

  it('keeps the row under the cursor when it is scrolled out of sight', async () => {
    await grid().focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    expect(await activeText()).toContain('Avtal 1');
    await grid().evaluate((list) => (list.scrollTop = list.scrollHeight));
    await grid().getByRole('row').filter({ hasText: 'Avtal 199' }).waitFor();
    expect(await activeText()).toContain('Avtal 1');
    expect(await rows()).toBeLessThan(MOST_ROWS);
  });

  it('reads on as the cursor comes near its end, and counts rows from its beginning', async () => {
    await page.keyboard.press('End');
    const first = await activePosition();
    const furthest = async (): Promise<number> => {
      await page.keyboard.press('End');
      return activePosition();
    };
    await expect.poll(furthest).toBeGreaterThan(first);
    const position = await activePosition();
    expect(await activeText()).toContain(`Avtal ${String(position - HEADER - 1)}`);
    expect(await rows()).toBeLessThan(MOST_ROWS);
  });

  it('is narrowed while one types', async () => {
    await page.keyboard.press('Control+f');
    await page.keyboard.type('bathus');
    await expect.poll(() => grid().getAttribute('aria-rowcount')).toBe(String(1 + HEADER));
    await grid().getByText(RARE).waitFor();
  });
});
