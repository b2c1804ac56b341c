import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
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

/** A folder for one test, the place of a data file in it, and a fresh key. */
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

/** An open, empty data file in a folder of its own. */
export function tempDatabase(): TempDatabase {
  const place = tempFolder();
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
