// tier: all
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVault } from '../../electron/adapters/vault/vault.ts';
import { secretName } from '../../electron/core/services/services.ts';
import type { ConnectionId } from '../../shared/model/ids.ts';
import { audit } from '../app/support/audit.ts';
import { type DeskApp, startDeskApp } from '../app/support/desk.ts';
import { takePicture } from '../app/support/picture.ts';
import { apiOf } from '../app/support/prepared-draft.ts';
import { chooseMore } from '../app/support/steps.ts';
import { words } from '../app/support/words.ts';
import { type Keyring, startKeyring } from '../support/keyring.ts';

/** Window size on the smallest supported screens. */
const SMALL = { width: 1024, height: 700 };
const screen = process.env['DISPLAY'];

let folder: string;
let keyring: Keyring;
let app: DeskApp;

/**
 * Whether the tests can run: only on Linux, because other systems' keyrings belong to the user, and
 * no test may touch them.
 */
const hasKeyring = process.platform === 'linux';

beforeAll(async () => {
  if (!hasKeyring) return;
  // Without a screen, the keyring cannot open a window and ask the user.
  delete process.env['DISPLAY'];
  folder = await mkdtemp(path.join(tmpdir(), 'desk-keychain-'));
  keyring = await startKeyring();
});

afterAll(async () => {
  if (!hasKeyring) return;
  await app.close();
  await keyring.stop();
  await rm(folder, { recursive: true, force: true });
  if (screen !== undefined) process.env['DISPLAY'] = screen;
});

async function start(): Promise<void> {
  app = await startDeskApp({ dataDir: path.join(folder, 'data'), vault: 'keychain', size: SMALL });
}

// The tests start one program after the other, on the same data and with the same real keyring.
describe.runIf(hasKeyring)('the program with a real keyring', () => {
  it('opens at the first start and keeps a connection’s key in the keyring', async () => {
    await start();
    const { token } = app.demo.credentials;
    const office = { name: 'Kontoret', api: 'v1', environment: 'test', accountId: null } as const;
    const url = app.demo.v1Url;
    const { id } = await apiOf(app)['connections.add']({ ...office, url, secret: token });
    expect(await readSecret(id)).toBe(token);
    await app.close();
  });

  it('reports that the keyring is locked, and does not offer to start with empty data (TX-52)', async () => {
    keyring.lock();
    await start();
    await app.page.getByText(words.unlock_locked()).waitFor();
    await app.page.getByText(words.unlock_saving_locked()).waitFor();
    await takePicture(app.page, 'unlock-keyring');
    await audit(app.page);
    // Recovery is not offered, because the data is intact and can be opened with its keyring.
    const given = app.page.getByTestId('unlock.rescue').or(app.page.getByTestId('unlock.aside'));
    expect(await given.count()).toBe(0);
    expect(await apiOf(app)['access.retry']({})).toMatchObject({ open: false, vault: 'locked' });
    await app.page.getByText(words.unlock_locked()).waitFor();
    expect(await app.page.getByTestId('choice.demo').count()).toBe(0);
  });

  it('does not set the data aside while the keyring is locked, and can still open a backup', async () => {
    const before = readdirSync(app.dataDir);
    await expect(apiOf(app)['access.setAside']({})).rejects.toMatchObject({
      failure: { code: 'conflict' },
    });
    expect(readdirSync(app.dataDir)).toEqual(before);
    await app.page.getByTestId('unlock.backup').click();
    await app.page.getByTestId('backup.open.choose').waitFor();
    await app.page.keyboard.press('Escape');
    await app.page.getByTestId('backup.open.choose').waitFor({ state: 'detached' });
  });

  it('opens without a restart once the keyring is unlocked', async () => {
    await keyring.unlock();
    await app.page.getByTestId('unlock.retry').click();
    await app.page.getByTestId('shell.nav.agreements').waitFor();
    const [connection] = await apiOf(app)['connections.list']({});
    expect(connection?.name).toBe('Kontoret');
  });

  it('removes a connection’s key together with the connection (TX-05)', async () => {
    const { page } = app;
    const [connection] = await apiOf(app)['connections.list']({});
    if (connection === undefined) throw new Error('The connection is gone already');
    await page.getByTestId('shell.nav.settings').click();
    await chooseMore(page, page.getByTestId('connection.more'), 'connection.more.remove');
    const question = page.getByRole('alertdialog');
    await question.getByLabel(words.settings_remove_agreements()).waitFor();
    await question.getByRole('button', { name: words.settings_remove_confirm() }).click();
    await page.getByTestId('choice.demo').waitFor();
    expect(await readSecret(connection.id)).toBeNull();
  });
});

function readSecret(id: ConnectionId): Promise<string | null> {
  return createVault({ store: 'keychain', dataDir: app.dataDir }).read(secretName(id));
}
