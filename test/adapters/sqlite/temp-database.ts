import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Database } from '../../../electron/adapters/sqlite/database/database.ts';
import { openDatabase } from '../../../electron/adapters/sqlite/open/open.ts';
import { createStores } from '../../../electron/adapters/sqlite/stores.ts';
import type { Stores } from '../../../electron/core/ports.ts';

export const NOW = Date.UTC(2026, 10, 21, 12);

export interface TempDatabase extends Disposable {
  readonly folder: string;
  readonly file: string;
  readonly key: Uint8Array;
  readonly database: Database;
  readonly stores: Stores;
}

export interface TempFolder extends Disposable {
  readonly folder: string;
  readonly file: string;
  readonly key: Uint8Array;
}

/** Returns a folder for one test, the path of a data file in it, and a new key. */
export function tempFolder(): TempFolder {
  const folder = mkdtempSync(path.join(tmpdir(), 'desk-sqlite-'));
  return {
    folder,
    file: path.join(folder, 'data', 'desk.db'),
    key: randomBytes(32),
    [Symbol.dispose]: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

let empty: { readonly key: Uint8Array; readonly bytes: Uint8Array } | undefined;

/** Returns an empty data file. It is created only once, because all migrations take long. */
function emptyFile() {
  if (empty !== undefined) return empty;
  using place = tempFolder();
  openDatabase({ ...place, now: NOW }).close();
  empty = { key: place.key, bytes: readFileSync(place.file) };
  return empty;
}

/** Opens an empty data file in its own folder; all files of a process have the same key. */
export function tempDatabase(): TempDatabase {
  const { key, bytes } = emptyFile();
  const place = { ...tempFolder(), key };
  mkdirSync(path.dirname(place.file), { mode: 0o700 });
  writeFileSync(place.file, bytes, { mode: 0o600 });
  const database = openDatabase({ ...place, now: NOW });
  return {
    ...place,
    database,
    stores: createStores(database),
    [Symbol.dispose]: () => {
      database.close();
      place[Symbol.dispose]();
    },
  };
}
