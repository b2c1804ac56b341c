import { chmodSync, rmSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';
import { AppError } from '../../../../shared/errors.ts';

/** `SDsk` in ASCII: SQLite's `application_id`, which identifies files of this program. */
export const APPLICATION_ID = 0x5344736b;

export interface Migration {
  /**
   * Number of the migration: 1, 2, 3 … without gaps. It is SQLite's `user_version` once the
   * migration is applied.
   */
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  /** Derives data that SQL alone cannot; runs after `sql` in the same transaction. */
  readonly fill?: (raw: Sqlite.Database) => void;
}

/** Throws 'newer-data' if a later version of the program wrote the file. */
export function rejectNewer(raw: Sqlite.Database, migrations: readonly Migration[]): void {
  if (versionOf(raw) <= newestVersionIn(migrations)) return;
  const message = 'The data was written by a newer version of this program. Install that version';
  throw new AppError('newer-data', message);
}

/**
 * Migrates the file to the newest version, in one exclusive transaction. Existing data is first
 * copied to `copy`, encrypted with the same key. Two processes may migrate at the same time.
 */
export function migrate(
  raw: Sqlite.Database,
  migrations: readonly Migration[],
  copy: string,
): void {
  for (;;) {
    const seen = dataVersionOf(raw);
    const version = versionOf(raw);
    if (version >= newestVersionIn(migrations)) break;
    if (version > 0) writeUpgradeCopy(raw, copy);
    raw.exec('BEGIN EXCLUSIVE');
    try {
      // A commit after the copy and before the lock is not in the copy, so the copy is repeated.
      const isCopyWhole = dataVersionOf(raw) === seen;
      if (isCopyWhole) applyMigrations(raw, migrations);
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
 * Copies the file with SQLite: closing another descriptor on the file would drop the locks that
 * this process holds on it (POSIX).
 */
function writeUpgradeCopy(raw: Sqlite.Database, copy: string): void {
  try {
    raw.prepare('VACUUM INTO ?').run(copy);
    chmodSync(copy, 0o600);
  } catch (error) {
    rmSync(copy, { force: true });
    throw error;
  }
}

function applyMigrations(raw: Sqlite.Database, migrations: readonly Migration[]): void {
  const from = versionOf(raw);
  for (const { version, sql, fill } of migrations.filter((step) => step.version > from)) {
    raw.exec(sql);
    fill?.(raw);
    raw.pragma(`user_version = ${version}`);
  }
  raw.pragma(`application_id = ${APPLICATION_ID}`);
}

const versionOf = (raw: Sqlite.Database) => Number(raw.pragma('user_version', { simple: true }));
const dataVersionOf = (raw: Sqlite.Database) =>
  Number(raw.pragma('data_version', { simple: true }));
const newestVersionIn = (migrations: readonly Migration[]) => migrations.at(-1)?.version ?? 0;
