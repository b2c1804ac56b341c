import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { makeNewer } from '../support/newer-data.ts';
import { audit } from './support/audit.ts';
import { type DeskApp, startDeskApp } from './support/desk.ts';
import { expectFocus, press } from './support/steps.ts';
import { words } from './support/words.ts';

let folder: string;
let dataDir: string;
let app: DeskApp;
let page: Page;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'desk-doors-'));
  dataDir = path.join(folder, 'data');
});

afterEach(() => app.close());

afterAll(() => rm(folder, { recursive: true, force: true }));

async function start(): Promise<void> {
  app = await startDeskApp({ dataDir });
  ({ page } = app);
}

it('the first page and its forms can be used by everybody, in light and in dark', async () => {
  await start();
  await expectFocus(page.getByTestId('choice.demo'));
  await audit(page);
  for (const api of ['v1', 'v2'] as const) {
    await press(page, page.getByTestId(`choice.${api}`));
    await page.getByTestId('connection.form').waitFor();
    await audit(page);
    await press(page, page.getByRole('button', { name: words.connection_cancel() }));
  }
  expect(app.complaints).toEqual([]);
});

it('a key that does not open the data is told, the data stays, and the right one opens it (TX-52)', async () => {
  const keyfile = `${dataDir}.key`;
  const right = await readFile(keyfile);
  await writeFile(keyfile, randomBytes(right.length));
  await start();
  await page.getByText(words.unlock_wrong_key()).waitFor();
  await audit(page);
  await press(page, page.getByTestId('unlock.choose-passphrase'));
  await page.getByTestId('unlock.passphrase').waitFor();
  await audit(page);
  await writeFile(keyfile, right);
  await press(page, page.getByTestId('unlock.retry'));
  await page.getByTestId('choice.demo').waitFor();
  expect(app.complaints).toEqual([]);
});

it('data of a newer version is not opened, says which version opens it, and stays', async () => {
  const keyfile = `${dataDir}.key`;
  await makeNewer({ data: dataDir, keyfile });
  const before = await readFile(path.join(dataDir, 'desk.db'));
  await start();
  await page.getByText(words.failure_newer_data()).waitFor();
  await audit(page);
  expect(await readFile(path.join(dataDir, 'desk.db'))).toEqual(before);
  expect(app.complaints).toEqual([]);
});
