import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { examineHost } from '../../electron/hosts/examine.ts';
import { type SandboxMachine, sandboxObstacle } from '../../electron/hosts/sandbox.ts';

let bin: string;

beforeEach(() => {
  bin = mkdtempSync(path.join(tmpdir(), 'desk-examine-'));
  vi.stubEnv('PATH', bin);
  vi.stubEnv('WAYLAND_DISPLAY', '');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(bin, { recursive: true });
});

function install(name: string, script = ''): void {
  writeFileSync(path.join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}
const findings = () =>
  Object.fromEntries(examineHost().map(({ name, finding }) => [name, finding]));

describe.runIf(process.platform === 'linux')('doctor', () => {
  it('lists what is missing for a window and for rules, with advice for each (PK-16)', () => {
    vi.stubEnv('DISPLAY', '');
    expect(findings()).toMatchObject({
      browser: 'no-browser',
      screen: 'no-screen',
      schedulers: 'no-scheduler',
    });
    const notes = examineHost().map(({ note }) => note);
    expect(notes).toContainEqual(expect.stringMatching(/no Chrome, Edge or Chromium.*Install it/));
    expect(notes).toContainEqual(expect.stringContaining('Install cron'));
  });

  it('names the available browser, screen and schedulers (PK-16)', () => {
    vi.stubEnv('DISPLAY', 'office.example:7');
    for (const name of ['google-chrome', 'crontab', 'systemctl']) install(name);
    const values = examineHost().map(({ name, finding, value }) => [name, finding, value]);
    expect(values).toEqual(
      expect.arrayContaining([
        ['browser', 'stated', path.join(bin, 'google-chrome')],
        ['screen', 'stated', 'office.example:7'],
        ['schedulers', 'stated', 'systemd, cron'],
      ]),
    );
  });

  it('warns of a local display on which nothing listens, and names it', () => {
    vi.stubEnv('DISPLAY', ':65432');
    vi.stubEnv('WAYLAND_DISPLAY', 'wayland-none');
    vi.stubEnv('XDG_RUNTIME_DIR', bin);
    expect(findings()).toMatchObject({ screen: 'no-screen' });
    const notes = examineHost().map(({ note }) => note);
    expect(notes).toContainEqual(
      expect.stringMatching(/none answers .*:65432.*wayland-none.*: commands work/),
    );
    writeFileSync(path.join(bin, 'wayland-none'), '');
    expect(findings()).toMatchObject({ screen: 'stated' });
  });

  it('warns of a browser that is a snap (PK-16)', () => {
    install('chromium-browser', 'exec /snap/bin/chromium "$@"');
    expect(findings()).toMatchObject({ browser: 'browser-snap' });
  });
});

describe('whether a sandbox can be created', () => {
  const machine = (about: Partial<SandboxMachine>): SandboxMachine => ({
    platform: 'linux',
    uid: 1000,
    canUnshare: () => null,
    kernelSetting: () => null,
    ...about,
  });

  it.each<[string, Partial<SandboxMachine>, ReturnType<typeof sandboxObstacle>]>([
    ['does not matter on macOS', { platform: 'darwin', uid: 0 }, null],
    ['is false for root', { uid: 0, canUnshare: () => true }, 'root'],
    ['is decided by a trial on the system', { canUnshare: () => false }, 'no-namespaces'],
    [
      'is decided by a trial on the system, whatever its settings are',
      { canUnshare: () => true, kernelSetting: () => '0' },
      null,
    ],
    [
      'is read from AppArmor’s setting if no trial is possible',
      { kernelSetting: (name) => (name.includes('apparmor') ? '1' : null) },
      'no-namespaces',
    ],
    [
      'is read from the number of namespaces if no trial is possible',
      { kernelSetting: (name) => (name === 'user/max_user_namespaces' ? '0' : null) },
      'no-namespaces',
    ],
    ['is assumed if nothing indicates otherwise', {}, null],
  ])('%s (PK-16)', (_, about, wanted) => {
    expect(sandboxObstacle(machine(about))).toBe(wanted);
  });
});
