import type { ArchiveFinding, ArchiveVerification } from '../../../shared/contract/archive.ts';
import type { AgreementKey } from '../../../shared/model/ids.ts';
import { AppError } from '../../../shared/errors.ts';
import { FOLDER_MARK } from '../../../shared/rules/office/folder-mark.ts';
import { agreementsChosenBy } from './choice.ts';
import { alignNames, DiskNames } from './disk-names.ts';
import { rootOf } from './folders.ts';
import { relativeTo } from '../../../shared/rules/files/relative-to.ts';
import { findAlteredLists, adoptMovedListHashes } from './list-marks.ts';
import { ARCHIVE_LISTS, MANIFEST } from './lists.ts';
import { isInRoot, pathInRoot, readManifest } from './manifest.ts';
import { replacesLost } from './present.ts';
import type { ArchivePorts } from './runner.ts';
import { CHANGED_SUFFIX, REJECTED_SUFFIX } from '../file-ports.ts';
import type { JobOutcome, Progress } from '../job-queue.ts';

/** Tag files of a bag (RFC 8493, 2.1 and 2.2). */
const BAG_TAGS: ReadonlySet<string> = new Set([
  'bagit.txt',
  'bag-info.txt',
  'tagmanifest-sha256.txt',
]);
/** Names of files that a run set aside. */
const SET_ASIDE_NAME = new RegExp(`(?:\\${REJECTED_SUFFIX}|\\${CHANGED_SUFFIX}(?:-\\d+)?)$`);
const TAG_MANIFEST = 'tagmanifest-sha256.txt';

/**
 * Hashes every file of an archive or bag and compares it with its record; also compares the listed
 * agreements with the saved files. Changes no file, but records new names and moved folders. If the
 * folder cannot be opened, throws 'storage' and records its files as missing.
 */
export async function verifyArchive(
  ports: ArchivePorts,
  folder: string,
  signal: AbortSignal,
  report: (progress: Progress) => void,
): Promise<JobOutcome<ArchiveVerification>> {
  const { files, clock } = ports;
  const root = rootOf(folder, files);
  await openArchive(ports, root);
  const names = await DiskNames.below(files, root);
  alignNames(ports, root, names);
  await adoptMovedListHashes(ports, root);
  const { expected, misleading } = await readExpectedHashes(ports, root, names);
  if (expected.size === 0) {
    throw new AppError('not-found', 'This folder does not contain an archive', {
      reason: 'no-archive',
    });
  }
  const unknown = [...names.all()].filter((name) => !expected.has(name) && !isOurs(name));
  const findings = new Map<string, ArchiveFinding>();
  const intact = new Map<string, string>();
  for (const [name, sha256] of expected) {
    if (signal.aborted) break;
    const isIntact = (await files.hash(pathInRoot(ports, root, name))) === sha256;
    const isThere = names.find(name) !== null;
    findings.set(name, isIntact ? 'intact' : isThere ? 'changed' : 'missing');
    if (isIntact) intact.set(sha256, name);
    report({ done: findings.size, total: expected.size });
  }
  const named = (wanted: ArchiveFinding): string[] =>
    [...findings].flatMap(([name, finding]) => (finding === wanted ? [name] : []));
  const verdict: ArchiveVerification = {
    folder: root,
    files: expected.size,
    ok: named('intact').length,
    changed: named('changed'),
    missing: named('missing'),
    unknown,
    lists: [...new Set([...(await findAlteredLists(ports, root)), ...misleading])],
    agreements: await agreementsIn(ports, root, intact),
    at: clock.now(),
  };
  recordVerification(ports, root, (name) => findings.get(name));
  return { result: verdict, failure: null };
}

const isOurs = (name: string): boolean =>
  ARCHIVE_LISTS.has(name) ||
  name === FOLDER_MARK ||
  BAG_TAGS.has(name) ||
  SET_ASIDE_NAME.test(name);

/** Opens the folder. If that fails, its files do not count as safe until they are verified. */
async function openArchive(ports: ArchivePorts, root: string): Promise<void> {
  try {
    await ports.files.listFolder(root);
  } catch (error) {
    recordVerification(ports, root, () => 'missing');
    throw error;
  }
}

/** Records the result and the time of the verification of each PDF, for the archive list. */
function recordVerification(
  { stores, clock }: ArchivePorts,
  root: string,
  findingOf: (name: string) => ArchiveFinding | undefined,
): void {
  const { archive } = stores;
  const noted = archive.inFolder(root).flatMap(({ key, ...pdf }) => {
    const { file } = pdf;
    const name = relativeTo(root, file);
    const finding = name === null ? undefined : findingOf(name);
    if (finding === 'intact' && replacesLost(stores, key, pdf)) {
      archive.record(key, pdf, pdf.savedAt, root);
    }
    return finding === undefined ? [] : [{ key, file, finding }];
  });
  archive.noteFindings(root, noted, clock.now());
}

/**
 * Returns the expected hashes by disk name: from the lists in the folder, overridden by the records
 * of this computer, which are newer. `misleading`: lists that name files outside the folder, which
 * are not read.
 */
export async function readExpectedHashes(
  ports: Pick<ArchivePorts, 'files' | 'stores' | 'encoding'>,
  root: string,
  names: DiskNames,
): Promise<{
  readonly expected: ReadonlyMap<string, string>;
  readonly misleading: readonly string[];
}> {
  const { files, stores } = ports;
  const expected = new Map<string, string>();
  const misleading = new Set<string>();
  for (const manifest of [MANIFEST, TAG_MANIFEST]) {
    for (const [name, hash] of await readManifest(ports, files.join(root, manifest))) {
      if (isInRoot(ports, root, name)) expected.set(names.find(name) ?? name, hash);
      else misleading.add(manifest);
    }
  }
  for (const one of [...stores.archive.inFolder(root), ...stores.archive.extras(root)]) {
    const name = relativeTo(root, one.file);
    if (name !== null) expected.set(name, one.sha256);
  }
  return { expected, misleading: [...misleading] };
}

/**
 * Compares the listed agreements with the files in the folder. An agreement counts as saved if an
 * unchanged copy of its PDF is in the folder, even if it was saved into another folder first.
 */
async function agreementsIn(
  ports: ArchivePorts,
  root: string,
  intact: ReadonlyMap<string, string>,
): Promise<ArchiveVerification['agreements']> {
  const { files } = ports;
  const { archive } = ports.stores;
  const notSaved: ArchiveVerification['agreements']['notSaved'] = [];
  const moved: { readonly key: AgreementKey; readonly from: string; readonly to: string }[] = [];
  let count = 0;
  for await (const listed of agreementsChosenBy(ports, {})) {
    count += listed.length;
    for (const one of listed) {
      const here = archive.placed(root, one);
      const pdf = here ?? archive.saved(one);
      const name = pdf === null ? undefined : intact.get(pdf.sha256);
      const { connectionId, id, title } = one;
      if (pdf !== null && name !== undefined) {
        const isMoved = here === null && (await files.statFile(pdf.file)) === null;
        const to = pathInRoot(ports, root, name);
        if (isMoved) moved.push({ key: { connectionId, id }, from: pdf.file, to });
        continue;
      }
      notSaved.push({ connectionId, id, title });
    }
  }
  // The whole folder was moved: record the new paths, so that the program can open the files.
  if (moved.length > 0) {
    archive.renamed(root, moved);
    const found = moved.map(({ key, to }) => ({ key, file: to, finding: 'intact' as const }));
    archive.noteFindings(root, found, ports.clock.now());
  }
  return { listed: count, saved: count - notSaved.length, notSaved };
}
