import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import {
  findBrowser,
  findProgram,
  type HostMachine,
  profilesFolder,
  thisMachine,
} from '../../electron/hosts/find-browser.ts';

function machine(
  platform: NodeJS.Platform,
  env: HostMachine['env'],
  ...programs: string[]
): HostMachine {
  const isSnap = (file: string) => file.startsWith('/snap/');
  return { platform, env, isProgram: (file) => programs.includes(file), isSnap };
}

it('the search for a browser prefers Chromium to Chrome, wherever they are on the path', () => {
  const linux = machine(
    'linux',
    { PATH: '/opt/bin:/usr/bin' },
    '/opt/bin/google-chrome',
    '/usr/bin/chromium',
  );
  expect(findBrowser(linux)).toBe('/usr/bin/chromium');
});

it('the search for a browser uses Edge on Linux if it finds no other', () => {
  const linux = machine('linux', { PATH: '/usr/bin' }, '/usr/bin/microsoft-edge');
  expect(findBrowser(linux)).toBe('/usr/bin/microsoft-edge');
});

it('the search for a browser uses a snap only if it finds no other, with a folder that the snap may write', () => {
  const env = { PATH: '/snap/bin:/usr/bin', HOME: '/home/ada' };
  const snap = '/snap/bin/chromium';
  const [both, alone] = [
    machine('linux', env, snap, '/usr/bin/google-chrome'),
    machine('linux', env, snap),
  ];
  expect(findBrowser(both)).toBe('/usr/bin/google-chrome');
  expect(findBrowser(alone)).toBe(snap);
  const data = '/home/ada/.local/share/signing-desk';
  expect(profilesFolder('/usr/bin/google-chrome', data, both)).toBe(`${data}/chromium`);
  expect(profilesFolder(snap, data, alone)).toBe('/home/ada/snap/chromium/common/signing-desk');
});

it.runIf(process.platform === 'linux')(
  'the search for a browser recognises a snap by its start script',
  () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'desk-snap-'));
    const file = path.join(folder, 'chromium-browser');
    writeFileSync(file, '#!/bin/sh\nexec /snap/bin/chromium "$@"\n');
    expect(thisMachine.isSnap(file)).toBe(true);
    writeFileSync(file, '#!/bin/sh\nexec /usr/lib/chromium/chromium "$@"\n');
    expect(thisMachine.isSnap(file)).toBe(false);
    rmSync(folder, { recursive: true });
  },
);

it('the search for a browser uses the shell’s default path on Linux if the environment has none', () => {
  expect(findBrowser(machine('linux', {}, '/usr/bin/chromium'))).toBe('/usr/bin/chromium');
  expect(findBrowser(machine('linux', { PATH: '' }, '/usr/bin/chromium'))).toBeUndefined();
});

it('the search for a browser skips a folder with the name of a browser', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'desk-browser-'));
  mkdirSync(path.join(folder, 'a', 'chromium'), { recursive: true });
  mkdirSync(path.join(folder, 'b'));
  const file = path.join(folder, 'b', 'google-chrome');
  writeFileSync(file, '#!/bin/sh\n', { mode: 0o755 });
  const env = { PATH: [path.join(folder, 'a'), path.join(folder, 'b')].join(path.delimiter) };
  expect(findBrowser({ ...thisMachine, platform: 'linux', env })).toBe(file);
  rmSync(folder, { recursive: true });
});

it('the search for a browser does not take an unreadable file for a snap', () => {
  expect(thisMachine.isSnap(path.join(tmpdir(), 'desk-no-such-browser'))).toBe(false);
});

it('the search for a browser includes the user’s own applications on macOS', () => {
  const program = '/Users/ada/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
  expect(findBrowser(machine('darwin', { HOME: '/Users/ada' }, program))).toBe(program);
});

it('the search for a browser finds Edge under the 32-bit programs of Windows', () => {
  const program = String.raw`C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe`;
  const env = {
    PROGRAMFILES: String.raw`C:\Program Files`,
    'PROGRAMFILES(X86)': String.raw`C:\Program Files (x86)`,
  };
  expect(findBrowser(machine('win32', env, program))).toBe(program);
});

it('the search for a browser reports that it found none', () => {
  expect(findBrowser(machine('linux', { PATH: '/usr/bin' }))).toBeUndefined();
  expect(findBrowser(machine('linux', {}))).toBeUndefined();
});

it('the search for a program uses only the folders of the path', () => {
  const linux = machine('linux', { PATH: '/usr/bin' }, '/usr/bin/qpdf', '/opt/qpdf');
  expect(findProgram('qpdf', linux)).toBe('/usr/bin/qpdf');
  expect(findProgram('pdftk', linux)).toBeUndefined();
});
