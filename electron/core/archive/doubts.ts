import type { Agreement } from '../../../shared/contract/agreements.ts';
import type { ArchiveDoubt, ArchiveResult } from '../../../shared/contract/archive.ts';
import { isTestSeal, sealKind } from '../../../shared/rules/pdf-seal.ts';
import type { OneRun } from './one.ts';
import type { WrittenFile } from '../file-ports.ts';
import type { Stores } from '../ports.ts';

/**
 * What is odd about a PDF that was saved. Whose it is cannot be read from it, since nothing says
 * that the service writes an id into its PDFs; that two agreements have the same one can be told.
 */
export function doubtsAbout(
  { archive }: Pick<Stores, 'archive'>,
  { folders, connections }: Pick<OneRun, 'folders' | 'connections'>,
  { connectionId, id, title }: Agreement,
  { sha256, seal }: Pick<WrittenFile, 'sha256' | 'seal'>,
): ArchiveResult['doubtful'] {
  const key = { connectionId, id };
  const doubts: ArchiveDoubt[] = [];
  const kind = sealKind(seal ?? '');
  if (kind === 'extended') doubts.push('seal-extended');
  if (kind === 'malformed') doubts.push('seal-malformed');
  const isProduction = connections.get(connectionId)?.environment === 'production';
  if (isProduction && isTestSeal(seal ?? '')) doubts.push('seal-of-test');
  if (archive.sameContent(folders.root, key, sha256) !== null) doubts.push('same-as-another');
  return doubts.map((doubt) => ({ ...key, title, doubt }));
}
