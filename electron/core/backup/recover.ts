import type { RecoveryResult, RescueReport } from '../../../shared/contract/backup.ts';
import { AppError } from '../../../shared/errors.ts';
import { EvidenceLog } from '../evidence/log.ts';
import { secretName } from '../services/services.ts';
import type {
  DamagedFile,
  RestoreTarget,
  SalvageReport,
  ExtractedDataFile,
} from '../restore-ports.ts';
import { markUnknownAfterRestore } from './uncertain.ts';
import type { BackupReadContext } from './readings.ts';
import type { RestorePorts } from './restoring.ts';

/** Reports which parts of a damaged data file can be recovered; keeps no files. */
export async function examineDamagedData(
  { places, clock }: Pick<RestorePorts, 'places' | 'clock'>,
  copy: string | null,
  turn: BackupReadContext,
): Promise<RescueReport> {
  const damaged = await places.damaged(copy, false);
  try {
    const place = await places.workplace();
    try {
      return (await salvageInto({ places, clock }, damaged, place.file, turn)).report;
    } finally {
      await place.remove();
    }
  } finally {
    damaged.free();
  }
}

/**
 * Recovers the readable data into a new file. The new data is treated like data from a backup,
 * because it may lack recent sends. The damaged file is only read; if it is replaced, it is moved
 * unchanged.
 */
export async function recoverDamagedData(
  ports: RestorePorts,
  { copy, folder }: { readonly copy: string | null; readonly folder: string | null },
  turn: BackupReadContext,
): Promise<RecoveryResult> {
  const { places } = ports;
  const isReplaced = folder === null;
  const target = await places.target(folder, isReplaced);
  const place = await target.prepare();
  try {
    const damaged = await places.damaged(copy, isReplaced);
    try {
      const { report, unread } = await salvageInto(ports, damaged, place.file, turn);
      if (report.isIntact && copy === null) {
        throw new AppError('conflict', 'The data file is intact: there is nothing to recover', {
          reason: 'data-intact',
        });
      }
      turn.report({ step: 'preparing', done: 0, total: null });
      const found = await markRecoveredUncertain(ports, {
        damaged,
        target,
        file: place.file,
        unread,
      });
      turn.signal.throwIfAborted();
      const setAside = isReplaced ? await target.replace(place.file) : null;
      if (!isReplaced) await target.adopt(place.file);
      const { doubtful, pausedRules, missingEvidence } = found;
      return { folder: target.folder, report, doubtful, pausedRules, missingEvidence, setAside };
    } finally {
      damaged.free();
    }
  } finally {
    await place.remove();
  }
}

/** Writes the readable data to `into`, with the key of the damaged file. */
async function salvageInto(
  { places, clock }: Pick<RestorePorts, 'places' | 'clock'>,
  damaged: DamagedFile,
  into: string,
  { signal, report: tell }: BackupReadContext,
): Promise<{ readonly report: RescueReport; readonly unread: SalvageReport['unread'] }> {
  const { file, key } = damaged;
  const { unread, ...found } = await places.salvage(
    { file, key, into, now: clock.now() },
    (done, total) => tell({ step: 'salvaging', done, total }),
    signal,
  );
  tell({ step: 'proving', done: 0, total: null });
  const { counts } = await places.inspect({ file: into, key }, signal);
  const isIntact = isClean(found) && (await places.isWhole(damaged, signal));
  return { unread, report: { ...found, counts, isIntact } };
}

const isClean = ({ pages, logBytes, lost, unplaced }: Omit<SalvageReport, 'unread'>): boolean =>
  pages.unreadable + logBytes + lost.length + unplaced === 0;

interface RecoveredData {
  readonly damaged: DamagedFile;
  readonly target: RestoreTarget;
  readonly file: string;
  readonly unread: SalvageReport['unread'];
}

async function markRecoveredUncertain(
  ports: RestorePorts,
  { damaged, target, file, unread }: RecoveredData,
) {
  const { places, clock, chance } = ports;
  const { vault } = target;
  const key = await target.dataKey();
  const copy: ExtractedDataFile = { file, key: damaged.key };
  if (key !== damaged.key) await places.changeKey(copy, key);
  const { stores, close } = places.open({ file, key });
  try {
    const externalState = target.externalState(file);
    const log = new EvidenceLog({
      ...ports,
      evidence: stores.evidence,
      vault,
      externalState,
      emit: () => undefined,
    });
    const missingEvidence = await log.restored(damaged.writtenAt, unread);
    const doubts = await markUnknownAfterRestore({ stores, vault, externalState, clock, chance });
    if (vault !== damaged.vault) await takeCredentials(stores.connections.list(), damaged, target);
    return { ...doubts, missingEvidence };
  } finally {
    close();
  }
}

/**
 * Copies the credentials of the connections to the target: they belong to the same user on the same
 * computer.
 */
async function takeCredentials(
  connections: readonly { readonly id: Parameters<typeof secretName>[0] }[],
  { vault: from }: DamagedFile,
  { vault: to }: RestoreTarget,
): Promise<void> {
  for (const { id } of connections) {
    const secret = await from.read(secretName(id));
    if (secret !== null) await to.write(secretName(id), secret);
  }
}
