import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  findOffice,
  type OfficeMachine,
} from '../../../electron/adapters/documents/office/find.ts';

const machine = (
  more: Partial<OfficeMachine> & { readonly there: readonly string[] },
): OfficeMachine => ({
  platform: 'linux',
  env: {},
  isProgram: (file) => more.there.includes(file),
  hasWriter: () => true,
  namesIn: () => [],
  ...more,
});

describe('LibreOffice', () => {
  it.each<[string, NodeJS.Platform, Record<string, string>, string]>([
    [
      'in a folder of PATH on Linux',
      'linux',
      { PATH: '/usr/local/bin:/usr/bin' },
      '/usr/bin/soffice',
    ],
    ['in its package folder on Linux', 'linux', {}, '/usr/lib/libreoffice/program/soffice'],
    [
      'among the programs on macOS',
      'darwin',
      {},
      '/Applications/LibreOffice.app/Contents/MacOS/soffice',
    ],
    [
      'among the programs on Windows',
      'win32',
      { PROGRAMFILES: 'C:\\Program Files' },
      path.win32.join('C:\\Program Files', 'LibreOffice', 'program', 'soffice.com'),
    ],
  ])('is found %s', (_, platform, env, file) => {
    expect(findOffice(machine({ platform, env, there: [file] }))).toBe(file);
  });

  it('is used in its newest version if several are installed', () => {
    const there = ['/opt/libreoffice7.6', '/opt/libreoffice24.8', '/opt/libreoffice9.9'].map(
      (folder) => `${folder}/program/soffice`,
    );
    const namesIn = () => ['libreoffice7.6', 'libreoffice24.8', 'libreoffice9.9', 'other'];
    expect(findOffice(machine({ there, namesIn }))).toBe('/opt/libreoffice24.8/program/soffice');
  });

  it('is never used from the working folder, even if PATH names that folder', () => {
    const there = ['soffice', './soffice', 'bin/soffice'];
    expect(findOffice(machine({ env: { PATH: ':.:bin' }, there }))).toBeNull();
  });

  it('that opens only spreadsheets is not used', () => {
    const there = ['/usr/lib/libreoffice/program/soffice'];
    expect(findOffice(machine({ there, hasWriter: () => false }))).toBeNull();
  });
});
