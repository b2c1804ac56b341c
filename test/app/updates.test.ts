// tier: all
import { fingerprintOf } from '../../electron/adapters/updates/key.ts';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { someKey, startFeed } from '../support/update-feed.ts';
import { audit } from './support/audit.ts';
import { startDeskApp } from './support/desk.ts';
import { takePicture } from './support/picture.ts';
import { show } from './support/furnished-desk.ts';
import { expectSeen, press, tryDemo } from './support/steps.ts';
import { words } from './support/words.ts';

const program = (version: string): Buffer =>
  Buffer.from(`#!/bin/sh\n# ${version} ${'.'.repeat(2_000_000)}\nexit 0\n`);

async function makeInstallation() {
  const folder = await mkdtemp(path.join(tmpdir(), 'desk-app-updates-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const appImage = path.join(folder, 'Signing Desk.AppImage');
  await writeFile(appImage, program('old'), { mode: 0o755 });
  vi.stubEnv('APPIMAGE', appImage);
  onTestFinished(() => void vi.unstubAllEnvs());
  const configFile = path.join(folder, 'app-update.yml');
  await writeFile(configFile, 'updaterCacheDirName: signing-desk-updater\n');
  return { appImage, configFile };
}

it.runIf(process.platform === 'linux')(
  'a user sets a feed, sees the new version, and installs it after a confirmation outside the page',
  async () => {
    const { appImage, configFile } = await makeInstallation();
    const feed = await startFeed();
    const confirmed: unknown[] = [];
    const app = await startDeskApp({
      updates: {
        way: 'here',
        configFile,
        confirm: async (release) => {
          confirmed.push(release);
          return confirmed.length > 1;
        },
      },
    });
    onTestFinished(() => app.close());
    const { page } = app;
    await tryDemo(page);
    await show(app, '#/settings/updates');
    await expectSeen(page.getByTestId('updates.feed'));
    await takePicture(page, 'updates-unset');

    await page.getByLabel(words.updates_address()).fill(feed.address);
    await page.getByLabel(words.updates_key()).fill('no key');
    const save = page.getByRole('button', { name: words.settings_save() });
    await press(page, save);
    await expectSeen(page.getByText(words.reason_update_key()));
    await audit(page);
    expect(feed.asked).toEqual([]);

    await page.getByLabel(words.updates_key()).fill(someKey());
    await press(page, save);
    await expectSeen(page.getByText(words.settings_saved()));
    feed.publish({ version: '1.1.0', file: program('new'), notes: 'https://desk.example/1.1.0' });
    const check = page.getByTestId('updates.check');
    await press(page, check);
    await expectSeen(page.getByText(words.reason_update_signature()));
    await takePicture(page, 'updates-refused');

    await page.getByLabel(words.updates_key()).fill(feed.key);
    await press(page, save);
    await page.getByText(words.reason_update_signature()).waitFor({ state: 'detached' });
    await press(page, check);
    const size = '2 MB';
    await expectSeen(page.getByText(words.updates_newer_size({ version: '1.1.0', size })));
    await expectSeen(page.getByText('https://desk.example/1.1.0'));
    await audit(page);
    await takePicture(page, 'updates-found');

    // First, the user declines, in a dialog of the system, which the page cannot answer.
    const install = page.getByRole('button', { name: words.updates_install() });
    await press(page, install);
    await expect.poll(() => confirmed.length).toBe(1);
    expect(feed.asked.some((file) => file.endsWith('.AppImage'))).toBe(false);
    await expectSeen(install);
    await expect.poll(() => install.getAttribute('aria-disabled')).toBeNull();
    await press(page, install);
    await expectSeen(page.getByText(words.updates_ready({ version: '1.1.0' })));
    const fingerprint = fingerprintOf(feed.key);
    expect(confirmed[1]).toEqual({ version: '1.1.0', address: `${feed.address}/`, fingerprint });
    await audit(page);
    await takePicture(page, 'updates-ready');

    expect(await readFile(appImage)).toEqual(program('old'));
    await app.desk.close();
    app.desk.installUpdate();
    expect(await readFile(appImage)).toEqual(program('new'));
    expect(app.complaints).toEqual([]);
  },
);
