import { existsSync, readdirSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { createBackupFiles } from '../../../../electron/adapters/backup/thread.ts';
import { createFiles } from '../../../../electron/adapters/files/files.ts';
import {
  copiesOf,
  extractedDataOperations,
} from '../../../../electron/adapters/sqlite/backup/copies.ts';
import { createWriterLock } from '../../../../electron/adapters/sqlite/open/lock.ts';
import { openDatabase } from '../../../../electron/adapters/sqlite/open/open.ts';
import { createStores } from '../../../../electron/adapters/sqlite/stores.ts';
import { createEncoding } from '../../../../electron/adapters/system/encoding.ts';
import {
  originOf,
  systemChance,
  systemClock,
} from '../../../../electron/adapters/system/platform.ts';
import { dataKey } from '../../../../electron/adapters/vault/data-key.ts';
import { createVault } from '../../../../electron/adapters/vault/vault.ts';
import { createExternalState } from '../../../../electron/adapters/vault/external-state.ts';
import { databaseFile } from '../../../../electron/compose/data.ts';
import { createRestorePlaces } from '../../../../electron/compose/restore.ts';
import { makeWorkplace } from '../../../../electron/compose/workplace.ts';
import type { RestorePlaces } from '../../../../electron/core/restore-ports.ts';
import { DeskMove } from '../../../../electron/core/backup/move.ts';
import { createRestore } from '../../../../electron/core/backup/restore.ts';
import { BackupWork } from '../../../../electron/core/backup/work.ts';
import { EvidenceLog } from '../../../../electron/core/evidence/log.ts';
import { createOutboxTransitions } from '../../../../electron/core/outbox/transitions.ts';
import { createHash } from 'node:crypto';
import { ReadingId } from '../../../../shared/contract/backup.ts';
import { AppError } from '../../../../shared/errors.ts';

/*
 * Makes or restores a backup, recovers a damaged file, moves a computer or reactivates one, and
 * ends as in a power cut before or after the named step. Each call of a port is two steps.
 * Without a kill it reports the number of steps.
 */

export interface KillOrder {
  readonly what: 'backup' | 'restore' | 'recover' | 'move' | 'wake';
  readonly data: string;
  readonly keyfile: string;
  /** Number of the step at which the process ends; null if it is not killed. */
  readonly killAt: number | null;
  /** Call in which the process ends instead, once the call's file begins to grow. */
  readonly killIn?: 'pack' | 'unpack';
  readonly file?: string;
  /** True if the existing data is damaged and is replaced by the restored data. */
  readonly isReplaced?: true;
  /** Folder for the backup of a move. */
  readonly to?: string;
  readonly phrase?: string;
}

const never = new AbortController().signal;
const order = JSON.parse(process.argv[2] ?? '') as KillOrder;
let steps = 0;

function end(): never {
  process.kill(process.pid, 'SIGKILL');
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
}

function step(): void {
  steps += 1;
  if (steps === order.killAt) end();
}

/** Returns the port with a step at the beginning and at the end of each call. */
function stepped<Port extends object>(port: Port): Port {
  return new Proxy(port, {
    get(of, name) {
      const value: unknown = Reflect.get(of, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        step();
        const result: unknown = Reflect.apply(value, of, args);
        if (!(result instanceof Promise)) {
          step();
          return result;
        }
        return result.then((given: unknown) => {
          step();
          return given;
        });
      };
    },
  });
}

/** Ends the process once a new file in this folder has content. */
function endWhenGrowing(folder: string, pattern: RegExp): void {
  const look = (): void => {
    const names = existsSync(folder)
      ? readdirSync(folder).filter((name) => pattern.test(name))
      : [];
    if (names.some((name) => statSync(path.join(folder, name)).size > 0)) end();
    setImmediate(look);
  };
  look();
}

/** Opens a desk whose ports have a step at the beginning and at the end of each call. */
async function openDesk() {
  const { data, keyfile } = order;
  const vault = createVault({ store: 'keyfile', path: keyfile, dataDir: data });
  const file = databaseFile(data);
  const key = await dataKey(vault, { databaseExists: true });
  const real = createStores(openDatabase({ file, key, now: Date.now() }));
  const plan = real.backup.read()?.plan;
  if (plan === undefined) throw new Error('Backups are not set up');
  if (order.killIn === 'pack') endWhenGrowing(order.to ?? plan.folder, /\.part$/u);
  const stores = {
    ...real,
    backup: stepped(real.backup),
    evidence: stepped(real.evidence),
    reminders: { ...real.reminders, rules: stepped(real.reminders.rules) },
  };
  const files = stepped(createFiles());
  const backupFiles = stepped(createBackupFiles());
  const backupWork = new BackupWork({
    stores,
    vault,
    files,
    dataCopies: stepped(copiesOf({ file, key })),
    backupFiles,
    backupLock: createWriterLock(path.join(data, 'backup.lock')),
    origin: originOf('0'),
    version: '1.0.0',
    clock: systemClock,
    emit: () => undefined,
    toFailure: (error) => {
      throw error;
    },
  });
  return { stores, vault, file, files, backupFiles, backupWork };
}

async function backup(): Promise<void> {
  const { backupWork } = await openDesk();
  await backupWork.run(never, () => undefined);
}

/** Opens the move of a desk without requests in flight, whose data no other process uses. */
async function openMove() {
  const { stores, vault, file, files, backupFiles, backupWork } = await openDesk();
  const evidenceLog = new EvidenceLog({
    evidence: stores.evidence,
    vault: stepped(vault),
    externalState: stepped(
      createExternalState({ stateDir: `${order.data}.state`, dataDir: order.data, file }),
    ),
    origin: originOf('0'),
    clock: systemClock,
    sha256: (bytes) => createHash('sha256').update(bytes).digest('hex'),
    encoding: createEncoding(),
    emit: () => undefined,
  });
  const emit = (): void => undefined;
  return new DeskMove({
    stores,
    files,
    backupFiles,
    backupPlaces: stepped({ inspect: extractedDataOperations.inspect, workplace: makeWorkplace }),
    backupWork,
    worker: { alone: (work) => work(), quiet: async () => undefined, wake: () => undefined },
    actionRunner: { quiet: async () => undefined },
    transitions: stepped(createOutboxTransitions({ stores, clock: systemClock, emit })),
    evidenceLog,
    anchors: { keep: () => evidenceLog.note() },
    jobs: { running: () => [] },
    clock: systemClock,
    emit,
  });
}

async function move(): Promise<void> {
  const deskMove = await openMove();
  const { to = '', phrase = '' } = order;
  const asked = { folder: to, withCredentials: true, secret: phrase };
  await deskMove.check(asked);
  await deskMove.move(asked, never, () => undefined);
}

async function wake(): Promise<void> {
  const deskMove = await openMove();
  await deskMove.wake(deskMove.rest()?.waiting ?? -1);
}

function openRestore() {
  const { data, keyfile } = order;
  const setup = {
    dataDir: data,
    stateDir: `${data}.state`,
    vault: { keyfile },
    interactive: false,
  };
  const real = createRestorePlaces(setup, systemClock);
  const places: RestorePlaces = {
    ...stepped(real),
    inspect: stepped(real).inspect,
    changeKey: stepped(real).changeKey,
    open: stepped(real).open,
    workplace: stepped(real).workplace,
    async target(folder, isReplaced) {
      const target = await real.target(folder, isReplaced);
      const prepare = async () => stepped(await stepped(target).prepare());
      const externalState = (of: string) => stepped(target.externalState(of));
      return new Proxy(stepped(target), {
        get(of, name) {
          if (name === 'prepare') return prepare;
          if (name === 'witness') return externalState;
          if (name === 'vault') return stepped(target.vault);
          const value: unknown = Reflect.get(of, name);
          return value;
        },
      });
    },
  };
  if (order.killIn === 'unpack') endWhenGrowing(path.join(data, 'restore.part'), /^desk\.db$/u);
  return createRestore({
    backupFiles: stepped(createBackupFiles()),
    places,
    files: createFiles(),
    origin: originOf('0'),
    clock: systemClock,
    chance: systemChance,
    sha256: (bytes) => createHash('sha256').update(bytes).digest('hex'),
    encoding: createEncoding(),
    own: {
      room: async () => ({ folder: '', takes: order.isReplaced === true ? 'damaged' : 'yes' }),
      whileClosed: (work) => work(),
      renewed: (work) => work(),
    },
    emit: () => undefined,
  }).handlers;
}

const reading = ReadingId.parse(systemChance.uuid());

async function restore(): Promise<void> {
  const { file = '', phrase = '' } = order;
  await openRestore()['backup.restore']({ reading, file, secret: phrase, folder: null });
}

async function recover(): Promise<void> {
  await openRestore()['backup.recover']({ reading, copy: null, folder: null });
}

try {
  await { backup, restore, recover, move, wake }[order.what]();
  writeSync(1, JSON.stringify({ steps }));
  process.exit(0);
} catch (error) {
  const told = error instanceof AppError ? JSON.stringify(error.failure) : String(error);
  writeSync(2, `${told}\n${error instanceof Error ? (error.stack ?? '') : ''}`);
  process.exit(1);
}
