import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createBackupFiles } from '../adapters/backup/thread.ts';
import { patientDisk } from '../adapters/files/disk.ts';
import { publish, storageError, syncFolder } from '../adapters/files/durable.ts';
import { keepPrivate } from '../adapters/files/private-folder.ts';
import { keyOf, standsAlone, takenOut } from '../adapters/sqlite/backup/copies.ts';
import { createWriterLock } from '../adapters/sqlite/open/lock.ts';
import { openDatabase } from '../adapters/sqlite/open/open.ts';
import { createStores } from '../adapters/sqlite/stores.ts';
import { createEncoding } from '../adapters/system/encoding.ts';
import { dataKey } from '../adapters/vault/data-key.ts';
import type { VaultChoice } from '../adapters/vault/vault.ts';
import { createVault } from '../adapters/vault/vault.ts';
import { createWitness } from '../adapters/vault/witness.ts';
import type { RestorePlaces, RestoreTarget, TakenOut, Workplace } from '../core/restore-ports.ts';
import { createRestore } from '../core/backup/restore.ts';
import type { Origin } from '../core/evidence/ports.ts';
import type { Chance, Clock, Files } from '../core/ports.ts';
import { AppError } from '../../shared/errors.ts';
import { databaseFile } from './data.ts';

/** Within a data folder: what is made ready, and what a stopped restore left. */
const READY = 'restore.part';

interface RestoreSetup {
  /** The data folder of this program. */
  readonly dataDir: string;
  readonly stateDir: string | null;
  readonly vault: 'keychain' | { readonly keyfile: string };
}

interface RestoreShared {
  readonly clock: Clock;
  readonly chance: Chance;
  readonly files: Files;
  readonly origin: Origin;
}

/** Reads backups while no data is open, or beside it. */
export function composeRestore(setup: RestoreSetup, shared: RestoreShared) {
  return createRestore({
    ...shared,
    backupFiles: createBackupFiles(),
    places: restorePlaces(setup, shared.clock),
    sha256: (data) => createHash('sha256').update(data).digest('hex'),
    encoding: createEncoding(),
  });
}

/** Where copies are opened, and taken back. @internal */
export function restorePlaces(setup: RestoreSetup, clock: Pick<Clock, 'now'>): RestorePlaces {
  return {
    ...takenOut,
    open: (copy) => openCopy(copy, clock.now()),
    async workplace() {
      const folder = await mkdtemp(path.join(os.tmpdir(), 'signing-desk-'));
      return workplaceIn(folder);
    },
    async target(folder) {
      const chosen = path.resolve(folder ?? setup.dataDir);
      const target = targetOf(setup, chosen);
      await refuseData(target);
      return target;
    },
  };
}

function openCopy(copy: TakenOut, now: number): ReturnType<RestorePlaces['open']> {
  const database = openDatabase({ file: copy.file, key: keyOf(copy), now });
  return {
    stores: createStores(database),
    close() {
      database.close();
      // What was written lies in the file then: it is the file alone that gets its name.
      if (!standsAlone(copy)) throw new AppError('storage', 'The data could not be closed');
    },
  };
}

function workplaceIn(folder: string): Workplace {
  return {
    file: path.join(folder, 'desk.db'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

function targetOf({ stateDir, vault: by }: RestoreSetup, folder: string): RestoreTarget {
  const choice: VaultChoice =
    by === 'keychain'
      ? { store: 'keychain', dataDir: folder }
      : { store: 'keyfile', path: by.keyfile, dataDir: folder };
  const vault = createVault(choice);
  const database = databaseFile(folder);
  const lock = createWriterLock(path.join(folder, 'outbox.lock'));
  const target: RestoreTarget = {
    folder,
    vault,
    witness: (file) => createWitness({ stateDir, dataDir: folder, file }),
    async dataKey() {
      const key = await dataKey(vault, { databaseExists: existsSync(database) });
      return Buffer.from(key).toString('hex');
    },
    async prepare() {
      await makeFolder(folder);
      // Who sends from this folder, or restores into it, holds it; it is freed with its process.
      if (!lock.take()) throw inUse();
      const ready = path.join(folder, READY);
      await rm(ready, { recursive: true, force: true });
      await mkdir(ready, { mode: 0o700 });
      const place = workplaceIn(ready);
      return {
        file: place.file,
        async remove() {
          await place.remove();
          lock.free();
        },
      };
    },
    async adopt(file) {
      await refuseData(target);
      try {
        if (existsSync(database)) {
          await rename(file, database);
          await syncFolder(folder, patientDisk);
        } else await publish(file, database);
      } catch (error) {
        throw storageError(error, 'Naming the restored data');
      }
    },
  };
  return target;
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await keepPrivate(folder);
  } catch (error) {
    throw storageError(error, 'Making the data folder');
  }
}

/**
 * What a first start made, and nobody has written into, may be replaced; it is under the key that
 * the restored data gets. Throws 'conflict' with 'folder-has-data' for everything else.
 */
async function refuseData({ folder, dataKey: readKey }: RestoreTarget): Promise<void> {
  const file = databaseFile(folder);
  if (!existsSync(file)) {
    // The log of a data file that somebody moved away belongs to that file.
    if (await isFilled(`${file}-wal`)) throw hasData(folder);
    return;
  }
  const key = await readKey();
  if (!takenOut.isUntouched({ file, key })) throw hasData(folder);
  if (!standsAlone({ file, key })) throw inUse();
}

async function isFilled(file: string): Promise<boolean> {
  return stat(file).then(
    ({ size }) => size > 0,
    () => false,
  );
}

const hasData = (folder: string): AppError =>
  new AppError('conflict', `There is data in ${folder} already; restore into another folder`, {
    reason: 'folder-has-data',
  });

const inUse = (): AppError =>
  new AppError('storage', 'Another window or command uses this data folder now', {
    reason: 'data-in-use',
  });
