import { isKnown } from '../services/fresh-copy.ts';
import { relativeTo } from '../../../shared/rules/files/relative-to.ts';
import type { ArchiveWork } from './ports.ts';
import type { Clock, Files, Stores } from '../ports.ts';

interface ResumePorts {
  readonly stores: Pick<Stores, 'archive' | 'agreements'>;
  readonly files: Files;
  readonly clock: Clock;
}

/**
 * Cleans up after a killed run: a complete file, with or without its final name, counts as saved;
 * all other parts are removed. Returns the number of files saved this way.
 */
export async function resumeWork(ports: ResumePorts, root: string): Promise<number> {
  const { archive } = ports.stores;
  const left = archive.work.list().filter(({ file }) => relativeTo(root, file) !== null);
  let saved = 0;
  for (const work of left) {
    if (await isFinished(ports, root, work)) saved += 1;
    archive.work.end([work.file]);
  }
  return saved;
}

async function isFinished(
  { stores, files, clock }: ResumePorts,
  root: string,
  { file, key, whole }: ArchiveWork,
): Promise<boolean> {
  if (whole === null || !isKnown(stores.agreements, key)) {
    await files.dropPart(file);
    return false;
  }
  const isThere = (await files.hash(file)) === whole.sha256;
  if (isThere) await files.dropPart(file);
  else if (!(await isContinued(files, file, whole.sha256))) {
    await files.dropPart(file);
    return false;
  }
  const changedAt = (await files.statFile(file))?.changedAt ?? null;
  stores.archive.record(key, { file, ...whole, changedAt }, clock.now(), root);
  return true;
}

/**
 * Whether the complete part got its final name. False if another file has that name: the PDF is
 * then fetched under a new name.
 */
async function isContinued(files: Files, file: string, sha256: string): Promise<boolean> {
  if ((await files.statFile(file)) !== null) return false;
  return files.continuePart(file, sha256);
}
