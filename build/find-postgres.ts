import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** Debian keeps each major version in a folder of its own, beside the path. */
const VERSIONS = '/usr/lib/postgresql';

/** Name of the environment variable with the folder of the programs of another PostgreSQL. */
const OTHER = 'SIGNING_DESK_TEST_POSTGRES';

/** Where the newest PostgreSQL of this computer, or the one that is asked for, has its programs; null where there is none. */
export function findPostgres(): string | null {
  const other = process.env[OTHER];
  if (other !== undefined) return other;
  if (!existsSync(VERSIONS)) return null;
  const versions = readdirSync(VERSIONS).toSorted((one, other) => Number(other) - Number(one));
  const folders = versions.map((version) => path.join(VERSIONS, version, 'bin'));
  return folders.find((folder) => existsSync(path.join(folder, 'postgres'))) ?? null;
}
