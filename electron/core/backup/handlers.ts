import type { BackupPlan, BackupState } from '../../../shared/contract/backup.ts';
import type { HandlersOf } from '../../../shared/contract/index.ts';
import { isBackupOverdue } from '../../../shared/rules/backup/due.ts';
import { saveBytes } from '../bytes/save.ts';
import type { StatementPrinter } from '../evidence/ports.ts';
import type { JobQueue } from '../job-queue.ts';
import type { Chance } from '../ports.ts';
import type { Services } from '../services/services.ts';
import { BACKUP_REACH_ID, confirmReach, isUnconfirmed } from '../unconfirmed.ts';
import { createConfirmationHandlers } from './confirming.ts';
import { newName } from './uncertain.ts';
import type { DeskMove } from './move.ts';
import { backupPage } from './page.ts';
import { recipientKeysOf } from './reaches.ts';
import type { RestoreHandlers } from './restore.ts';
import { type BackupPorts, type BackupWork, isBackupPaused, requireConfirmed } from './work.ts';

type Handlers = Omit<HandlersOf<'backup'>, keyof RestoreHandlers>;

export function createBackup(
  ports: BackupPorts & {
    readonly backupWork: BackupWork;
    readonly deskMove: DeskMove;
    readonly jobs: JobQueue;
    readonly chance: Chance;
    readonly printer: StatementPrinter;
    readonly services: Pick<Services, 'forget'>;
  },
): Handlers {
  const { stores, backupWork, deskMove, backupFiles, files, clock, chance, emit, jobs } = ports;
  const { backup } = stores;
  const check = async ({ folder, administrator }: BackupPlan): Promise<void> => {
    if (administrator !== null) await backupFiles.checkRecipient(administrator);
    await files.prepareFolder(folder, false);
  };
  const changed = (): BackupState => {
    emit('backup.changed', {});
    return stateOf(ports);
  };
  return {
    ...createConfirmationHandlers(ports),
    'backup.read': async () => stateOf(ports),
    'backup.newPhrase': async () => ({ phrase: await backupFiles.newPhrase() }),
    'backup.setUp': async ({ phrase, ...plan }) => {
      await check(plan);
      const { recipient, wrapped } = await backupFiles.makeKeys(phrase);
      const before = backup.read();
      const desk = before?.desk ?? newName(chance);
      const setUpAt = clock.now();
      backup.save({ desk, recipient, wrapped, plan, setUpAt, last: null, good: null });
      confirmReach(stores, BACKUP_REACH_ID);
      return changed();
    },
    'backup.savePlan': async (plan) => {
      await check(plan);
      backup.save({ ...backupWork.setUp(), plan });
      return changed();
    },
    'backup.switch': async ({ isOn }) => {
      const stored = backupWork.setUp();
      const plan = { ...stored.plan, isOn };
      const last = isOn && stored.last !== null ? { ...stored.last, inRow: 0 } : stored.last;
      backup.save({ ...stored, plan, last });
      if (isOn) confirmReach(stores, BACKUP_REACH_ID);
      return changed();
    },
    'backup.run': async ({ due }) => {
      backupWork.setUp();
      requireConfirmed(stores);
      const jobId = jobs.start('make-backup', (signal, report) =>
        backupWork.run(signal, report, due),
      );
      return { jobId };
    },
    'backup.move': async (order) => {
      await deskMove.check(order);
      const jobId = jobs.start('move-desk', (signal, report) =>
        deskMove.move(order, signal, report),
      );
      return { jobId };
    },
    'backup.wake': async ({ confirm }) => {
      await deskMove.wake(confirm);
      return stateOf(ports);
    },
    'backup.list': async () => [...(await backupWork.list())],
    'backup.page': async ({ file }) => {
      const stored = backupWork.setUp();
      const pdf = await ports.printer.print(backupPage(stored, clock.now()));
      await files.prepareFolder(files.folderOf(file));
      const saved = await saveBytes(files, file, pdf);
      return { file: saved.file, bytes: saved.bytes };
    },
  };
}

interface StatePorts extends Pick<BackupPorts, 'stores' | 'clock'> {
  readonly backupWork: BackupWork;
  readonly deskMove: DeskMove;
}

function stateOf({ stores, clock, backupWork, deskMove }: StatePorts): BackupState {
  const rest = deskMove.rest();
  const stored = stores.backup.read();
  const upgradeAt = backupWork.upgradeAt();
  if (stored === null) {
    const nothing = { plan: null, last: null, good: null, dueAt: null } as const;
    return { ...nothing, isPaused: false, restoredKeys: [], isOverdue: false, upgradeAt, rest };
  }
  const { plan, last, good, setUpAt } = stored;
  const since = good?.at ?? setUpAt;
  const isOverdue = plan.isOn && rest === null && isBackupOverdue(plan.when, since, clock.now());
  const isPaused = isBackupPaused(stores, stored);
  const dueAt = backupWork.dueAt();
  const restoredKeys = isUnconfirmed(stores, BACKUP_REACH_ID) ? recipientKeysOf(stored) : [];
  return { plan, last, good, dueAt, isPaused, restoredKeys, isOverdue, upgradeAt, rest };
}
