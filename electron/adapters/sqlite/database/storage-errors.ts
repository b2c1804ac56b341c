import Sqlite from 'better-sqlite3';
import { AppError, type ErrorReason } from '../../../../shared/errors.ts';

interface Sentence {
  readonly message: string;
  readonly reason?: ErrorReason;
}

const diskFull: Sentence = { message: 'The disk is full', reason: 'disk-full' };
const readOnly: Sentence = {
  message: 'The data folder cannot be written to',
  reason: 'folder-read-only',
};
const folderMissing: Sentence = {
  message: 'The data folder is missing',
  reason: 'folder-missing',
};
const damaged: Sentence = { message: 'The data file is damaged', reason: 'data-damaged' };
const inUse: Sentence = {
  message: 'The data file is in use by another program',
  reason: 'data-in-use',
};

/** Messages by primary result code, which is the prefix of SQLite's extended codes. */
const bySqliteCode: readonly (readonly [string, Sentence])[] = [
  ['SQLITE_FULL', diskFull],
  ['SQLITE_BUSY', inUse],
  ['SQLITE_LOCKED', inUse],
  ['SQLITE_READONLY', readOnly],
  ['SQLITE_CANTOPEN', readOnly],
  ['SQLITE_PERM', readOnly],
  ['SQLITE_CORRUPT', damaged],
  ['SQLITE_NOTADB', damaged],
  // The shared-memory file of the WAL could not grow, which only happens on a full disk.
  ['SQLITE_IOERR_SHMSIZE', diskFull],
  ['SQLITE_IOERR', { message: 'The disk could not be read or written' }],
];

const bySystemCode: Readonly<Record<string, Sentence>> = {
  ENOSPC: diskFull,
  EDQUOT: diskFull,
  EACCES: readOnly,
  EPERM: readOnly,
  EROFS: readOnly,
  ENOENT: folderMissing,
  ENOTDIR: folderMissing,
};

/**
 * Converts an error of SQLite or the file system to an `AppError` 'storage'; returns other errors
 * unchanged. Neither source puts parameter values into its messages, so the cause is kept.
 */
export function storageError(error: unknown): unknown {
  const sentence = sentenceFor(error);
  if (sentence === undefined) return error;
  const { message, ...reason } = sentence;
  return new AppError('storage', message, { ...reason, cause: error });
}

/** Runs `work`; converts errors of SQLite and the file system to an `AppError` 'storage'. */
export function withStorageErrors<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw storageError(error);
  }
}

export function damagedRow(what: string): AppError {
  return new AppError('storage', `The data file contains ${what} that cannot be read`, {
    reason: 'data-damaged',
  });
}

function sentenceFor(error: unknown): Sentence | undefined {
  if (error instanceof Sqlite.SqliteError) {
    const { code } = error;
    return bySqliteCode.find(([primary]) => code.startsWith(primary))?.[1];
  }
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
    return bySystemCode[error.code];
  }
  return undefined;
}
