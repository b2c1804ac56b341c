import type { BackupFiles, DataCopies } from '../../../electron/core/backup/ports.ts';
import type { ProofPorts, RestoreHandlers } from '../../../electron/core/backup/restore.ts';

function none(): never {
  throw new Error('No backup is made or read here');
}

/** Backup files for a program with data in memory, which has no file to copy. */
export const noBackupFiles: BackupFiles = {
  newPhrase: async () => none(),
  makeKeys: async () => none(),
  checkSecret: async () => none(),
  checkRecipient: async () => none(),
  pack: async () => none(),
  unpack: async () => none(),
};

export const noDataCopies: DataCopies = {
  key: '',
  copy: '',
  take: async () => none(),
  drop: async () => undefined,
  beforeUpgrades: () => [],
  inspect: async () => none(),
};

export const noBackupPlaces: ProofPorts['places'] = {
  inspect: async () => none(),
  workplace: async () => none(),
};

export const noRestore: RestoreHandlers = {
  'backup.find': async () => none(),
  'backup.room': async () => none(),
  'backup.restoreLook': async () => none(),
  'backup.copies': async () => none(),
  'backup.examine': async () => none(),
  'backup.recover': async () => none(),
  'backup.stopReading': async () => none(),
  'backup.check': async () => none(),
  'backup.look': async () => none(),
  'backup.saveFile': async () => none(),
  'backup.saveEvidence': async () => none(),
  'backup.endLook': async () => none(),
  'backup.restore': async () => none(),
};
