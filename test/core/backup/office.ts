import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createBackupFiles } from '../../../electron/adapters/backup/thread.ts';
import { createFiles } from '../../../electron/adapters/files/files.ts';
import { copiesOf } from '../../../electron/adapters/sqlite/backup/copies.ts';
import { createWriterLock } from '../../../electron/adapters/sqlite/open/lock.ts';
import type { BackupFiles, PackParameters } from '../../../electron/core/backup/ports.ts';
import { BackupWork } from '../../../electron/core/backup/work.ts';
import type { BackupPlan } from '../../../shared/contract/backup.ts';
import { AppError } from '../../../shared/errors.ts';
import { newConnection, newDraft } from '../../adapters/sqlite/samples.ts';
import { tempDatabase } from '../../adapters/sqlite/temp-database.ts';
import { createHandClock, createMemoryVault } from '../../support/fakes/memory-ports.ts';
import { LITTLE_PHRASE_WORK } from '../../support/phrase-work.ts';

export const never = new AbortController().signal;

/** A desk with a draft whose backups are written to a folder; only time is simulated. */
export async function createOffice(
  change: Partial<BackupPlan> = {},
  forge: (order: PackParameters) => PackParameters = (order) => order,
) {
  const place = tempDatabase();
  const folder = path.join(place.folder, 'backups');
  mkdirSync(folder);
  const clock = createHandClock();
  const backupFiles = createBackupFiles(LITTLE_PHRASE_WORK);
  const phrase = await backupFiles.newPhrase();
  const { recipient, wrapped } = await backupFiles.makeKeys(phrase);
  const plan: BackupPlan = {
    folder,
    when: { kind: 'daily', at: '02:30' },
    keep: 3,
    isOn: true,
    withCredentials: false,
    administrator: null,
    ...change,
  };
  const { stores } = place;
  stores.drafts.insert(newDraft());
  const connection = newConnection();
  stores.connections.save(connection);
  const set = { desk: '1f2e3d4c', recipient, wrapped, plan, setUpAt: clock.now() };
  stores.backup.save({ ...set, last: null, good: null });
  const vault = createMemoryVault();
  const ports = {
    stores,
    vault,
    files: createFiles(),
    dataCopies: copiesOf(place),
    backupFiles: {
      ...backupFiles,
      pack: (order, ...rest) => backupFiles.pack(forge(order), ...rest),
    } satisfies BackupFiles,
    backupLock: createWriterLock(path.join(place.folder, 'backup.lock')),
    origin: { user: 'maria', computer: 'office', program: 'Signing Desk' },
    version: '1.0.0',
    clock,
    emit: () => undefined,
    toFailure: (error: unknown) =>
      error instanceof AppError
        ? error.failure
        : { code: 'unexpected' as const, message: String(error) },
  };
  const work = new BackupWork(ports);
  return {
    place,
    folder,
    clock,
    phrase,
    connection,
    ports,
    work,
    run: () => work.run(never, () => undefined).then(({ result }) => result),
    /** Files in the backup folder, by name. */
    there: () =>
      new Map(readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name))])),
    open: (name: string, into: string) =>
      backupFiles.unpack(
        { file: path.join(folder, name), secret: phrase, into: path.join(place.folder, into) },
        () => undefined,
        never,
      ),
    [Symbol.dispose]: () => place[Symbol.dispose](),
  };
}
