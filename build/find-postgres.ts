import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** Debian keeps each major version in a folder of its own, beside the path. */
const VERSIONS = '/usr/lib/postgresql';

/** Where the newest PostgreSQL of this computer has its programs; null where there is none. */
export function findPostgres(): string | null {
  if (!existsSync(VERSIONS)) return null;
  const versions = readdirSync(VERSIONS).toSorted((one, other) => Number(other) - Number(one));
  const folders = versions.map((version) => path.join(VERSIONS, version, 'bin'));
  return folders.find((folder) => existsSync(path.join(folder, 'postgres'))) ?? null;
}
