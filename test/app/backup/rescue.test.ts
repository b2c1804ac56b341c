// tier: all
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Demo, startDemo } from '../../../electron/demo/start.ts';
import { openDatabase } from '../../../electron/adapters/sqlite/open/open.ts';
import { dataKey } from '../../../electron/adapters/vault/data-key.ts';
import { createVault } from '../../../electron/adapters/vault/vault.ts';
import { brokenData } from '../../support/broken-data.ts';
import { audit } from '../support/audit.ts';
import { type DeskApp, startDeskApp } from '../support/desk.ts';
import { takePicture } from '../support/picture.ts';
import { apiOf, prepareDraft } from '../support/prepared-draft.ts';
import { expectGone, expectSeen, fill, press, questionOf } from '../support/steps.ts';
import { words } from '../support/words.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

const TIMEOUT_MS = MINUTE;
/** Window size on the smallest supported screens. */
const SMALL = { width: 1024, height: 700 };
const PASSPHRASE = 'fyra hästar under månen';

let demo: Demo;
let folder: string;
let dataDir: string;
let keyfile: string;
let app: DeskApp;
let page: Page;

beforeAll(async () => {
  demo = await startDemo({ dataDir: null, seed: 'none', counterpartDelayMs: null });
});
afterAll(() => demo.close());
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'desk-rescue-'));
  dataDir = path.join(folder, 'data');
  keyfile = `${dataDir}.key`;
});
afterEach(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

async function start(): Promise<void> {
  app = await startDeskApp({ dataDir, demo, size: SMALL });
  ({ page } = app);
}

const at = (id: string) => page.getByTestId(id);

/** Creates data with a connection, two drafts and a backup, and closes the program. */
async function used(): Promise<{ readonly phrase: string; readonly backups: string }> {
  await start();
  const api = apiOf(app);
  const secret = demo.credentials.token;
  const office = { name: 'Kontoret', api: 'v1', environment: 'test', accountId: null } as const;
  await api['connections.add']({ ...office, url: demo.v1Url, secret });
  for (const title of ['Arrende', 'Hyra']) await prepareDraft(app, 'v1', title);
  const backups = path.join(folder, 'backups');
  mkdirSync(backups);
  const { phrase } = await api['backup.newPhrase']({});
  await api['backup.setUp']({
    folder: backups,
    when: { kind: 'by-hand' },
    keep: 2,
    isOn: true,
    withCredentials: true,
    administrator: null,
    phrase,
  });
  await api['backup.run']({});
  await vi.waitUntil(async () => (await api['backup.read']({})).good !== null, {
    timeout: TIMEOUT_MS,
  });
  await app.close();
  return { phrase, backups };
}

const broken = () => brokenData({ data: dataDir, keyfile });
const asides = () => readdirSync(dataDir).filter((name) => name.startsWith('set-aside-'));

/**
 * Fills in the steps of the dialog for a backup, starting with its folder, and restores the backup.
 */
async function restoreHere(from: string, phrase: string): Promise<void> {
  await at('backup.open.choose').waitFor();
  await fill(page, at('backup.open.folder'), from);
  await page.getByRole('radio', { name: '.signingdesk' }).first().waitFor();
  await fill(page, at('backup.open.words'), phrase);
  await press(page, at('backup.open.go'));
  await press(page, at('backup.open.restore'));
  await at('backup.restore.here').waitFor();
  await press(page, at('backup.restore.go'));
  await at('backup.open.done').waitFor();
}

describe('a damaged data file', () => {
  it('is reported, read page by page, recovered as far as possible, and kept unchanged', async () => {
    await used();
    const file = await broken();
    file.zero(1, ...file.pagesOf('setting'));
    const before = file.content();
    await start();
    await page.getByText(words.reason_data_foreign()).waitFor();
    await expectSeen(page.getByText(words.unlock_saving_damaged()));
    await takePicture(page, 'unlock-damaged');
    await audit(page);
    await press(page, at('unlock.rescue'));
    await at('rescue.ask').waitFor();
    await takePicture(page, 'rescue-ask');
    await audit(page);
    await press(page, at('rescue.look'));
    await at('rescue.report').waitFor();
    const facts = await at('rescue.report').locator('dl').allInnerTexts();
    expect(facts[0]?.split('\n').map((line) => line.trim())).toEqual([
      words.rescue_pages(),
      words.activity_progress({ done: '2', total: String(before.length / 4096) }),
    ]);
    await takePicture(page, 'rescue-report');
    await audit(page);
    expect(file.content()).toEqual(before);
    await press(page, at('rescue.save'));
    await at('rescue.done').waitFor();
    const [aside = ''] = asides();
    await expectSeen(page.getByText(path.join(dataDir, aside)));
    await takePicture(page, 'rescue-done');
    await audit(page);
    await page.keyboard.press('Escape');
    await expectGone(at('rescue.done'));
    await page.getByRole('heading', { name: words.screen_agreements(), level: 1 }).waitFor();
    expect(readFileSync(path.join(dataDir, aside, 'desk.db'))).toEqual(before);
    const titles = (await apiOf(app)['drafts.list']({})).map(({ title }) => title);
    expect(titles.toSorted()).toEqual(['Arrende', 'Hyra']);
    expect(app.complaints).toEqual([]);
  });

  it('is replaced by a backup', async () => {
    const { phrase, backups } = await used();
    const file = await broken();
    file.cut(0.1);
    const before = file.content();
    await start();
    await press(page, at('unlock.backup'));
    await restoreHere(backups, phrase);
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: words.screen_agreements(), level: 1 }).waitFor();
    const [aside = ''] = asides();
    expect(readFileSync(path.join(dataDir, aside, 'desk.db'))).toEqual(before);
    expect((await apiOf(app)['connections.list']({})).map(({ name }) => name)).toEqual([
      'Kontoret',
    ]);
  });

  it('is found by the check of this computer, even if the data still opens', async () => {
    await used();
    const file = await broken();
    file.zero(...file.pagesOf('agreement_by_title'));
    await start();
    await page.getByRole('heading', { name: words.screen_agreements(), level: 1 }).waitFor();
    await page.evaluate(() => (window.location.hash = '#/settings/data'));
    await press(page, at('settings.rescue'));
    await press(page, at('rescue.look'));
    await at('rescue.report').waitFor();
    await expectSeen(page.getByText(words.rescue_lost_nothing()));
    await press(page, at('rescue.save'));
    await at('rescue.done').waitFor();
    await page.keyboard.press('Escape');
    await expectGone(at('settings.rescue'));
    await page.getByText(words.settings_doctor_intact()).waitFor();
    expect(asides()).toHaveLength(1);
  });
});

describe('data that cannot be opened', () => {
  it('is set aside by the user if its key is lost, and is then replaced by a backup', async () => {
    const { phrase, backups } = await used();
    const file = await broken();
    const before = file.content();
    await writeFile(keyfile, randomBytes(32));
    await start();
    await page.getByText(words.unlock_saving_key()).waitFor();
    await takePicture(page, 'unlock-lost-key');
    await audit(page);
    await press(page, at('unlock.aside'));
    await takePicture(page, 'unlock-aside');
    await audit(page);
    const confirm = questionOf(page).getByRole('button', { name: words.unlock_aside_confirm() });
    await press(page, confirm);
    await at('choice.restore').waitFor();
    const [aside = ''] = asides();
    await expectSeen(
      page.getByText(words.unlock_aside_done({ folder: path.join(dataDir, aside) })),
    );
    await audit(page);
    expect(readFileSync(path.join(dataDir, aside, 'desk.db'))).toEqual(before);
    expect(readdirSync(path.join(dataDir, aside))).toContain('vault.sealed');
    await press(page, at('choice.restore'));
    await restoreHere(backups, phrase);
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: words.screen_agreements(), level: 1 }).waitFor();
    expect(await apiOf(app)['drafts.list']({})).toHaveLength(2);
  });

  it('is not set aside while its key is only locked, and opens once the key is unlocked', async () => {
    await start();
    await app.close();
    await chmod(keyfile, 0o644);
    await start();
    await page.getByText(words.unlock_saving_locked()).waitFor();
    await takePicture(page, 'unlock-locked');
    await audit(page);
    expect(await at('unlock.rescue').or(at('unlock.aside')).count()).toBe(0);
    await press(page, at('unlock.backup'));
    await at('backup.open.choose').waitFor();
    await page.keyboard.press('Escape');
    await chmod(keyfile, 0o600);
    await press(page, at('unlock.retry'));
    await at('choice.restore').waitFor();
  });

  it('is reported with the reason if its passphrase is forgotten, and stays if the user cancels', async () => {
    const cost = { N: 2 ** 10, r: 8, p: 1 };
    const vault = createVault({ store: 'passphrase', passphrase: PASSPHRASE, cost, dataDir });
    const key = await dataKey(vault, { databaseExists: false });
    openDatabase({ file: path.join(dataDir, 'desk.db'), key, now: Date.now() }).close();
    app = await startDeskApp({ dataDir, demo, vault: 'keychain', size: SMALL });
    ({ page } = app);
    await page.getByText(words.unlock_saving_passphrase()).waitFor();
    // The window does not report a locked store: no store is locked, and no passphrase has been
    // typed yet.
    expect(await page.getByText(words.reason_vault_locked()).count()).toBe(0);
    await takePicture(page, 'unlock-passphrase');
    await audit(page);
    await press(page, at('unlock.aside'));
    await press(page, questionOf(page).getByRole('button', { name: words.common_cancel() }));
    expect(asides()).toEqual([]);
  });
});
