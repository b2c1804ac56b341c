import { expect, it } from 'vitest';
import {
  findBrowser,
  findProgram,
  type Machine,
} from '../../../electron/hosts/chromium/find-browser.ts';

function machine(platform: NodeJS.Platform, env: Machine['env'], ...programs: string[]): Machine {
  return { platform, env, isProgram: (file) => programs.includes(file) };
}

it('prefers Chromium to Chrome wherever they lie on the path', () => {
  const linux = machine(
    'linux',
    { PATH: '/opt/bin:/usr/bin' },
    '/opt/bin/google-chrome',
    '/usr/bin/chromium',
  );
  expect(findBrowser(linux)).toBe('/usr/bin/chromium');
});

it('takes Edge on Linux when nothing else is there', () => {
  const linux = machine('linux', { PATH: '/usr/bin' }, '/usr/bin/microsoft-edge');
  expect(findBrowser(linux)).toBe('/usr/bin/microsoft-edge');
});

it('looks into the person’s own applications on a Mac', () => {
  const program = '/Users/ada/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
  expect(findBrowser(machine('darwin', { HOME: '/Users/ada' }, program))).toBe(program);
});

it('finds Edge under the 32-bit programs of Windows', () => {
  const program = String.raw`C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe`;
  const env = {
    PROGRAMFILES: String.raw`C:\Program Files`,
    'PROGRAMFILES(X86)': String.raw`C:\Program Files (x86)`,
  };
  expect(findBrowser(machine('win32', env, program))).toBe(program);
});

it('says so when there is no browser', () => {
  expect(findBrowser(machine('linux', { PATH: '/usr/bin' }))).toBeUndefined();
  expect(findBrowser(machine('linux', {}))).toBeUndefined();
});

it('finds a program by its name only where the path says', () => {
  const linux = machine('linux', { PATH: '/usr/bin' }, '/usr/bin/qpdf', '/opt/qpdf');
  expect(findProgram('qpdf', linux)).toBe('/usr/bin/qpdf');
  expect(findProgram('pdftk', linux)).toBeUndefined();
});
