import type { AgreementKey } from '../../../shared/model/ids.ts';
import { AppError } from '../../../shared/errors.ts';
import { findIntactCopy } from './copies.ts';
import { isKnown, type FreshCopyPorts, readFreshAgreement } from '../services/fresh-copy.ts';
import type { ArchivePorts } from './runner.ts';
import type { ArchiveWork } from './work.ts';

/**
 * One download at a time: a deleted agreement cannot be fetched again, so speed does not matter.
 */
const PARALLEL_DOWNLOADS_BEFORE_REMOVAL = 1;

export interface ArchiveFirstPorts extends FreshCopyPorts {
  readonly stores: FreshCopyPorts['stores'] & ArchivePorts['stores'];
  readonly files: ArchivePorts['files'];
  readonly archiveWork: Pick<ArchiveWork, 'runUnlessBusy'>;
}

/**
 * Saves a concluded agreement into the archive folder unless it is already in it. Throws the reason
 * if the agreement cannot be saved, 'conflict' with 'not-archived' if no intact file of it is
 * recorded afterwards, or the reason of `signal` if the user stopped the job: then the agreement
 * must not be deleted.
 */
export async function archiveBeforeRemoval(
  ports: ArchiveFirstPorts,
  key: AgreementKey,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  const { agreements } = ports.stores;
  if (!isKnown(agreements, key)) await readFreshAgreement(ports, key, signal);
  if (!isKnown(agreements, key) || agreements.details(key).state !== 'signed') return;
  const run = { folder, only: [key], parallel: PARALLEL_DOWNLOADS_BEFORE_REMOVAL };
  const { result, failure } = await ports.archiveWork.runUnlessBusy(run, signal);
  signal.throwIfAborted();
  const reason = failure ?? result.failed[0]?.failure ?? null;
  if (reason !== null) throw AppError.from(reason);
  // The counts of a run include files of other agreements, which an ended program had left.
  const copy = await findIntactCopy(ports, key);
  if (copy?.isIntact === true) return;
  const message = 'The agreement could not be archived first, so it was not deleted';
  throw new AppError('conflict', message, { reason: 'not-archived' });
}

/**
 * Throws 'conflict' with 'file-missing' if the signed PDF was archived, but its file is gone or was
 * changed since, in each archive folder: then the service may have the last copy.
 */
export async function assertArchivedCopyIntact(
  ports: Pick<ArchivePorts, 'stores' | 'files' | 'clock'>,
  key: AgreementKey,
): Promise<void> {
  const copy = await findIntactCopy(ports, key);
  if (copy === null || copy.isIntact) return;
  const message = `The archived PDF ${copy.file} is missing or was changed, so the agreement was not deleted. Fetch it again in the archive first`;
  throw new AppError('conflict', message, { reason: 'file-missing' });
}
