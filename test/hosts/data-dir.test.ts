import path from 'node:path';
import { expect, it } from 'vitest';
import {
  codeCacheFolder,
  dataDir,
  documentsFolder,
  stateDir,
} from '../../electron/hosts/data-dir.ts';

const linux = { HOME: '/home/a' };
/** Returns no home folder, as for an account without one. */
const none = () => null;

it('the data folder is taken from the argument, then the variable, then the default', () => {
  const env = { ...linux, SIGNING_DESK_DATA: '/from/env' };
  expect(dataDir(env, 'linux', '/from/argument')).toBe('/from/argument');
  expect(dataDir(env, 'linux')).toBe('/from/env');
  expect(dataDir({ ...linux, SIGNING_DESK_DATA: '' }, 'linux')).toBe(
    '/home/a/.local/share/signing-desk',
  );
});

it('a relative data folder becomes absolute', () => {
  expect(dataDir(linux, 'linux', 'data')).toBe(path.resolve('data'));
});

it('the default data folder follows each system’s convention', () => {
  expect(dataDir({ ...linux, XDG_DATA_HOME: '/xdg' }, 'linux')).toBe('/xdg/signing-desk');
  expect(dataDir({ ...linux, XDG_DATA_HOME: 'relative' }, 'linux')).toBe(
    '/home/a/.local/share/signing-desk',
  );
  expect(dataDir({ HOME: '/Users/a' }, 'darwin')).toBe(
    '/Users/a/Library/Application Support/Signing Desk',
  );
  expect(dataDir({ USERPROFILE: '/u', APPDATA: '/roaming' }, 'win32')).toBe(
    '/roaming/Signing Desk',
  );
});

it('PDFs are saved where users look for documents', () => {
  expect(documentsFolder(linux, 'linux', '/data')).toBe('/home/a/Documents/Signing Desk');
  const named = { ...linux, XDG_DOCUMENTS_DIR: '/d' };
  expect(documentsFolder(named, 'linux', '/data')).toBe('/d/Signing Desk');
});

it('the account’s home folder is used if the environment names none, or a relative one', () => {
  const account = () => '/home/of-account';
  for (const env of [{}, { HOME: '' }, { HOME: 'relative' }]) {
    const folder = dataDir(env, 'linux', undefined, account);
    expect(folder).toBe('/home/of-account/.local/share/signing-desk');
    expect(documentsFolder(env, 'linux', folder, account)).toBe(
      '/home/of-account/Documents/Signing Desk',
    );
    expect(stateDir(env, 'linux', account)).toBe('/home/of-account/.local/state/signing-desk');
    expect(codeCacheFolder(env, 'linux', account)).toBe('/home/of-account/.cache/signing-desk');
  }
});

it('a missing home folder is reported with advice, unless a data folder is named', () => {
  expect(() => dataDir({}, 'linux', undefined, none)).toThrow('--data');
  expect(dataDir({}, 'linux', '/srv/data', none)).toBe('/srv/data');
  expect(documentsFolder({}, 'linux', '/srv/data', none)).toBe('/srv/Signing Desk');
});

it('the record that detects a restored backup is outside the backed-up data, or reported as missing (SEC-H1)', () => {
  expect(stateDir(linux, 'linux')).toBe('/home/a/.local/state/signing-desk');
  expect(stateDir({ ...linux, XDG_STATE_HOME: '/s' }, 'linux')).toBe('/s/signing-desk');
  expect(stateDir({ ...linux, XDG_STATE_HOME: 's' }, 'linux')).toBe(stateDir(linux, 'linux'));
  expect(stateDir({ HOME: '/Users/a' }, 'darwin')).toBe(
    '/Users/a/Library/Application Support/Signing Desk State',
  );
  expect(stateDir({ LOCALAPPDATA: '/local' }, 'win32')).toBe('/local/Signing Desk/State');
  expect(stateDir({}, 'linux', none)).toBeNull();
});

it('compiled code is stored where no one else may write, or not at all', () => {
  expect(codeCacheFolder(linux, 'linux')).toBe('/home/a/.cache/signing-desk');
  expect(codeCacheFolder({ ...linux, XDG_CACHE_HOME: '/c' }, 'linux')).toBe('/c/signing-desk');
  expect(codeCacheFolder({ HOME: '/Users/a' }, 'darwin')).toBe(
    '/Users/a/Library/Caches/Signing Desk',
  );
  expect(codeCacheFolder({ LOCALAPPDATA: '/local' }, 'win32')).toBe('/local/Signing Desk/Code');
  expect(codeCacheFolder({}, 'linux', none)).toBeNull();
});
