import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import {
  storageError,
  withStorageErrors,
} from '../../../../electron/adapters/sqlite/database/storage-errors.ts';

const readOnly = ['The data folder cannot be written to', 'folder-read-only'] as const;
const missing = ['The data folder is missing', 'folder-missing'] as const;
const full = ['The disk is full', 'disk-full'] as const;
const inUse = ['The data file is in use by another program', 'data-in-use'] as const;
const damaged = ['The data file is damaged', 'data-damaged'] as const;

const ofSystem = (code: string) => Object.assign(new Error(`${code}: no`), { code });

describe('errors of SQLite and the system for the data file', () => {
  it.each([
    ['SQLITE_FULL', ...full],
    ['SQLITE_BUSY', ...inUse],
    ['SQLITE_BUSY_SNAPSHOT', ...inUse],
    ['SQLITE_LOCKED', ...inUse],
    ['SQLITE_READONLY_DBMOVED', ...readOnly],
    ['SQLITE_CANTOPEN', ...readOnly],
    ['SQLITE_PERM', ...readOnly],
    ['SQLITE_CORRUPT_VTAB', ...damaged],
    ['SQLITE_NOTADB', ...damaged],
    ['SQLITE_IOERR_FSYNC', 'The disk could not be read or written', undefined],
  ])('have a message for users: %s is “%s”', (code, message, reason) => {
    const error = new Sqlite.SqliteError('no', code);
    expect(storageError(error)).toMatchObject({
      failure: { code: 'storage', message, ...(reason !== undefined && { reason }) },
      cause: error,
    });
  });

  it.each([
    ['ENOSPC', ...full],
    ['EDQUOT', ...full],
    ['EACCES', ...readOnly],
    ['EPERM', ...readOnly],
    ['EROFS', ...readOnly],
    ['ENOENT', ...missing],
    ['ENOTDIR', ...missing],
  ])('have a message for users: %s is “%s”', (code, message, reason) => {
    const failure = { code: 'storage', message, reason };
    expect(storageError(ofSystem(code))).toMatchObject({ failure });
    const failing = () => {
      throw ofSystem(code);
    };
    expect(() => withStorageErrors(failing)).toThrow(expect.objectContaining({ failure }));
  });

  it('stay unchanged if they do not concern storage', () => {
    const others = [
      new Sqlite.SqliteError('no', 'SQLITE_CONSTRAINT'),
      ofSystem('EMFILE'),
      new Error('no'),
      Object.assign(new Error('no'), { code: 7 }),
      { code: 'ENOSPC' },
      'no',
    ];
    expect(others.map(storageError)).toEqual(others);
    expect(withStorageErrors(() => 7)).toBe(7);
  });
});
