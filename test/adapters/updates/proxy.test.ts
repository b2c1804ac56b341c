import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createDesk, type HostSetup } from '../../../electron/compose/compose.ts';
import { connectDirectly } from '../../../shared/wire.ts';
import { noHostFeatures, offersNothing } from '../../support/fakes/no-host-features.ts';
import { startProxy } from '../../support/proxy.ts';
import { createAuthority } from '../../support/self-signed.ts';
import { FILE_NAME, startFeed } from '../../support/update-feed.ts';

const HOST = 'updates.example';
const CREDENTIALS = 'anna:Secret-of-the-proxy';
const program = (version: string): Buffer => Buffer.from(`#!/bin/sh\n# ${version}\nexit 0\n`);

/** Creates an installation of version 1.0.0 as an AppImage. */
async function startInstallation() {
  const folder = await mkdtemp(path.join(tmpdir(), 'desk-updates-proxy-'));
  const appImage = path.join(folder, 'Signing Desk.AppImage');
  await writeFile(appImage, program('1.0.0'), { mode: 0o755 });
  vi.stubEnv('APPIMAGE', appImage);
  const configFile = path.join(folder, 'app-update.yml');
  await writeFile(configFile, 'provider: generic\nupdaterCacheDirName: signing-desk-updater\n');
  const keyfile = path.join(folder, 'key');
  await writeFile(keyfile, randomBytes(32), { mode: 0o600 });
  const setup: HostSetup = {
    dataDir: path.join(folder, 'data'),
    stateDir: path.join(folder, 'state'),
    vault: { keyfile },
    version: '1.0.0',
    locale: 'en',
    platform: 'linux',
    documentsFolder: folder,
    interactive: false,
    features: { describe: offersNothing, ...noHostFeatures },
    updates: { way: 'here', configFile, confirm: async () => true },
    variables: {},
  };
  const desk = createDesk(setup);
  /** Opens the same data as a command does, for example a command for a batch. */
  const openCommand = async () => {
    const command = createDesk({ ...setup, updates: { way: 'checkout' } });
    await command.open();
    return command;
  };
  onTestFinished(async () => {
    await desk.close();
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true, force: true });
  });
  const { api, on, emit } = connectDirectly(desk.handlers, desk.toFailure);
  desk.setEmit(emit);
  await desk.open();
  const install = async (): Promise<string> => {
    const { jobId } = await api['updates.install']({ version: '1.1.0' });
    const { promise, resolve } = Promise.withResolvers<string>();
    const look = async (): Promise<void> => {
      const { state } = await api['jobs.show']({ jobId });
      if (state !== 'running') resolve(state);
    };
    on('jobs.changed', () => void look());
    await look();
    return promise;
  };
  return { api, desk, install, openCommand, installed: () => readFile(appImage) };
}

it.runIf(process.platform === 'linux')(
  'the update feed and the update are loaded through the system proxy, with its certificate file (IN-N1) (IN-N2)',
  async () => {
    const authority = createAuthority('Office Inspection CA');
    const feed = await startFeed({ name: HOST, ...authority.issue(HOST) });
    feed.publish({ version: '1.1.0', file: program('1.1.0') });
    const proxy = await startProxy({ names: { [HOST]: feed.port }, credentials: CREDENTIALS });
    const { api, desk, install, installed } = await startInstallation();
    await api['updates.setFeed']({ feed: { url: feed.address, key: feed.key, daily: false } });
    const fixed = { kind: 'fixed', address: proxy.origin, user: 'anna', exceptions: '' } as const;
    const order = { proxy: fixed, proxyFindsLinks: false };
    await api['network.setProxy']({ ...order, password: 'wrong' });
    await expect(api['updates.check']({})).rejects.toMatchObject({
      failure: { code: 'offline', reason: 'proxy-sign-in' },
    });
    await api['network.setProxy']({ ...order, password: 'Secret-of-the-proxy' });
    await expect(api['updates.check']({})).rejects.toMatchObject({
      failure: { reason: 'tls', issuer: 'Office Inspection CA' },
    });
    expect(feed.asked).toEqual([]);

    await api['network.setAuthorities']({ pem: authority.cert });
    expect(await api['updates.check']({})).toMatchObject({ offer: { kind: 'newer' } });
    const before = proxy.asked.length;
    expect(await install()).toBe('done');
    await desk.close();
    desk.installUpdate();
    expect(await installed()).toEqual(program('1.1.0'));
    expect(feed.asked).toContain(FILE_NAME);
    expect(proxy.asked.slice(before)).toContainEqual({
      authority: `${HOST}:443`,
      credentials: CREDENTIALS,
    });
  },
);

it.runIf(process.platform === 'linux')(
  'a prepared update is not installed while the window or a command, which may be sending a batch, has the data open (AP-25)',
  async () => {
    const feed = await startFeed();
    feed.publish({ version: '1.1.0', file: program('1.1.0') });
    const { api, desk, install, installed, openCommand } = await startInstallation();
    await api['updates.setFeed']({ feed: { url: feed.address, key: feed.key, daily: false } });
    expect(await install()).toBe('done');
    const command = await openCommand();
    desk.installUpdate();
    expect(await installed()).toEqual(program('1.0.0'));
    await desk.close();
    desk.installUpdate();
    expect(await installed()).toEqual(program('1.0.0'));
    await command.close();
    desk.installUpdate();
    expect(await installed()).toEqual(program('1.1.0'));
  },
);
