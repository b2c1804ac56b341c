import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/**
 * Folder in which Debian installs each major version, in a subfolder of its own, outside the
 * `PATH`.
 */
const POSTGRES_VERSIONS_FOLDER = '/usr/lib/postgresql';

/** Environment variable that names the program folder of another PostgreSQL. */
const POSTGRES_VARIABLE = 'SIGNING_DESK_TEST_POSTGRES';

/**
 * Returns the program folder of the PostgreSQL that the variable names, otherwise of the newest
 * PostgreSQL on this computer; null if there is none.
 */
export function findPostgres(): string | null {
  const other = process.env[POSTGRES_VARIABLE];
  if (other !== undefined) return other;
  if (!existsSync(POSTGRES_VERSIONS_FOLDER)) return null;
  const versions = readdirSync(POSTGRES_VERSIONS_FOLDER).toSorted(
    (one, other) => Number(other) - Number(one),
  );
  const folders = versions.map((version) => path.join(POSTGRES_VERSIONS_FOLDER, version, 'bin'));
  return folders.find((folder) => existsSync(path.join(folder, 'postgres'))) ?? null;
}
