import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startHost, startWindow } from '../../support/desks/started-window.ts';

/** Creates the folder of the program's resources, with these files. */
function installed(files: readonly string[], appImage?: string): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'desk-resources-'));
  for (const file of files) writeFileSync(path.join(folder, file), '');
  const before = Object.getOwnPropertyDescriptor(process, 'resourcesPath');
  Object.defineProperty(process, 'resourcesPath', { value: folder, configurable: true });
  if (appImage !== undefined) vi.stubEnv('APPIMAGE', appImage);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    if (before === undefined) Reflect.deleteProperty(process, 'resourcesPath');
    else Object.defineProperty(process, 'resourcesPath', before);
    rmSync(folder, { recursive: true });
  });
}

const isLinux = process.platform === 'linux';

it.runIf(isLinux).each([
  ['an AppImage', ['app-update.yml', 'package-type'], '/home/ada/desk.AppImage', 'here'],
  ['a .deb or an .rpm', ['app-update.yml', 'package-type'], undefined, 'package-manager'],
  ['an unpacked archive', ['app-update.yml'], undefined, 'by-hand'],
])('%s determines how the program is updated', async (_, files, appImage, way) => {
  installed(files, appImage);
  const { state } = await startWindow();
  expect(state.setup?.updates?.way).toBe(way);
});

it.each([
  ['a Mac', 'darwin', 'window'],
  // An installed program has its uninstaller in its own folder; the folder of the Node that runs
  // the tests has none.
  ['Windows, where it was only unpacked,', 'win32', 'by-hand'],
])('on %s the program determines how it is updated', async (_, platform, way) => {
  installed(['app-update.yml']);
  vi.resetModules();
  vi.doMock('electron', () => ({ app: { isPackaged: true }, dialog: {} }));
  const { commandLineUpdateMethod } = await import('../../../electron/hosts/electron/updates.ts');
  const real = process.platform;
  Object.defineProperty(process, 'platform', { value: platform });
  onTestFinished(() => void Object.defineProperty(process, 'platform', { value: real }));
  expect(commandLineUpdateMethod()).toBe(way);
});

it('a checkout of the source code is updated as a checkout', async () => {
  const { state } = await startWindow({ isPackaged: false });
  expect(state.setup?.updates).toEqual({ way: 'checkout' });
});

it.runIf(isLinux)('a command does not install updates, and refers to the window', async () => {
  installed([], '/home/ada/desk.AppImage');
  const { command } = await startHost({ args: ['updates', 'check'] });
  await expect.poll(() => command.mock.calls.length).toBe(1);
  expect(command.mock.calls[0]?.at(1)).toMatchObject({ updates: 'window' });
});

it.runIf(isLinux)(
  'an update is installed after a dialog outside of the page, in the user’s language, with Cancel chosen and the fingerprint (SR-M8)',
  async () => {
    installed(['app-update.yml'], '/home/ada/desk.AppImage');
    const { electron, state } = await startWindow();
    const updates = state.setup?.updates;
    if (updates?.way !== 'here') throw new Error('it does not update itself');
    const address = 'https://desk.example/updates/';
    const release = { version: '1.1.0', address, fingerprint: 'SHA256:abc' };
    electron.seen.answers.push(0, 1);
    expect(await updates.confirm(release)).toBe(false);
    expect(await updates.confirm(release)).toBe(true);
    expect(electron.seen.questions[0]).toMatchObject({
      message: 'Installera Signing Desk 1.1.0 när programmet stängs?',
      detail: 'Från https://desk.example/updates/\nNyckelns fingeravtryck: SHA256:abc',
      buttons: ['Avbryt', 'Installera'],
      defaultId: 0,
      cancelId: 0,
    });
  },
);
