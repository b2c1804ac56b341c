import type { Agreement } from '../../../shared/contract/agreements.ts';
import type { AgreementKey } from '../../../shared/model/ids.ts';
import { tokensWithOldId } from '../../../shared/rules/files/file-name.ts';
import { baseName } from './folders.ts';
import { pathInRoot } from './manifest.ts';
import { relativeTo } from '../../../shared/rules/files/relative-to.ts';
import { tokensOf } from './names.ts';
import type { OnePorts, ArchiveRunContext } from './one.ts';
import type { ArchivedPdf } from './ports.ts';

/**
 * Whether the saved file of the agreement exists with its saved content; sends no request to the
 * service.
 */
export async function isPresent(
  ports: OnePorts,
  { folders, pattern, run, connections }: ArchiveRunContext,
  agreement: Agreement,
): Promise<boolean> {
  const { stores, files, clock } = ports;
  const { connectionId, id } = agreement;
  const key = { connectionId, id };
  const { root } = folders;
  if (agreement.state !== 'signed') {
    const copy = stores.archive.extras(root, key).find(({ kind }) => kind === 'unsigned');
    return copy !== undefined && (await files.hash(copy.file)) === copy.sha256;
  }
  const here = stores.archive.placed(root, key);
  if (here !== null) return isIntact(ports, root, key, here);
  const saved = stores.archive.saved(key);
  if (saved === null) return false;
  // The agreement has no file recorded for this folder. If the folder was moved or copied, the file
  // that was saved earlier is in this folder under its old name.
  const tokens = tokensOf(stores, connections, agreement, `${pattern}${run.subfolder ?? ''}`);
  const isInside = relativeTo(root, saved.file) !== null;
  const former = tokensWithOldId(tokens);
  const places = [tokens, ...(former === null ? [] : [former])].map((candidate) =>
    files.join(folders.placeFor(agreement, candidate), baseName(saved.file, files)),
  );
  const names = isInside ? null : await folders.names();
  for (const place of isInside ? [saved.file] : new Set(places)) {
    const name = relativeTo(root, place);
    const found = name === null ? null : (names?.find(name) ?? null);
    const file = found === null ? place : pathInRoot(ports, root, found);
    if ((await files.hash(file)) !== saved.sha256) continue;
    const changedAt = (await files.statFile(file))?.changedAt ?? null;
    stores.archive.record(key, { ...saved, file, changedAt }, clock.now(), root);
    return true;
  }
  return false;
}

/**
 * Whether a saved file still has its saved content. A file with unchanged size and change time is
 * not read again.
 */
async function isIntact(
  { stores, files, clock }: OnePorts,
  root: string,
  key: AgreementKey,
  saved: ArchivedPdf,
): Promise<boolean> {
  const found = await files.statFile(saved.file);
  if (found === null || found.bytes !== saved.bytes) return false;
  if (found.changedAt === saved.changedAt && !replacesLost(stores, key, saved)) return true;
  if ((await files.hash(saved.file)) !== saved.sha256) return false;
  stores.archive.record(key, { ...saved, changedAt: found.changedAt }, clock.now(), root);
  return true;
}

/**
 * Whether the PDF that was saved last, in another folder, is known to be lost, and this file has its
 * recorded content: then this file becomes the recorded one.
 */
export function replacesLost(
  { archive }: Pick<OnePorts['stores'], 'archive'>,
  key: AgreementKey,
  { file, sha256 }: Pick<ArchivedPdf, 'file' | 'sha256'>,
): boolean {
  const newest = archive.saved(key);
  const isLost = newest?.finding === 'missing' || newest?.finding === 'changed';
  return isLost && newest.file !== file && newest.sha256 === sha256;
}
