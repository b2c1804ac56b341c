import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import Sqlite from 'better-sqlite3';

const FOLDER = path.join(import.meta.dirname, '..', 'fixtures', 'old-data');

/** What the program writes in the place of a salt, by which it knows the key. */
const STAMP_BYTES = 16;

/** The key of every kept file. */
export const OLD_KEY = Buffer.from('5d'.repeat(32), 'hex');

/** The name under which the pages of a version are kept. */
export const oldPagesOf = (version: number): string =>
  path.join(FOLDER, `${String(version).padStart(2, '0')}.sqlite.gz`);

/** The file of the first version as it lay on the disk, with the encryption of then. */
export const OLDEST_FILE = path.join(FOLDER, '01.db');

/** Puts the pages that a version left behind into `file`, encrypted as that version did. */
export function layOldData(version: number, file: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  const stamp = readFileSync(OLDEST_FILE).subarray(0, STAMP_BYTES).toString('hex');
  writeFileSync(file, gunzipSync(readFileSync(oldPagesOf(version))), { mode: 0o600 });
  const raw = new Sqlite(file);
  raw.pragma("cipher = 'chacha20'");
  raw.pragma(`rekey = 'raw:${OLD_KEY.toString('hex')}${stamp}'`);
  raw.pragma('journal_mode = WAL');
  raw.close();
}
