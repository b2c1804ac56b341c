import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import Sqlite from 'better-sqlite3';

const FOLDER = path.join(import.meta.dirname, '..', 'fixtures', 'old-data');

/**
 * Number of bytes of the header, which replaces a salt and by which the program recognises the key.
 */
const STAMP_BYTES = 16;

/** Key of every stored data file. */
export const OLD_KEY = Buffer.from('5d'.repeat(32), 'hex');

/** File name of the stored pages of a version. */
export const oldPagesOf = (version: number): string =>
  path.join(FOLDER, `${String(version).padStart(2, '0')}.sqlite.gz`);

/** The file of the first version with its original encryption. */
export const OLDEST_FILE = path.join(FOLDER, '01.db');

/** Writes the stored pages of a version into `file`, encrypted as in that version. */
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
