import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createHostFeatures } from '../../../electron/hosts/chromium/features.ts';
import { type HostMachine, thisMachine } from '../../../electron/hosts/find-browser.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

type Started = readonly [program: string, args: readonly string[]];

/**
 * Creates the desktop features of a computer with these programs on its path, and a record of the
 * programs that they start.
 */
function machineWith(platform: NodeJS.Platform, ...programs: string[]) {
  const started: Started[] = [];
  const machine: HostMachine = {
    platform,
    env: { PATH: '/bin' },
    isProgram: (file) => programs.map((name) => `/bin/${name}`).includes(file),
    isSnap: () => false,
  };
  const features = createHostFeatures(
    undefined,
    machine,
    async (...call) => void started.push(call),
  );
  return { features, started };
}

describe('the desktop features of the Chromium window', () => {
  it.each([
    ['linux', 'xdg-open'],
    ['darwin', 'open'],
    ['win32', 'explorer.exe'],
  ] as const)('open files on %s with %s', async (platform, program) => {
    const { features, started } = machineWith(platform, program);
    expect(features.describe.openPath).toBe(true);
    await features.openPath('/home/ada/Lease.pdf');
    expect(started).toEqual([[`/bin/${program}`, ['/home/ada/Lease.pdf']]]);
  });

  it('report that a file cannot be opened if no program for opening files exists', async () => {
    const { features, started } = machineWith('linux');
    expect(features.describe).toMatchObject({ openPath: false, notify: false });
    await expect(features.openPath('/home/ada/Lease.pdf')).rejects.toThrow('no program to open');
    features.notify('Signed', 'Lease');
    expect(started).toEqual([]);
  });

  it('show notifications with the desktop’s program, and never pass text as an option', () => {
    const { features, started } = machineWith('linux', 'notify-send');
    features.notify('--urgency=critical', '-x');
    const [[program, args]] = started as [Started];
    expect(program).toBe('/bin/notify-send');
    expect(args.slice(args.indexOf('--') + 1)).toEqual(['--urgency=critical', '-x']);
    expect(machineWith('darwin', 'notify-send').features.describe.notify).toBe(false);
  });

  it('show notification text literally, without markup (SR-L11)', () => {
    const { features, started } = machineWith('linux', 'notify-send');
    features.notify('Signing Desk', '<b>Ek & Co</b> <a href="https://example.org">pay</a>');
    const [[, args]] = started as [Started];
    expect(args.at(-1)).toBe(
      '&lt;b&gt;Ek &amp; Co&lt;/b&gt; &lt;a href="https://example.org"&gt;pay&lt;/a&gt;',
    );
  });

  it('refuse features that need a native window', async () => {
    const { features } = machineWith('linux');
    await expect(features.chooseFolder()).rejects.toThrow('cannot choose a folder');
    await expect(features.dragFile()).rejects.toThrow('cannot be dragged out');
    await expect(features.startAtLogin()).rejects.toThrow('cannot be started with the computer');
    expect(features.startsAtLogin()).toBe(false);
    const shown = [features.progress(), features.badge(), features.menu(), features.status()];
    expect(shown).toEqual([undefined, undefined, undefined, undefined]);
  });
});

describe.skipIf(process.platform === 'win32')('a program that the Chromium window starts', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'desk-features-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const here = (): HostMachine => ({ ...thisMachine, platform: 'linux', env: { PATH: folder } });

  it('receives the unchanged path, and runs on its own', async () => {
    const shown = path.join(folder, 'shown');
    const script = `#!/bin/sh
printf %s "$1" > '${shown}.part'
exec /bin/mv '${shown}.part' '${shown}'
`;
    writeFileSync(path.join(folder, 'xdg-open'), script, { mode: 0o700 });
    await createHostFeatures(undefined, here()).openPath('/home/ada/$(id) lease.pdf');
    await vi.waitFor(() => expect(existsSync(shown)).toBe(true), { timeout: MINUTE });
    expect(readFileSync(shown, 'utf8')).toBe('/home/ada/$(id) lease.pdf');
  });

  it('is reported if it cannot be started, unless it shows a notification', async () => {
    const nothing = '#!/there/is/no/such/shell\n';
    writeFileSync(path.join(folder, 'xdg-open'), nothing, { mode: 0o700 });
    writeFileSync(path.join(folder, 'notify-send'), nothing, { mode: 0o700 });
    const features = createHostFeatures(undefined, here());
    features.notify('Signed', 'Lease');
    await expect(features.openPath('/home/ada/Lease.pdf')).rejects.toThrow('ENOENT');
  });
});
