import type { ArchiveFinding, ArchiveVerdict } from '../../../shared/contract/archive.ts';
import { AppError } from '../../../shared/errors.ts';
import { FOLDER_MARK } from '../../../shared/rules/office/folder-mark.ts';
import { chosenBy } from './choice.ts';
import { rootOf } from './folders.ts';
import { relativeTo } from '../paths.ts';
import { ARCHIVE_LISTS, MANIFEST } from './lists.ts';
import { inside, readManifest } from './manifest.ts';
import type { ArchivePorts } from './runner.ts';
import { REJECTED } from '../file-ports.ts';
import type { JobOutcome, Progress } from '../job-queue.ts';

/** What makes a folder a bag (RFC 8493, 2.1 and 2.2). */
const BAG_TAGS: ReadonlySet<string> = new Set([
  'bagit.txt',
  'bag-info.txt',
  'tagmanifest-sha256.txt',
]);
const TAG_MANIFEST = 'tagmanifest-sha256.txt';

/**
 * Reads every file of an archive, or of a bag, and compares it with what was noted when it was
 * saved; and the agreements the service listed with those that lie there. Changes no file.
 */
export async function verifyArchive(
  ports: ArchivePorts,
  folder: string,
  signal: AbortSignal,
  report: (progress: Progress) => void,
): Promise<JobOutcome<ArchiveVerdict>> {
  const { files, clock } = ports;
  const root = rootOf(folder, files);
  await files.prepareFolder(root, false);
  const expected = await expectedIn(ports, root);
  if (expected.size === 0) {
    throw new AppError('not-found', 'There is no archive in this folder');
  }
  const there = new Set<string>();
  const unknown: string[] = [];
  for await (const name of files.walk(root)) {
    if (expected.has(name)) there.add(name);
    else if (!isOurs(name)) unknown.push(name);
  }
  const verdict: ArchiveVerdict = {
    folder: root,
    files: expected.size,
    ok: 0,
    changed: [],
    missing: [],
    unknown,
    agreements: await agreementsIn(ports, root),
    at: clock.now(),
  };
  const findings = new Map<string, ArchiveFinding>();
  for (const [name, sha256] of expected) {
    if (signal.aborted) break;
    const isIntact = there.has(name) && (await files.hash(inside(ports, root, name))) === sha256;
    findings.set(name, isIntact ? 'intact' : there.has(name) ? 'changed' : 'missing');
    report({ done: findings.size, total: expected.size });
  }
  for (const [name, finding] of findings) {
    if (finding === 'intact') verdict.ok += 1;
    else verdict[finding].push(name);
  }
  note(ports, root, findings);
  return { result: verdict, failure: null };
}

const isOurs = (name: string): boolean =>
  ARCHIVE_LISTS.has(name) || name === FOLDER_MARK || BAG_TAGS.has(name) || name.endsWith(REJECTED);

/** So that the list of the archive can tell when each PDF was looked at last. */
function note(
  { stores, clock }: ArchivePorts,
  root: string,
  findings: ReadonlyMap<string, ArchiveFinding>,
): void {
  const noted = stores.archive.inFolder(root).flatMap(({ key, file }) => {
    const name = relativeTo(root, file);
    const finding = name === null ? undefined : findings.get(name);
    return finding === undefined ? [] : [{ key, file, finding }];
  });
  stores.archive.noteFindings(noted, clock.now());
}

/** From the lists that lie in the folder, and what this computer remembers of it, which is newer. */
export async function expectedIn(
  ports: Pick<ArchivePorts, 'files' | 'stores' | 'encoding'>,
  root: string,
): Promise<ReadonlyMap<string, string>> {
  const { files, stores } = ports;
  const expected = await readManifest(ports, files.join(root, MANIFEST));
  for (const [name, hash] of await readManifest(ports, files.join(root, TAG_MANIFEST))) {
    expected.set(name, hash);
  }
  for (const one of [...stores.archive.inFolder(root), ...stores.archive.extras(root)]) {
    const name = relativeTo(root, one.file);
    if (name !== null) expected.set(name, one.sha256);
  }
  return expected;
}

async function agreementsIn(
  ports: ArchivePorts,
  root: string,
): Promise<ArchiveVerdict['agreements']> {
  const notSaved: ArchiveVerdict['agreements']['notSaved'] = [];
  let count = 0;
  for await (const listed of chosenBy(ports, {})) {
    count += listed.length;
    for (const one of listed) {
      if (ports.stores.archive.placed(root, one) !== null) continue;
      const { connectionId, id, title } = one;
      notSaved.push({ connectionId, id, title });
    }
  }
  return { listed: count, saved: count - notSaved.length, notSaved };
}
