import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, linkSync, mkdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { AppError } from '../../../../shared/errors.ts';
import { connect, foreignFileError, KEY_BYTES, whyUnreadable } from '../database/cipher.ts';
import { createDatabase, type Database } from '../database/database.ts';
import { APPLICATION_ID, migrate, rejectNewer } from '../database/migrate.ts';
import { migrations } from '../migrations/index.ts';
import { removeOldCopies, upgradeCopyName } from './upgrade-copies.ts';
import { storageError, withStorageErrors } from '../database/storage-errors.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/** Pragmas with the values they must read back; most differ from the build's defaults. */
const databaseSettings: readonly (readonly [name: string, set: string, read: string | number])[] = [
  ['temp_store', 'MEMORY', 2],
  ['trusted_schema', 'OFF', 0],
  ['busy_timeout', '5000', 5000],
  ['journal_mode', 'WAL', 'wal'],
  ['synchronous', 'FULL', 2],
  ['fullfsync', 'ON', 1],
  ['foreign_keys', 'ON', 1],
  ['secure_delete', 'ON', 1],
];

export interface OpenDatabase {
  readonly file: string;
  readonly key: Uint8Array;
  /** Current time (epoch ms), which names the copy taken before an upgrade. */
  readonly now: number;
}

/**
 * Opens the encrypted data file, or creates it, and migrates it. Rejects a file without writing to
 * it, with 'newer-data', or with 'storage' and the reason `data-damaged`, `data-foreign` or
 * `data-wrong-key`. Checks the first page, the schema and the length; every other page has its own
 * tag, and is rejected as `data-damaged` when it is read.
 */
export function openDatabase({ file, key, now }: OpenDatabase): Database {
  if (key.length !== KEY_BYTES) throw new RangeError(`A data key has ${KEY_BYTES} bytes`);
  return withStorageErrors(() => {
    mkdirSync(path.dirname(file), { recursive: true, mode: FOLDER_MODE });
    if (!existsSync(file)) createFile(file, key);
    assertOurs(file, key);
    const raw = connect(file, key, 'write');
    try {
      applySettings(raw);
      migrate(raw, migrations, upgradeCopyName(file, now));
    } catch (error) {
      raw.close();
      throw error;
    } finally {
      // Repeated failed upgrades would each leave a copy, so old copies are removed.
      removeOldCopies(file);
    }
    return createDatabase(raw, file);
  });
}

/**
 * Creates the file atomically. An empty file is therefore always a damaged one, and if two
 * processes start together, one creates the file and both open it.
 */
function createFile(file: string, key: Uint8Array): void {
  if (existsSync(`${file}-wal`) && statSync(`${file}-wal`).size > 0) {
    throw new AppError(
      'storage',
      'The data file is missing, but the file of its latest changes exists. Put the data file back',
      { reason: 'data-damaged' },
    );
  }
  const draft = `${file}.new-${randomUUID()}`;
  try {
    const raw = connect(draft, key, 'write');
    try {
      chmodSync(draft, FILE_MODE);
      // This can be set only on an empty file; it allows free pages to be released in small steps.
      raw.pragma('auto_vacuum = INCREMENTAL');
      applySettings(raw);
      migrate(raw, migrations, `${draft}.before`);
      // Closing also runs a checkpoint, but hides the error of a full disk.
      raw.pragma('wal_checkpoint(TRUNCATE)');
    } finally {
      raw.close();
    }
    linkSync(draft, file);
  } catch (error) {
    if (!isExisting(error)) throw error;
  } finally {
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${draft}${suffix}`, { force: true });
  }
}

/**
 * Rejects a file of another program. Uses a read-only connection, since a writable one also runs
 * recovery and checkpoints.
 */
function assertOurs(file: string, key: Uint8Array): void {
  let isFirstPageRead = false;
  try {
    const raw = connect(file, key, 'read');
    try {
      const application = raw.pragma('application_id', { simple: true });
      isFirstPageRead = true;
      // SQLite opens an empty file without an error, as an empty database.
      if (raw.pragma('page_count', { simple: true }) === 0)
        throw whyUnreadable(file, key, undefined);
      if (application !== APPLICATION_ID) throw foreignFileError();
      rejectNewer(raw, migrations);
      raw.prepare('SELECT count(*) FROM sqlite_schema').get();
    } finally {
      raw.close();
    }
  } catch (error) {
    const isUnreadable = error instanceof Sqlite.SqliteError && error.code === 'SQLITE_NOTADB';
    throw isUnreadable && !isFirstPageRead ? whyUnreadable(file, key, error) : storageError(error);
  }
}

/** Sets the pragmas. Throws 'storage' if a setting does not read back as it was set. */
export function applySettings(raw: Sqlite.Database): void {
  for (const [name, set, read] of databaseSettings) {
    raw.pragma(`${name} = ${set}`);
    if (raw.pragma(name, { simple: true }) !== read) {
      throw new AppError('storage', `The database did not accept the setting ${name} = ${set}`);
    }
  }
}

function isExisting(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST';
}
