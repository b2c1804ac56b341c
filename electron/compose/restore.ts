import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { createBackupFiles } from '../adapters/backup/thread.ts';
import { retryingDisk } from '../adapters/files/disk.ts';
import { publishDraft, storageError, syncFolder } from '../adapters/files/durable.ts';
import { makeFolderPrivate } from '../adapters/files/private-folder.ts';
import { setAside } from '../adapters/files/set-aside.ts';
import { keyOf, isSingleFile, extractedDataOperations } from '../adapters/sqlite/backup/copies.ts';
import { createWriterLock } from '../adapters/sqlite/open/lock.ts';
import { openDatabase } from '../adapters/sqlite/open/open.ts';
import { upgradeCopies } from '../adapters/sqlite/open/upgrade-copies.ts';
import { salvageInThread } from '../adapters/sqlite/rescue/thread.ts';
import { createStores } from '../adapters/sqlite/stores.ts';
import { createEncoding } from '../adapters/system/encoding.ts';
import { dataKey } from '../adapters/vault/data-key.ts';
import { createVault } from '../adapters/vault/vault.ts';
import { createExternalState } from '../adapters/vault/external-state.ts';
import type {
  DamagedFile,
  RestorePlaces,
  RestoreTarget,
  ExtractedDataFile,
} from '../core/restore-ports.ts';
import { createRestore } from '../core/backup/restore.ts';
import type { Origin } from '../core/evidence/ports.ts';
import type { Emit } from '../../shared/contract/index.ts';
import type { RestoreTargetFolder } from '../../shared/contract/backup.ts';
import type { AccessGate } from '../core/access.ts';
import type { Chance, Clock, Files, Vault } from '../core/ports.ts';
import { AppError, type ErrorReason, isReason } from '../../shared/errors.ts';
import { enterExclusively, dataInUseError, presenceIn } from './aside.ts';
import { setAsideName, databaseFile, dataFiles } from './data.ts';
import { makeWorkplace, workplaceIn } from './workplace.ts';
import type { DataOpener } from './data-opener.ts';

/** Subfolder of a data folder for prepared data, which an interrupted restore leaves behind. */
const PREPARED_FOLDER = 'restore.part';
/** Lock of the process that sends from a data folder, or restores into it. */
const SEND_LOCK_FILE = 'outbox.lock';

interface RestoreSetup {
  readonly dataDir: string;
  readonly stateDir: string | null;
  readonly vault: 'keychain' | { readonly keyfile: string };
  readonly interactive: boolean;
}

interface RestoreShared {
  readonly clock: Clock;
  readonly chance: Chance;
  readonly files: Files;
  readonly origin: Origin;
  readonly emit: Emit;
}

/** Restores backups while no data is open, or next to the open data. */
export function composeRestore(
  setup: RestoreSetup,
  {
    door,
    gate,
    ...shared
  }: RestoreShared & { readonly door: DataOpener; readonly gate: AccessGate },
) {
  return createRestore({
    ...shared,
    backupFiles: createBackupFiles(),
    places: createRestorePlaces(setup, shared.clock, () => door.ownVault()),
    own: {
      async room() {
        const { problem } = await gate.handlers['access.read']({});
        const takes = await readRestoreRoom(
          setup.dataDir,
          door,
          DAMAGED_REASONS.includes(problem?.reason),
        );
        return { folder: setup.dataDir, takes };
      },
      whileClosed: (work) => gate.whileClosed(work),
      renewed: (work) => gate.whileClosed(work, setup.interactive),
    },
    sha256: (data) => createHash('sha256').update(data).digest('hex'),
    encoding: createEncoding(),
  });
}

/**
 * Reasons for which the program cannot open existing data; a restore sets that data aside instead
 * of overwriting it.
 */
const DAMAGED_REASONS: readonly (ErrorReason | undefined)[] = ['data-damaged', 'data-foreign'];

async function readRestoreRoom(
  folder: string,
  door: DataOpener,
  isDamaged: boolean,
): Promise<RestoreTargetFolder['takes']> {
  if (door.profile === 'demo') return 'demo';
  const vault = door.ownVault();
  if (!door.hasData('own')) return (await vault.status()) === 'ready' ? 'yes' : 'locked';
  if (door.opened === null) return isDamaged ? 'damaged' : 'locked';
  const key = Buffer.from(await dataKey(vault, { databaseExists: true })).toString('hex');
  return extractedDataOperations.isUntouched({ file: databaseFile(folder), key })
    ? 'yes'
    : 'has-data';
}

/**
 * Folders in which copies are opened and restored. `ownVault` is the credential store of the
 * program's own data folder. @internal
 */
export function createRestorePlaces(
  setup: RestoreSetup,
  clock: Pick<Clock, 'now'>,
  ownVault: (() => Vault) | null = null,
): RestorePlaces {
  const database = databaseFile(setup.dataDir);
  const own = ownVault ?? (() => vaultOf(setup, setup.dataDir));
  return {
    ...extractedDataOperations,
    open: (copy) => openCopy(copy, clock.now()),
    workplace: makeWorkplace,
    async target(folder, isReplaced = false) {
      const chosen = path.resolve(folder ?? setup.dataDir);
      const vault = folder === null ? own() : vaultOf(setup, chosen);
      const target = restoreTargetOf(setup, chosen, vault, clock);
      if (!isReplaced) await assertNoData(target);
      return target;
    },
    copies: () =>
      upgradeCopies(database).map(({ file, takenAt }) => ({ name: path.basename(file), takenAt })),
    damaged: (copy, isHeld) => damagedFile(setup.dataDir, own(), { copy, isHeld }),
    isWhole: ({ file, key }, signal) => isUndamaged({ file, key }, signal),
    salvage: salvageInThread,
  };
}

function openCopy(copy: ExtractedDataFile, now: number): ReturnType<RestorePlaces['open']> {
  const database = openDatabase({ file: copy.file, key: keyOf(copy), now });
  return {
    stores: createStores(database),
    close() {
      database.close();
      // All changes must be in the file itself: only that file is renamed.
      if (!isSingleFile(copy))
        throw new AppError(
          'storage',
          'The restored data could not be written completely. Try again',
        );
    },
  };
}

/**
 * Returns the damaged data file, or its named copy, and prevents other processes from opening the
 * data. With `isHeld`, the caller already has exclusive use.
 */
async function damagedFile(
  folder: string,
  vault: Vault,
  { copy, isHeld }: { readonly copy: string | null; readonly isHeld: boolean },
): Promise<DamagedFile> {
  const presence = presenceIn(folder);
  if (!isHeld) await enterExclusively(presence, folder);
  const free = (): void => presence.leave();
  try {
    const database = databaseFile(folder);
    const named = upgradeCopies(database).find(({ file }) => path.basename(file) === copy)?.file;
    const file = copy === null ? database : named;
    const parts = file === undefined ? [] : [file, `${file}-wal`].filter((one) => existsSync(one));
    if (file === undefined || parts.length === 0) {
      throw new AppError('not-found', 'The data file does not exist');
    }
    const key = Buffer.from(await dataKey(vault, { databaseExists: true })).toString('hex');
    const times = await Promise.all(parts.map((part) => stat(part)));
    const writtenAt = Math.round(Math.max(...times.map(({ mtimeMs }) => mtimeMs)));
    return { file, key, writtenAt, vault, free };
  } catch (error) {
    free();
    throw storageError(error, 'Reading the data file');
  }
}

/**
 * Whether the data file is undamaged. SQLite checks a copy, because opening a file with a log also
 * writes to it.
 */
async function isUndamaged(
  { file, key }: ExtractedDataFile,
  signal: AbortSignal,
): Promise<boolean> {
  if (!existsSync(file)) return false;
  const { file: copy, remove } = await makeWorkplace();
  try {
    await copyFile(file, copy);
    if (existsSync(`${file}-wal`)) await copyFile(`${file}-wal`, `${copy}-wal`);
    await extractedDataOperations.inspect({ file: copy, key }, signal);
    return true;
  } catch (error) {
    if (isReason(error, 'data-damaged')) return false;
    throw error;
  } finally {
    await remove();
  }
}

function vaultOf({ vault }: RestoreSetup, dataDir: string): Vault {
  return createVault(
    vault === 'keychain'
      ? { store: 'keychain', dataDir }
      : { store: 'keyfile', path: vault.keyfile, dataDir },
  );
}

function restoreTargetOf(
  { stateDir }: RestoreSetup,
  folder: string,
  vault: Vault,
  clock: Pick<Clock, 'now'>,
): RestoreTarget {
  const database = databaseFile(folder);
  const lock = createWriterLock(path.join(folder, SEND_LOCK_FILE));
  const presence = presenceIn(folder);
  const leave = (): void => {
    presence.leave();
    lock.free();
  };
  const target: RestoreTarget = {
    folder,
    vault,
    externalState: (file) => createExternalState({ stateDir, dataDir: folder, file }),
    async dataKey() {
      const key = await dataKey(vault, { databaseExists: existsSync(database) });
      return Buffer.from(key).toString('hex');
    },
    async prepare() {
      await makeFolder(folder);
      // The lock is held by the process that sends from this folder or restores into it; it is
      // released when that process ends.
      if (!lock.take()) throw dataInUseError();
      try {
        // If an earlier process was killed while it set data aside, that continues with the data
        // that it had prepared.
        await enterExclusively(presence, folder);
        const ready = path.join(folder, PREPARED_FOLDER);
        await rm(ready, { recursive: true, force: true });
        await mkdir(ready, { mode: 0o700 });
        const place = workplaceIn(ready);
        return {
          file: place.file,
          async remove() {
            await place.remove();
            leave();
          },
        };
      } catch (error) {
        leave();
        throw error;
      }
    },
    async updates() {
      if (!existsSync(database)) return null;
      const key = await target.dataKey();
      const { stores, close } = openCopy({ file: database, key }, clock.now());
      try {
        return stores.updates.read();
      } finally {
        close();
      }
    },
    async replace(file) {
      const to = setAsideName(clock.now());
      await setAside(folder, { to, names: dataFiles, next: path.relative(folder, file) });
      return path.join(folder, to);
    },
    async adopt(file) {
      await assertNoData(target);
      try {
        if (existsSync(database)) {
          await rename(file, database);
          await syncFolder(folder, retryingDisk);
        } else await publishDraft(file, database);
      } catch (error) {
        throw storageError(error, 'Renaming the restored data');
      }
    },
  };
  return target;
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await makeFolderPrivate(folder);
  } catch (error) {
    throw storageError(error, 'Creating the data folder');
  }
}

/**
 * Throws 'conflict' with 'folder-has-data', unless the folder has no data or only the empty data of
 * a first start, which may be replaced. That data has the same key as the restored data.
 */
async function assertNoData({ folder, dataKey: readKey }: RestoreTarget): Promise<void> {
  const file = databaseFile(folder);
  if (!existsSync(file)) {
    // The log of a data file that was moved away belongs to that file.
    if (await isFilled(`${file}-wal`)) throw folderHasDataError(folder);
    return;
  }
  const key = await readKey();
  if (!extractedDataOperations.isUntouched({ file, key })) throw folderHasDataError(folder);
  if (!isSingleFile({ file, key })) throw dataInUseError();
}

async function isFilled(file: string): Promise<boolean> {
  return stat(file).then(
    ({ size }) => size > 0,
    () => false,
  );
}

const folderHasDataError = (folder: string): AppError =>
  new AppError(
    'conflict',
    `The folder ${folder} already contains data. Restore into another folder`,
    { reason: 'folder-has-data' },
  );
