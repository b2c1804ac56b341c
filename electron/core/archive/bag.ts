import type { BagResult } from '../../../shared/contract/archive.ts';
import { AppError } from '../../../shared/errors.ts';
import { dayOf } from '../../../shared/rules/time/days.ts';
import { relativeTo } from '../../../shared/rules/files/relative-to.ts';
import { acceptAllBytes } from '../bytes/accept.ts';
import { alignNames, DiskNames } from './disk-names.ts';
import { rootOf } from './folders.ts';
import { ARCHIVE_LISTS, INDEX_CSV, INDEX_XLSX } from './lists.ts';
import type { ArchivePorts } from './runner.ts';
import { pathInRoot } from './manifest.ts';
import { readExpectedHashes } from './verify.ts';
import type { JobOutcome, Progress } from '../job-queue.ts';
import type { Files, Sha256 } from '../ports.ts';

interface BagPorts extends ArchivePorts {
  readonly sha256: Sha256;
  readonly origin: { readonly program: string };
}

/** Content of `bagit.txt` (RFC 8493, 2.1.1). */
const BAG_DECLARATION = 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n';
const PAYLOAD_FOLDER = 'data';

interface BagFile {
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
}

/**
 * Copies an archive into a new folder as a bag (BagIt 1.0, RFC 8493) with its index in the payload.
 * Each file is hashed before and during copying. A file that differs from its saved content is
 * skipped and reported. A file that changes between the two hashes stops the job, because no other
 * program may write into the archive.
 */
export async function makeBag(
  ports: BagPorts,
  { folder, to }: { readonly folder: string; readonly to: string },
  signal: AbortSignal,
  report: (progress: Progress) => void,
): Promise<JobOutcome<BagResult>> {
  const { files } = ports;
  const [root, bag] = [rootOf(folder, files), rootOf(to, files)];
  if (bag === root || relativeTo(root, bag) !== null) {
    const message = 'The target folder is inside the archive. Choose a folder outside it';
    throw new AppError('invalid', message, { reason: 'bag-inside' });
  }
  await files.listFolder(root);
  const names = await DiskNames.below(files, root);
  alignNames(ports, root, names);
  const { expected } = await readExpectedHashes(ports, root, names);
  if (expected.size === 0) {
    throw new AppError('not-found', 'This folder does not contain an archive', {
      reason: 'no-archive',
    });
  }
  if ((await files.prepareFolder(bag)).length > 0) {
    throw new AppError('conflict', 'The target folder is not empty. Choose an empty folder', {
      reason: 'folder-not-empty',
    });
  }
  const copied: BagFile[] = [];
  const leftOut: string[] = [];
  const made = new Set<string>();
  const lists = new Map([INDEX_CSV, INDEX_XLSX].map((name) => [name, null]));
  const all = new Map<string, string | null>([...expected, ...lists]);
  for (const [name, sha256] of all) {
    signal.throwIfAborted();
    const one = await copyBagFile({ ports, root, bag, made, signal }, name, sha256);
    if (one !== null) copied.push(one);
    else if (!ARCHIVE_LISTS.has(name)) leftOut.push(name);
    report({ done: copied.length + leftOut.length, total: all.size });
  }
  await writeTags(ports, bag, copied);
  const bytes = copied.reduce((sum, one) => sum + one.bytes, 0);
  return { result: { folder: bag, files: copied.length, bytes, leftOut }, failure: null };
}

interface BagCopyContext {
  readonly ports: BagPorts;
  readonly root: string;
  readonly bag: string;
  readonly made: Set<string>;
  readonly signal: AbortSignal;
}

/**
 * Copies one file into the bag; returns null if the file is missing or differs from its saved
 * content.
 */
async function copyBagFile(
  { ports, root, bag, made, signal }: BagCopyContext,
  name: string,
  sha256: string | null,
): Promise<BagFile | null> {
  const { files } = ports;
  const from = pathInRoot(ports, root, name);
  const found = await files.statFile(from);
  if (found === null || (sha256 !== null && (await files.hash(from)) !== sha256)) return null;
  const parts = [PAYLOAD_FOLDER, ...name.split('/')];
  let folder = bag;
  for (const part of parts.slice(0, -1)) {
    folder = files.join(folder, part);
    if (!made.has(folder)) await files.prepareFolder(folder);
    made.add(folder);
  }
  const target = files.join(folder, parts.at(-1) ?? name);
  const source = { chunks: files.chunks(from), bytes: found.bytes };
  const saved = await files.saveNew(target, source, acceptAllBytes, signal);
  if (sha256 !== null && saved.sha256 !== sha256) {
    throw new AppError('conflict', `${name} changed while it was copied. Try again`);
  }
  return { name: `${PAYLOAD_FOLDER}/${name}`, sha256: saved.sha256, bytes: saved.bytes };
}

/** Writes the tag files, `bagit.txt` last: an interrupted copy without it is not a bag. */
async function writeTags(
  { files, sha256, encoding, origin, clock }: BagPorts,
  bag: string,
  copied: readonly BagFile[],
): Promise<void> {
  const bytes = copied.reduce((sum, one) => sum + one.bytes, 0);
  const info = [
    `Bag-Software-Agent: ${origin.program}`,
    `Bagging-Date: ${dayOf(clock.now())}`,
    `Payload-Oxum: ${bytes}.${copied.length}`,
    'External-Description: Signed agreements, with an index in data/index.csv and data/index.xlsx',
    'Seal-Note: The index shows whether a seal is present and covers the whole file, but not whether its certificate is valid.',
  ];
  const tags = {
    'manifest-sha256.txt': copied.map((one) => `${one.sha256}  ${one.name}\n`).join(''),
    'bag-info.txt': `${info.join('\n')}\n`,
    'bagit.txt': BAG_DECLARATION,
  };
  const tagManifest = Object.entries(tags).map(
    ([name, text]) => `${sha256(encoding.utf8(text))}  ${name}\n`,
  );
  const write = (name: string, text: string) => replace(files, bag, name, text);
  await write('manifest-sha256.txt', tags['manifest-sha256.txt']);
  await write('bag-info.txt', tags['bag-info.txt']);
  await write('tagmanifest-sha256.txt', tagManifest.join(''));
  await write('bagit.txt', tags['bagit.txt']);
}

function replace(files: Files, bag: string, name: string, text: string): Promise<void> {
  return files.replaceText(files.join(bag, name), text);
}
