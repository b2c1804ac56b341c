import { rm } from 'node:fs/promises';
import Sqlite from 'better-sqlite3';
import type { DataCopies } from '../../../core/backup/ports.ts';
import type { RestorePlaces, ExtractedDataFile } from '../../../core/restore-ports.ts';
import { threadFile } from '../../threads/file.ts';
import { connect } from '../database/cipher.ts';
import { dataThreads } from '../database/data-threads.ts';
import { storageError } from '../database/storage-errors.ts';
import type { OpenDatabase } from '../open/open.ts';
import { upgradeCopies } from '../open/upgrade-copies.ts';
import { isUntouched } from './inspect.ts';
import type { CopyTasks } from './worker.ts';

const threads = dataThreads<CopyTasks>(
  threadFile(import.meta.url, './worker.ts', 'data-copy-worker'),
  'Copying the data',
);

/** Suffixes of files that SQLite may leave for a copy. */
const DATABASE_SUFFIXES = ['', '-journal', '-wal', '-shm'];

export function copiesOf({ file, key }: Pick<OpenDatabase, 'file' | 'key'>): DataCopies {
  const copy = `${file}.backup-copy`;
  const rawKey = new Uint8Array(key);
  return {
    key: Buffer.from(key).toString('hex'),
    copy,
    take: (signal) => threads.call('take', [file, rawKey, copy], { signal }),
    async drop() {
      for (const end of DATABASE_SUFFIXES) await rm(`${copy}${end}`, { force: true });
    },
    beforeUpgrades: () => upgradeCopies(file).toReversed(),
    inspect: (taken, signal) => threads.call('inspect', [taken, rawKey], { signal }),
  };
}

/** Operations on copies outside any data folder. */
export const extractedDataOperations: Pick<RestorePlaces, 'inspect' | 'changeKey'> & {
  /** Whether a data file has no user data, only what its program created. */
  isUntouched(data: ExtractedDataFile): boolean;
} = {
  inspect: (copy, signal) => threads.call('inspect', [copy.file, keyOf(copy)], { signal }),
  changeKey: async (copy, key) => {
    const newKey = new Uint8Array(Buffer.from(key, 'hex'));
    await threads.call('changeKey', [copy.file, keyOf(copy), newKey]);
  },
  isUntouched: (data) => isUntouched(data.file, keyOf(data)),
};

/**
 * Whether no other connection, of any process, is open. If so, the WAL is merged into the file and
 * deleted. A file in WAL mode gets a new WAL when it is next opened.
 */
export function isSingleFile(data: ExtractedDataFile): boolean {
  const raw = connect(data.file, keyOf(data), 'write');
  try {
    raw.pragma('busy_timeout = 0');
    return raw.pragma('journal_mode = DELETE', { simple: true }) === 'delete';
  } catch (error) {
    if (error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')) return false;
    throw storageError(error);
  } finally {
    raw.close();
  }
}

export const keyOf = ({ key }: ExtractedDataFile): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(key, 'hex'));
