import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { fingerprintOf } from '../../../electron/adapters/updates/key.ts';
import { createUpdateSource } from '../../../electron/adapters/updates/feed.ts';
import { createInstaller } from '../../../electron/adapters/updates/installer.ts';
import { systemChance, systemClock } from '../../../electron/adapters/system/platform.ts';
import { AppError } from '../../../shared/errors.ts';
import { createMemoryLog } from '../../support/fakes/memory-ports.ts';
import { FILE_NAME, startFeed } from '../../support/update-feed.ts';

const ports = { clock: systemClock, chance: systemChance, log: createMemoryLog() };
const source = createUpdateSource(ports, { platform: 'linux', arch: 'x64' });

/** Returns a test AppImage of this version, which can end after its installation. */
const program = (version: string): Buffer =>
  Buffer.from(`#!/bin/sh
# ${version} ${'.'.repeat(200_000)}
[ "$APPIMAGE_EXIT_AFTER_INSTALL" = true ] && exit 0
exit 9
`);

/** Creates a computer with version 1.0.0 as an AppImage, and a feed with version 1.1.0. */
async function makeComputer() {
  const home = await mkdtemp(path.join(tmpdir(), 'desk-updates-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const appImage = path.join(home, 'Signing Desk.AppImage');
  await writeFile(appImage, program('1.0.0'), { mode: 0o755 });
  vi.stubEnv('APPIMAGE', appImage);
  onTestFinished(() => void vi.unstubAllEnvs());
  const configFile = path.join(home, 'app-update.yml');
  await writeFile(configFile, 'provider: generic\nupdaterCacheDirName: signing-desk-updater\n');
  const folder = path.join(home, 'data/updates');
  const asked: unknown[] = [];
  let says = true;
  const installer = createInstaller(
    {
      version: '1.0.0',
      configFile,
      folder,
      confirm: async (release) => {
        asked.push(release);
        return says;
      },
    },
    ports,
  );
  const feed = await startFeed();
  feed.publish({ version: '1.1.0', file: program('1.1.0') });
  const control = new AbortController();
  const reported: number[] = [];
  const prepare = async () => {
    const release = await source.read(
      { url: feed.address, key: feed.key, daily: false },
      control.signal,
    );
    await installer.prepare(release, (bytes) => void reported.push(bytes), control.signal);
  };
  const refuse = () => void (says = false);
  const left = async () => (existsSync(folder) ? readdir(folder, { recursive: true }) : []);
  const installed = () => readFile(appImage);
  return {
    home,
    appImage,
    installer,
    feed,
    asked,
    reported,
    control,
    prepare,
    refuse,
    left,
    installed,
  };
}

async function reasonOf(promise: Promise<unknown>) {
  const error: unknown = await promise.catch((thrown: unknown) => thrown);
  if (error instanceof AppError) return error.failure.reason ?? error.failure.code;
  throw new Error(`no AppError: ${String(error)}`);
}

describe.runIf(process.platform === 'linux')('a new version of an AppImage', () => {
  it('is downloaded, verified, and replaces the program once it ends, not before', async () => {
    const computer = await makeComputer();
    const { installer, feed, asked, reported } = computer;
    await computer.prepare();
    const fingerprint = fingerprintOf(feed.key);
    expect(asked).toEqual([{ version: '1.1.0', address: `${feed.address}/`, fingerprint }]);
    expect(reported.at(-1)).toBe(program('1.1.0').byteLength);
    expect(await computer.installed()).toEqual(program('1.0.0'));
    installer.install();
    expect(await computer.installed()).toEqual(program('1.1.0'));
    expect((await stat(computer.appImage)).mode & 0o777).toBe(0o755);
    expect(feed.asked.filter((file) => file === FILE_NAME)).toHaveLength(1);
  });

  it('is not downloaded or installed when the user declines', async () => {
    const computer = await makeComputer();
    computer.refuse();
    expect(await reasonOf(computer.prepare())).toBe('cancelled');
    computer.installer.install();
    expect(computer.feed.asked).not.toContain(FILE_NAME);
    expect(await computer.installed()).toEqual(program('1.0.0'));
  });

  it('is not installed after a cancel', async () => {
    const computer = await makeComputer();
    await computer.prepare();
    computer.installer.withdraw();
    computer.installer.install();
    expect(await computer.installed()).toEqual(program('1.0.0'));
    await expect.poll(computer.left).toEqual([]);
  });

  it('is removed if it differs from the announcement of the feed', async () => {
    const computer = await makeComputer();
    computer.feed.files.set(FILE_NAME, program('6.6.6'));
    expect(await reasonOf(computer.prepare())).toBe('update-sum');
    computer.installer.install();
    expect(await computer.installed()).toEqual(program('1.0.0'));
    expect(await computer.left()).toEqual([]);
  });

  it('with an interrupted download is retried, and then reported', async () => {
    const computer = await makeComputer();
    computer.feed.spoil(FILE_NAME, 'cut');
    expect(await reasonOf(computer.prepare())).toBe('cut-answer');
    expect(computer.feed.asked.filter((file) => file === FILE_NAME).length).toBeGreaterThan(1);
    expect(await computer.left()).toEqual([]);
    computer.feed.spoil(FILE_NAME, null);
    await computer.prepare();
    computer.installer.install();
    expect(await computer.installed()).toEqual(program('1.1.0'));
  });

  it('is abandoned when its download is stopped halfway', async () => {
    const computer = await makeComputer();
    computer.feed.spoil(FILE_NAME, 'stall');
    const isAsked = computer.feed.next(FILE_NAME);
    const prepared = reasonOf(computer.prepare());
    await isAsked;
    computer.control.abort();
    expect(await prepared).toBe('cancelled');
    computer.installer.install();
    expect(await computer.installed()).toEqual(program('1.0.0'));
    expect(await computer.left()).toEqual([]);
  });

  it('is not downloaded from another server, or without https', async () => {
    const computer = await makeComputer();
    computer.feed.spoil(FILE_NAME, 'redirect');
    expect(await reasonOf(computer.prepare())).toBe('update-feed');
    computer.feed.publish({ version: '1.1.0', fileName: 'http://elsewhere.example/a.AppImage' });
    expect(await reasonOf(computer.prepare())).toBe('address-not-https');
  });

  it('is never installed if it is older than the program', async () => {
    const computer = await makeComputer();
    computer.feed.publish({ version: '0.9.0', file: program('0.9.0') });
    expect(await reasonOf(computer.prepare())).toBe('conflict');
    computer.installer.install();
    expect(await computer.installed()).toEqual(program('1.0.0'));
  });
});
