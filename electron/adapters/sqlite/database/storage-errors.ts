import Sqlite from 'better-sqlite3';
import { AppError, type ErrorReason } from '../../../../shared/errors.ts';

interface Sentence {
  readonly message: string;
  readonly reason?: ErrorReason;
}

const diskFullSentence: Sentence = { message: 'The disk is full', reason: 'disk-full' };
const readOnlySentence: Sentence = {
  message: 'The data folder cannot be written to',
  reason: 'folder-read-only',
};
const folderMissingSentence: Sentence = {
  message: 'The data folder is missing',
  reason: 'folder-missing',
};
const damagedSentence: Sentence = { message: 'The data file is damaged', reason: 'data-damaged' };
const inUseSentence: Sentence = {
  message: 'The data file is in use by another program',
  reason: 'data-in-use',
};

/** Messages by primary result code, which is the prefix of SQLite's extended codes. */
const bySqliteCode: readonly (readonly [string, Sentence])[] = [
  ['SQLITE_FULL', diskFullSentence],
  ['SQLITE_BUSY', inUseSentence],
  ['SQLITE_LOCKED', inUseSentence],
  ['SQLITE_READONLY', readOnlySentence],
  ['SQLITE_CANTOPEN', readOnlySentence],
  ['SQLITE_PERM', readOnlySentence],
  ['SQLITE_CORRUPT', damagedSentence],
  ['SQLITE_NOTADB', damagedSentence],
  // The shared-memory file of the WAL could not grow, which only happens on a full disk.
  ['SQLITE_IOERR_SHMSIZE', diskFullSentence],
  ['SQLITE_IOERR', { message: 'The disk could not be read or written' }],
];

const bySystemCode: Readonly<Record<string, Sentence>> = {
  ENOSPC: diskFullSentence,
  EDQUOT: diskFullSentence,
  EACCES: readOnlySentence,
  EPERM: readOnlySentence,
  EROFS: readOnlySentence,
  ENOENT: folderMissingSentence,
  ENOTDIR: folderMissingSentence,
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

export function damagedRowError(what: string): AppError {
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
