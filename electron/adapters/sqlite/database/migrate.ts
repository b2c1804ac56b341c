import { chmodSync, rmSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';
import { AppError } from '../../../../shared/errors.ts';

/** `SDsk` in ASCII; SQLite's `application_id`, by which our files are known. */
export const APPLICATION_ID = 0x5344736b;

export interface Migration {
  /** 1, 2, 3 … without gaps; SQLite's `user_version` once applied. */
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  /** What SQL alone cannot derive; runs after it, in the same transaction. */
  readonly fill?: (raw: Sqlite.Database) => void;
}

/** Throws 'newer-data' when the file was written by a later version of the program. */
export function rejectNewer(raw: Sqlite.Database, migrations: readonly Migration[]): void {
  if (versionOf(raw) <= newest(migrations)) return;
  const message = 'The data was written by a newer version of this program. Install that version';
  throw new AppError('newer-data', message);
}

/**
 * Brings the file to the newest version, in one exclusive transaction. Data that is there already
 * is first copied to `copy`, encrypted with the same key; two processes may start together.
 */
export function migrate(
  raw: Sqlite.Database,
  migrations: readonly Migration[],
  copy: string,
): void {
  for (;;) {
    const seen = changesSeen(raw);
    const version = versionOf(raw);
    if (version >= newest(migrations)) break;
    if (version > 0) takeCopy(raw, copy);
    raw.exec('BEGIN EXCLUSIVE');
    try {
      // A commit between the copy and the lock is not in the copy: it is taken again.
      const isCopyWhole = changesSeen(raw) === seen;
      if (isCopyWhole) applyAll(raw, migrations);
      raw.exec(isCopyWhole ? 'COMMIT' : 'ROLLBACK');
      if (!isCopyWhole) rmSync(copy, { force: true });
    } catch (error) {
      if (raw.inTransaction) raw.exec('ROLLBACK');
      throw error;
    }
  }
  rejectNewer(raw, migrations);
}

/**
 * SQLite copies its own file: reading it through another descriptor would, on closing that, drop
 * the locks this process holds on it (POSIX).
 */
function takeCopy(raw: Sqlite.Database, copy: string): void {
  try {
    raw.prepare('VACUUM INTO ?').run(copy);
    chmodSync(copy, 0o600);
  } catch (error) {
    rmSync(copy, { force: true });
    throw error;
  }
}

function applyAll(raw: Sqlite.Database, migrations: readonly Migration[]): void {
  const from = versionOf(raw);
  for (const { version, sql, fill } of migrations.filter((step) => step.version > from)) {
    raw.exec(sql);
    fill?.(raw);
    raw.pragma(`user_version = ${version}`);
  }
  raw.pragma(`application_id = ${APPLICATION_ID}`);
}

const versionOf = (raw: Sqlite.Database) => Number(raw.pragma('user_version', { simple: true }));
const changesSeen = (raw: Sqlite.Database) => Number(raw.pragma('data_version', { simple: true }));
const newest = (migrations: readonly Migration[]) => migrations.at(-1)?.version ?? 0;
