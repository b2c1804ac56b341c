import { mkdtempSync, readFileSync, rmSync, writeFileSync, existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { autostartFile } from '../../../electron/hosts/electron/login.ts';
import { startWindow } from '../../support/desks/started-window.ts';

function makeHome(): string {
  const home = mkdtempSync(path.join(os.tmpdir(), 'signing-desk-home-'));
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(home, { recursive: true });
  });
  return home;
}

describe('starting at login on Linux', () => {
  it('is a file in the user’s autostart folder, removed when turned off', async () => {
    const home = makeHome();
    vi.stubEnv('XDG_CONFIG_HOME', path.join(home, 'config'));
    vi.stubEnv('APPIMAGE', '/home/ada/Signing Desk.AppImage');
    const { state, folder } = await startWindow({ platform: 'linux' });
    const file = path.join(home, 'config/autostart/signing-desk.desktop');
    const features = state.setup?.features;
    expect(features?.startsAtLogin()).toBe(false);
    await features?.startAtLogin(true);
    expect(features?.startsAtLogin()).toBe(true);
    const lines = readFileSync(file, 'utf8').split('\n');
    expect(lines).toContain(`Exec="/home/ada/Signing Desk.AppImage" "--data" "${folder}"`);
    await features?.startAtLogin(false);
    expect(features?.startsAtLogin()).toBe(false);
    expect(existsSync(file)).toBe(false);
  });

  it('is off if the desktop has disabled the autostart file', () => {
    const home = makeHome();
    const start = autostartFile({ HOME: home }, { program: '/usr/bin/signing-desk', args: [] });
    start.set(true);
    const file = path.join(home, '.config/autostart/signing-desk.desktop');
    const written = readFileSync(file, 'utf8');
    for (const line of ['Hidden=true', 'X-GNOME-Autostart-enabled=false']) {
      writeFileSync(file, `${written}${line}\n`);
      expect(start.isOn()).toBe(false);
    }
  });

  it('quotes the program so that no part of its path has a special meaning', () => {
    const home = makeHome();
    const program = String.raw`/opt/50% "off" $HOME \n\signing-desk`;
    autostartFile({ HOME: home, XDG_CONFIG_HOME: 'relative' }, { program, args: [] }).set(true);
    const written = readFileSync(path.join(home, '.config/autostart/signing-desk.desktop'), 'utf8');
    const [, exec = ''] = /^Exec=(.*)$/m.exec(written) ?? [];
    // The value is parsed as a desktop does: first its own escapes, then those within quotes, then
    // field codes.
    const value = exec.replaceAll(/\\(.)/g, '$1');
    const unquoted = value.slice(1, -1).replaceAll(/\\(.)/g, '$1');
    expect(unquoted.replaceAll('%%', '')).not.toContain('%');
    expect(unquoted.replaceAll('%%', '%')).toBe(program);
  });

  it('refuses a path that an autostart file cannot contain, and reports a read-only folder', () => {
    const home = makeHome();
    const broken = autostartFile({ HOME: home }, { program: '/opt/a\nb', args: [] });
    expect(() => broken.set(true)).toThrow('line break');
    writeFileSync(path.join(home, 'file'), '');
    const env = { XDG_CONFIG_HOME: path.join(home, 'file') };
    const nowhere = autostartFile(env, { program: '/opt/a', args: [] });
    expect(() => nowhere.set(true)).toThrow('could not be changed');
    expect(nowhere.isOn()).toBe(false);
  });
});

describe('starting at login on macOS and Windows', () => {
  it('is an entry in the system’s own list', async () => {
    const { state, electron, folder } = await startWindow({ platform: 'darwin' });
    const features = state.setup?.features;
    expect(features?.startsAtLogin()).toBe(false);
    await features?.startAtLogin(true);
    expect(features?.startsAtLogin()).toBe(true);
    const what = { path: process.execPath, args: ['--data', folder] };
    expect(electron.seen.asked).toContainEqual(['getLoginItemSettings', what]);
    expect(electron.seen.asked).toContainEqual([
      'setLoginItemSettings',
      { openAtLogin: true, ...what },
    ]);
  });

  it('is not offered before the program is packaged', async () => {
    const { state } = await startWindow({ isPackaged: false });
    const features = state.setup?.features;
    expect(features?.startsAtLogin()).toBe(false);
    await expect(features?.startAtLogin(true)).rejects.toThrow('installed');
  });
});
