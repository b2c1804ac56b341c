import type { Emit } from '../../../shared/contract/index.ts';
import type { Origin } from '../evidence/ports.ts';
import type { Chance, Clock, Encoding, Files, Sha256 } from '../ports.ts';
import type { OwnDataAccess, RestorePlaces } from '../restore-ports.ts';
import type { BackupFiles } from './ports.ts';

/** Ports for checking, inspecting and restoring backups, and for recovering damaged data. */
export interface RestorePorts {
  readonly backupFiles: BackupFiles;
  readonly places: RestorePlaces;
  readonly own: OwnDataAccess;
  readonly files: Files;
  readonly origin: Origin;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly sha256: Sha256;
  readonly encoding: Encoding;
  readonly emit: Emit;
}
