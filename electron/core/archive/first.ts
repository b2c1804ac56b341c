import type { AgreementKey } from '../../../shared/model/ids.ts';
import { AppError } from '../../../shared/errors.ts';
import { findIntactCopy } from './copies.ts';
import { isKnown, type FreshCopyPorts, readFreshAgreement } from '../services/fresh-copy.ts';
import { type ArchivePorts, ArchiveRunner } from './runner.ts';

/**
 * One download at a time: a deleted agreement cannot be fetched again, so speed does not matter.
 */
const PARALLEL_DOWNLOADS_BEFORE_REMOVAL = 1;

/**
 * Saves a concluded agreement into the archive folder unless it is already in it. Throws the reason
 * if the agreement cannot be saved, or 'conflict' with 'not-archived' if the run skipped it: then
 * the agreement must not be deleted.
 */
export async function archiveBeforeRemoval(
  ports: ArchivePorts & FreshCopyPorts,
  key: AgreementKey,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  const { agreements } = ports.stores;
  if (!isKnown(agreements, key)) await readFreshAgreement(ports, key, signal);
  if (!isKnown(agreements, key) || agreements.details(key).state !== 'signed') return;
  const run = { folder, only: [key], parallel: PARALLEL_DOWNLOADS_BEFORE_REMOVAL };
  const runner = new ArchiveRunner(ports, run);
  await runner.open();
  const { result, failure } = await runner.run(signal, () => {});
  const reason = failure ?? result.failed[0]?.failure ?? null;
  if (reason !== null) throw AppError.from(reason);
  if (result.saved + result.present === 1) return;
  const message = 'The agreement could not be archived first, so it was not deleted';
  throw new AppError('conflict', message, { reason: 'not-archived' });
}

/**
 * Throws 'conflict' with 'file-missing' if the signed PDF was archived, but its file is gone or was
 * changed since, in each archive folder: then the service may have the last copy.
 */
export async function assertArchivedCopyIntact(
  { stores, files }: Pick<ArchivePorts, 'stores' | 'files'>,
  key: AgreementKey,
): Promise<void> {
  const copy = await findIntactCopy({ stores, files }, key);
  if (copy === null || copy.isIntact) return;
  const message = `The archived PDF ${copy.file} is missing or was changed, so the agreement was not deleted. Fetch it again in the archive first`;
  throw new AppError('conflict', message, { reason: 'file-missing' });
}
