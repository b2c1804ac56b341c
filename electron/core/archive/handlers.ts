import type { Agreement } from '../../../shared/contract/agreements.ts';
import type { HandlersOf } from '../../../shared/contract/index.ts';
import {
  fileName,
  foldName,
  folderNames,
  nameStem,
} from '../../../shared/rules/files/file-name.ts';
import { makeBag } from './bag.ts';
import { agreementsChosenBy, keysOfTag, agreementKeyText } from './choice.ts';
import { CopyChecks, findIntactCopy } from './copies.ts';
import { rootOf } from './folders.ts';
import { countArchive, withCopies } from './items.ts';
import { requireTokens, tokensOf } from './names.ts';
import { createArchiveRuleHandlers } from './rules.ts';
import { verifyArchive } from './verify.ts';
import type { ArchiveWork, WorkPorts } from './work.ts';
import type { JobQueue } from '../job-queue.ts';
import type { Chance, Sha256 } from '../ports.ts';

const PREVIEWED_NAMES = 5;
/**
 * Maximum number of listed collisions, and of listed overlong paths: a few show that a pattern
 * fails.
 */
const MAX_LISTED = 20;
/** Maximum length of a path: Windows opens longer ones only if a registry key allows it. */
const MAX_PATH_LENGTH = 259;

interface Ports extends WorkPorts {
  readonly archiveWork: ArchiveWork;
  readonly jobs: JobQueue;
  readonly chance: Chance;
  readonly sha256: Sha256;
  readonly origin: { readonly program: string };
}

export function createArchiveHandlers(ports: Ports): HandlersOf<'archive'> {
  const { stores, clock, jobs, emit } = ports;
  const copyChecks = new CopyChecks(ports);
  return {
    'archive.run': async (run) => {
      requireTokens(run);
      return {
        jobId: jobs.start('archive-agreements', (signal, report) =>
          ports.archiveWork.run(run, signal, report),
        ),
      };
    },
    'archive.verify': async ({ folder }) => ({
      jobId: jobs.start('verify-archive', async (signal, report) => {
        try {
          return await verifyArchive(ports, folder, signal, report);
        } finally {
          // A verification that fails may also have recorded missing files.
          emit('archive.changed', {});
        }
      }),
    }),
    'archive.bag': async (order) => ({
      jobId: jobs.start('bag-archive', (signal, report) => makeBag(ports, order, signal, report)),
    }),
    'archive.list': async ({ connectionId, tag, folder }) => {
      const root = folder === undefined ? null : rootOf(folder, ports.files);
      const stored = stores.archive.list(connectionId);
      const all = await withCopies(ports, copyChecks, stored, root);
      const tagged = tag === undefined ? null : await keysOfTag(ports, tag);
      return {
        items: all.filter((item) => tagged?.has(agreementKeyText(item)) ?? true),
        counts: countArchive(all, clock.now()),
      };
    },
    'archive.copy': async (key) => {
      const { finding } = stores.archive.saved(key) ?? {};
      const copy = await findIntactCopy(ports, key);
      if (stores.archive.saved(key)?.finding !== finding) emit('archive.changed', {});
      return copy;
    },
    'archive.preview': (order) => preview(ports, order),
    ...createArchiveRuleHandlers(ports),
  };
}

/**
 * Returns the file names that a pattern gives to the agreements of a filter, with collisions and
 * overlong paths. Reads only the local copies.
 */
async function preview(
  ports: Ports,
  {
    pattern,
    folder,
    subfolder = '',
    filter,
  }: Parameters<HandlersOf<'archive'>['archive.preview']>[0],
) {
  const { stores } = ports;
  const connections = new Map<string, { name: string }>(
    stores.connections.ever().map((one) => [one.id, one]),
  );
  const taken = new Set<string>();
  const [names, collisions, tooLong]: [string[], string[], string[]] = [[], [], []];
  let total = 0;
  const nameOne = (one: Agreement): void => {
    total += 1;
    const tokens = {
      ...tokensOf(stores, connections, one, pattern + subfolder),
      counter: total,
    };
    const inside = folderNames(subfolder, tokens)
      .map((name) => `${name}/`)
      .join('');
    const free = { has: (folded: string) => taken.has(inside + folded) };
    const plain = `${nameStem(pattern, tokens)}.pdf`;
    if (free.has(foldName(plain)) && collisions.length < MAX_LISTED)
      collisions.push(inside + plain);
    const name = fileName(pattern, tokens, free);
    taken.add(inside + foldName(name));
    if (names.length < PREVIEWED_NAMES) names.push(inside + name);
    const length = (folder?.length ?? 0) + 1 + inside.length + name.length;
    if (length > MAX_PATH_LENGTH && tooLong.length < MAX_LISTED) tooLong.push(inside + name);
  };
  for await (const some of agreementsChosenBy(ports, filter === undefined ? {} : { filter })) {
    some.forEach(nameOne);
  }
  return { names, total, collisions, tooLong };
}
