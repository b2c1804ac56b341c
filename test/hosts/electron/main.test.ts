import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { connect } from '../../../shared/wire.ts';
import type { FakeElectron, FakeFrame } from '../../support/fakes/fake-electron.ts';
import { commandSwitches, HEADLESS_SWITCHES } from '../../../electron/hosts/window-start.ts';
import { channelFrom, startHost, startWindow } from '../../support/desks/started-window.ts';

const OURS = 'desk://app/index.html';
function namesOf(electron: FakeElectron): unknown[] {
  return electron.seen.asked.map(([name]) => name);
}

describe('before the window opens', () => {
  it('every page is sandboxed and the private scheme is registered, before Electron is ready', async () => {
    const { electron } = await startHost();
    expect(electron.seen.asked).toContainEqual(['enableSandbox']);
    expect(electron.seen.asked).toContainEqual([
      'registerSchemesAsPrivileged',
      [
        {
          scheme: 'desk',
          privileges: { standard: true, secure: true, supportFetchAPI: true },
        },
      ],
    ]);
  });

  it('the browser’s own files are in the data folder, so that each folder has its own lock', async () => {
    const { electron, folder } = await startHost();
    const names = namesOf(electron);
    expect(electron.seen.asked).toContainEqual([
      'setPath',
      'userData',
      path.join(folder, 'window'),
    ]);
    expect(statSync(path.join(folder, 'window')).mode & 0o077).toBe(0);
    expect(names.indexOf('setPath')).toBeLessThan(names.indexOf('requestSingleInstanceLock'));
  });

  it('a second start of the program ends without a window', async () => {
    const { electron } = await startHost({ isFirst: false });
    expect(namesOf(electron)).toContain('quit');
    expect(electron.seen.windows).toEqual([]);
  });

  it('a second start brings the first window to the front (AP-25)', async () => {
    const { electron, window } = await startWindow();
    electron.app.emit('second-instance');
    expect(window.calls).toEqual(['restore', 'show', 'focus']);
  });

  it('a second start while the program closes restarts it with the same arguments (PK-12)', async () => {
    const started = await startWindow();
    const { electron, window, state, folder } = started;
    const closing = Promise.withResolvers<undefined>();
    state.closing = closing.promise;
    window.isGone = true;
    electron.app.emit('will-quit', { preventDefault: () => {} });
    const link = 'signingdesk:agreement/1';
    electron.app.emit('second-instance', {}, [], '/', { open: [link] });
    expect(state.arrived).toEqual([]);
    closing.resolve(undefined);
    await expect.poll(() => namesOf(electron)).toContain('exit');
    expect(electron.seen.asked).toContainEqual(['relaunch', { args: ['--data', folder, link] }]);
    expect(namesOf(electron).indexOf('relaunch')).toBeLessThan(namesOf(electron).indexOf('exit'));
    // No update is installed: its installer would end the restarted program.
    expect(state.did).toEqual(['open', 'close']);
  });

  it('a file that was still being read when the program closes is opened by the next start (PK-12)', async () => {
    const { electron, window, state, folder } = await startWindow();
    const file = path.join(folder, 'lease.signdraft');
    writeFileSync(file, '{}');
    window.isGone = true;
    electron.app.emit('second-instance', {}, [], '/', { open: [file] });
    electron.app.emit('will-quit', { preventDefault: () => {} });
    await expect.poll(() => namesOf(electron)).toContain('exit');
    expect(electron.seen.asked).toContainEqual(['relaunch', { args: ['--data', folder, file] }]);
    expect(state.arrived).toEqual([]);
  });

  it('the program does not restart when it quits without a second start (PK-12)', async () => {
    const { electron, window } = await startWindow();
    window.isGone = true;
    electron.app.emit('will-quit', { preventDefault: () => {} });
    await expect.poll(() => namesOf(electron)).toContain('exit');
    expect(namesOf(electron)).not.toContain('relaunch');
  });

  it('a start with --no-sandbox leaves the sandbox off (PK-10)', async () => {
    const { electron } = await startHost({ args: ['--no-sandbox'] });
    expect(namesOf(electron)).not.toContain('enableSandbox');
  });

  it('a click on the program’s icon in the Dock brings a closed window back', async () => {
    const { electron, window } = await startWindow({ platform: 'darwin' });
    electron.app.emit('activate');
    expect(window.calls).toEqual(['restore', 'show', 'focus']);
  });

  it('a command runs without a window and returns its exit code', async () => {
    const { command, electron } = await startHost({ args: ['archive', 'run', '--json'] });
    await expect
      .poll(() => command.mock.calls)
      .toEqual([[['archive', 'run', '--json'], expect.anything()]]);
    await expect.poll(() => namesOf(electron)).toEqual(['setPath', 'exit']);
    const [[, , folder], exit] = electron.seen.asked as [unknown[], unknown[]];
    expect(exit).toEqual(['exit', 7]);
    // Chromium's files for a command are in a temporary folder, which is removed after the command.
    expect(path.basename(String(folder))).toMatch(/^signing-desk-command-/);
    expect(existsSync(String(folder))).toBe(false);
  });

  it('a command that cannot create a temporary folder reports it and ends, because a scheduler waits', async () => {
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    onTestFinished(() => void vi.unstubAllEnvs());
    const before = (folder: string) => vi.stubEnv('TMPDIR', path.join(folder, 'missing'));
    const { electron, command } = await startHost({ args: ['sync'], before });
    await expect.poll(() => electron.seen.asked).toEqual([['exit', 1]]);
    expect(said).toHaveBeenCalledWith(expect.stringMatching(/^signing-desk: .*set TMPDIR .*\n$/));
    expect(command).not.toHaveBeenCalled();
  });

  it('a scheduler’s command is found after switches for a computer without a display (PK-03)', async () => {
    const words = ['run-due'];
    const { command } = await startHost({ args: [...HEADLESS_SWITCHES, ...words] });
    await expect.poll(() => command.mock.calls.length).toBe(1);
    expect(command.mock.calls).toEqual([[words, expect.anything()]]);
  });

  it('a command is found after the switch of an AppImage without a sandbox (PK-10)', async () => {
    const args = ['--no-sandbox', 'archive', 'run'];
    const { command } = await startHost({ args });
    await expect.poll(() => command.mock.calls.length).toBe(1);
    expect(command.mock.calls).toEqual([[args.slice(1), expect.anything()]]);
  });

  it.each([
    [true, undefined, [process.execPath]],
    [true, '/home/ada/Signing Desk.AppImage', ['/home/ada/Signing Desk.AppImage']],
    [false, undefined, [process.execPath, '/srv/signing-desk']],
  ])(
    'a scheduler gets a lasting path of the program (packaged: %j, AppImage: %j; PK-03)',
    async (isPackaged, appImage, program) => {
      if (appImage !== undefined) vi.stubEnv('APPIMAGE', appImage);
      onTestFinished(() => void vi.unstubAllEnvs());
      const { command } = await startHost({ isPackaged, args: ['archive', 'list'] });
      await expect.poll(() => command.mock.calls.length).toBe(1);
      const switches = commandSwitches(process.platform, process.getuid?.());
      const io = expect.objectContaining({ program: [...program, ...switches] });
      expect(command.mock.calls).toEqual([[['archive', 'list'], io]]);
    },
  );

  it('the folder of an unpackaged program is not mistaken for a command', async () => {
    const { command } = await startHost({ isPackaged: false, args: ['sync'] });
    await expect.poll(() => command.mock.calls).toEqual([[['sync'], expect.anything()]]);
  });
});

describe('a start that fails', () => {
  it('reports why and ends before Electron is ready if its data folder cannot be created', async () => {
    const { electron } = await startHost({ args: ['--data', '/dev/null/data'] });
    const [shown, exit] = electron.seen.asked.slice(-2);
    expect(shown).toEqual(['showErrorBox', 'Signing Desk', expect.stringContaining('ENOTDIR')]);
    expect(exit).toEqual(['exit', 1]);
  });

  it('reports why, and ends with an error', async () => {
    vi.stubEnv('SIGNING_DESK_VAULT', 'a sheet of paper');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { electron } = await startHost();
    electron.seen.becomeReady();
    await expect.poll(() => namesOf(electron)).toContain('exit');
    expect(electron.seen.asked).toContainEqual([
      'showErrorBox',
      'Signing Desk',
      'SIGNING_DESK_VAULT must be keychain or keyfile:PATH',
    ]);
    expect(electron.seen.asked).toContainEqual(['exit', 1]);
  });
});

describe('the window', () => {
  it('is in English if the system’s language is not available', async () => {
    const { electron } = await startHost();
    Object.assign(electron.app, {
      getPreferredSystemLanguages: () => [],
      getLocale: () => 'ja-JP',
    });
    electron.seen.becomeReady();
    await expect.poll(() => namesOf(electron)).toContain('setApplicationMenu');
    const [, menu] = electron.seen.asked.find(([name]) => name === 'setApplicationMenu') ?? [];
    expect(JSON.stringify(menu)).toContain('Edit');
  });

  it('has the identifier by which Windows groups it with its shortcut (PK-07)', async () => {
    const { electron } = await startWindow();
    expect(electron.seen.asked).toContainEqual(['setAppUserModelId', 'org.signingdesk.app']);
  });

  it('is isolated in every way Electron offers', async () => {
    const { window } = await startWindow();
    expect(window.options['webPreferences']).toEqual({
      preload: expect.stringMatching(/electron-preload\.cjs$/),
      partition: 'desk',
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      disableBlinkFeatures: 'Auxclick',
      devTools: false,
      spellcheck: process.platform === 'darwin',
    });
  });

  it('uses macOS’s own spelling check, and none that would download dictionaries', async () => {
    for (const [platform, spellcheck] of [
      ['darwin', true],
      ['linux', false],
    ] as const) {
      const { window } = await startWindow({ platform });
      expect(window.options['webPreferences']).toMatchObject({ spellcheck });
    }
  });

  it('has developer tools only when not packaged', async () => {
    const { window } = await startWindow({ isPackaged: false });
    expect(window.options['webPreferences']).toMatchObject({ devTools: true });
  });

  it('loads only our page', async () => {
    const { window } = await startWindow();
    expect(window.loaded).toEqual([OURS]);
  });

  it('is shown once it has contents', async () => {
    const { window } = await startWindow();
    expect(window.options['show']).toBe(false);
    window.emit('ready-to-show');
    expect(window.calls).toEqual(['show']);
  });

  it.each([
    ['is larger than its minimum on a large screen', [2560, 1400], [2162, 1149]],
    ['fits into a laptop’s screen with its frame', [1366, 720], [1280, 672]],
    ['fits into a small screen at 200 % with its frame', [683, 360], [667, 312]],
  ])('%s at its first start', async (_title, [width = 0, height = 0], [wide, high]) => {
    const { window } = await startWindow({ platform: 'linux', workArea: { width, height } });
    expect(window.options).toMatchObject({ width: wide, height: high });
    expect(window.options['minHeight']).toBeLessThanOrEqual(high ?? 0);
    expect(window.options).not.toHaveProperty('x');
  });

  it('reopens at its last place', async () => {
    const place = { x: 50, y: 60, width: 900, height: 600 };
    const { window } = await startWindow({
      before: (folder) => writeFileSync(path.join(folder, 'window.json'), JSON.stringify(place)),
    });
    expect(window.options).toMatchObject(place);
  });

  it('is centred if its screen is gone (AP-25)', async () => {
    const place = { x: 5000, y: 60, width: 900, height: 600 };
    const { window } = await startWindow({
      before: (folder) => writeFileSync(path.join(folder, 'window.json'), JSON.stringify(place)),
    });
    expect(window.options).not.toHaveProperty('x');
  });

  it('stores its place when it closes', async () => {
    const { window, folder } = await startWindow();
    window.emit('close');
    const written: unknown = JSON.parse(readFileSync(path.join(folder, 'window.json'), 'utf8'));
    expect(written).toEqual({ x: 10, y: 20, width: 1000, height: 700 });
  });

  it('quits the program when it closes: first the data is closed, then an update is installed (AP-25)', async () => {
    const { electron, state } = await startWindow();
    electron.app.emit('window-all-closed');
    expect(namesOf(electron)).toContain('quit');
    let isHeld = false;
    electron.app.emit('will-quit', { preventDefault: () => (isHeld = true) });
    await expect.poll(() => namesOf(electron)).toContain('exit');
    expect(isHeld).toBe(true);
    expect(state.did).toEqual(['open', 'close', 'install update']);
  });
});

describe('a message', () => {
  const description = {
    version: '0.1.0',
    language: null,
    locale: 'sv-SE',
    platform: 'linux' as const,
    features: {
      chooseFolder: true,
      openPath: true,
      dragFile: true,
      notify: true,
      progress: true,
      badge: true,
      menu: true,
      tray: true,
      loginStart: true,
    },
    dataFolder: '/data',
    documentsFolder: '/documents',
  };
  const calls = { 'host.describe': () => Promise.resolve(description) };

  it('from our page is answered', async () => {
    const { api } = connect(channelFrom(await startWindow({ calls })));
    expect(await api['host.describe']({})).toEqual(description);
  });

  it('to our page carries events', async () => {
    const started = await startWindow({ calls });
    const received: unknown[] = [];
    connect(channelFrom(started)).on('connections.changed', (data) => received.push(data));
    started.state.emit('connections.changed', {});
    await expect.poll(() => received).toEqual([{}]);
  });

  it('is not sent to a closed page', async () => {
    const started = await startWindow({ calls });
    const { replies } = channelFrom(started);
    started.window.webContents.isGone = true;
    started.state.emit('connections.changed', {});
    expect(replies).toEqual([]);
  });

  it.each<[string, (own: FakeFrame) => FakeFrame | null]>([
    ['a frame that is gone', () => null],
    ['a frame inside our page', (own) => ({ url: OURS, parent: own })],
    ['another window that shows our page', () => ({ url: OURS, parent: null })],
    ['our window on an empty address', (own) => Object.assign(own, { url: '' })],
    ['our window on about:blank', (own) => Object.assign(own, { url: 'about:blank' })],
    ['our window on another host', (own) => Object.assign(own, { url: 'desk://evil/index.html' })],
    ['our window on a file', (own) => Object.assign(own, { url: 'file:///index.html' })],
    ['our window on the web', (own) => Object.assign(own, { url: 'https://app/index.html' })],
    ['our window on some bytes', (own) => Object.assign(own, { url: 'desk://app/bytes/out/1' })],
  ])('from %s is dropped', async (_, frameOf) => {
    let callCount = 0;
    const counting = {
      'host.describe': () => {
        callCount += 1;
        return Promise.resolve(description);
      },
    };
    const started = await startWindow({ calls: counting });
    const own = started.window.webContents.mainFrame;
    void connect(channelFrom(started, frameOf(own))).api['host.describe']({});
    Object.assign(own, { url: OURS });
    await connect(channelFrom(started, own)).api['host.describe']({});
    expect(callCount).toBe(1);
  });

  it.each([undefined, 7, {}, ['text']])('that is not text (%j) is dropped', async (message) => {
    const started = await startWindow({ calls });
    const channel = channelFrom(started);
    started.electron.ipcMain.emit(
      'desk',
      { senderFrame: started.window.webContents.mainFrame },
      message,
    );
    await connect(channel).api['host.describe']({});
    expect(channel.replies).toHaveLength(1);
  });
});
