// tier: all
import { BUS_ADDRESS } from '../support/keyring.ts';
import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { makeNewer } from '../support/newer-data.ts';
import { audit } from './support/audit.ts';
import { type DeskApp, startDeskApp } from './support/desk.ts';
import { enterConnection, expectFocus, fill, press } from './support/steps.ts';
import { words } from './support/words.ts';

const PASSPHRASE = 'fyra hästar under månen';

let folder: string;
let dataDir: string;
let app: DeskApp;
let page: Page;

beforeAll(async () => {
  // The address must be set before the first use: the process keeps its first D-Bus address.
  process.env['DBUS_SESSION_BUS_ADDRESS'] = BUS_ADDRESS;
  folder = await mkdtemp(path.join(tmpdir(), 'desk-doors-'));
  dataDir = path.join(folder, 'data');
});

afterEach(() => app.close());

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function start(): Promise<void> {
  app = await startDeskApp({ dataDir });
  ({ page } = app);
}

/** Starts the program without a D-Bus session, so that no test reaches the user's keyring. */
async function startWithoutStore(name: string): Promise<void> {
  app = await startDeskApp({ dataDir: path.join(folder, name), vault: 'keychain' });
  ({ page } = app);
}

it('the page of a first start and its forms are accessible in light and dark', async () => {
  await start();
  await expectFocus(page.getByTestId('choice.connect'));
  await audit(page);
  await press(page, page.getByTestId('choice.connect'));
  await page.getByTestId('connection.detect').waitFor();
  await audit(page);
  await press(page, page.getByRole('button', { name: words.connection_cancel() }));
  for (const api of ['v1', 'v2'] as const) {
    await enterConnection(page, api);
    await page.getByTestId('connection.form').waitFor();
    await audit(page);
    await press(page, page.getByRole('button', { name: words.connection_cancel() }));
  }
  expect(app.complaints).toEqual([]);
});

it('a wrong key is reported, the data stays unchanged, and the right key opens it (TX-52)', async () => {
  const keyfile = `${dataDir}.key`;
  const right = await readFile(keyfile);
  await writeFile(keyfile, randomBytes(right.length));
  await start();
  await page.getByText(words.unlock_wrong_key()).waitFor();
  await audit(page);
  // A passphrase is not offered, because it cannot open data that is encrypted with another key.
  expect(await page.getByTestId('unlock.choose-passphrase').count()).toBe(0);
  await writeFile(keyfile, right);
  await press(page, page.getByTestId('unlock.retry'));
  await page.getByTestId('choice.demo').waitFor();
  expect(app.complaints).toEqual([]);
});

it('a first start without a credential store continues with a passphrase', async () => {
  await startWithoutStore('first');
  await page.getByText(words.unlock_no_session(), { exact: true }).waitFor();
  await press(page, page.getByTestId('unlock.choose-passphrase'));
  await page.getByTestId('unlock.passphrase').waitFor();
  await audit(page);
  for (const label of [words.unlock_passphrase(), words.unlock_passphrase_again()]) {
    await fill(page, page.getByLabel(label, { exact: true }), PASSPHRASE);
  }
  await press(page, page.getByRole('button', { name: words.unlock_choose(), exact: true }));
  await page.getByTestId('choice.demo').waitFor();
  expect(app.complaints).toEqual([]);
});

it('the window asks for the missing credential store of the data, not for a passphrase', async () => {
  const kept = path.join(folder, 'kept');
  const store = { store: 'keychain', createdAt: 0, keyId: '0123456789abcdef' };
  await mkdir(kept);
  await writeFile(path.join(kept, 'vault.json'), JSON.stringify(store));
  await copyFile(path.join(dataDir, 'desk.db'), path.join(kept, 'desk.db'));
  await startWithoutStore('kept');
  await page.getByText(words.unlock_no_session_data(), { exact: true }).waitFor();
  await page.getByText(words.unlock_saving_locked()).waitFor();
  await audit(page);
  expect(await page.getByTestId('unlock.choose-passphrase').count()).toBe(0);
  expect(app.complaints).toEqual([]);
});

it('data whose note of its credential store is unreadable is reported, and can be set aside', async () => {
  const torn = path.join(folder, 'torn');
  await mkdir(torn);
  await writeFile(path.join(torn, 'vault.json'), '{');
  await copyFile(path.join(dataDir, 'desk.db'), path.join(torn, 'desk.db'));
  await startWithoutStore('torn');
  await page.getByText(words.unlock_changed()).waitFor();
  await page.getByTestId('unlock.aside').waitFor();
  await audit(page);
  expect(app.complaints).toEqual([]);
});

it('data of a newer version is not opened and stays unchanged, and the window names that version', async () => {
  const keyfile = `${dataDir}.key`;
  await makeNewer({ data: dataDir, keyfile });
  const before = await readFile(path.join(dataDir, 'desk.db'));
  await start();
  await page.getByText(words.failure_newer_data()).waitFor();
  await audit(page);
  expect(await readFile(path.join(dataDir, 'desk.db'))).toEqual(before);
  expect(app.complaints).toEqual([]);
});
