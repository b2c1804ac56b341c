import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/**
 * Folder in which Debian installs each major version, in a subfolder of its own, outside the
 * `PATH`.
 */
const VERSIONS = '/usr/lib/postgresql';

/** Environment variable that names the program folder of another PostgreSQL. */
const OTHER = 'SIGNING_DESK_TEST_POSTGRES';

/**
 * Returns the program folder of the PostgreSQL that the variable names, otherwise of the newest
 * PostgreSQL on this computer; null if there is none.
 */
export function findPostgres(): string | null {
  const other = process.env[OTHER];
  if (other !== undefined) return other;
  if (!existsSync(VERSIONS)) return null;
  const versions = readdirSync(VERSIONS).toSorted((one, other) => Number(other) - Number(one));
  const folders = versions.map((version) => path.join(VERSIONS, version, 'bin'));
  return folders.find((folder) => existsSync(path.join(folder, 'postgres'))) ?? null;
}
