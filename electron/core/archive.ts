import type { HandlersOf } from '../../shared/contract/index.ts';
import { fileName, foldName } from '../../shared/rules/file-name.ts';
import { type ArchivePorts, ArchiveRunner } from './archive-run.ts';
import type { JobQueue } from './job-queue.ts';

/** Long enough to notice and run the archive before the service deletes for good. */
const ENDANGERED = 14 * 86_400_000;
const PREVIEWED = 5;

export function createArchive(
  ports: ArchivePorts & { readonly jobs: JobQueue },
): HandlersOf<'archive'> {
  const { stores, clock } = ports;
  return {
    'archive.run': async (run) => {
      const jobId = ports.jobs.start('archive-agreements', (signal, report) =>
        new ArchiveRunner(ports, run).run(signal, report),
      );
      return { jobId };
    },
    'archive.list': async ({ connectionId }) => {
      const items = [...stores.archive.list(connectionId)];
      const inState = (wanted: (typeof items)[number]['state']) =>
        items.filter(({ state }) => state === wanted);
      const soon = clock.now() + ENDANGERED;
      const notArchived = inState('not-archived');
      return {
        items,
        counts: {
          notArchived: notArchived.length,
          archived: inState('archived').length,
          deleted: inState('deleted-on-service').length,
          endangered: notArchived.filter(({ deletesAt }) => deletesAt !== null && deletesAt <= soon)
            .length,
        },
      };
    },
    'archive.preview': async ({ pattern }) => {
      const names = new Map(stores.connections.list().map(({ id, name }) => [id, name]));
      const taken = new Set<string>();
      const examples = stores.agreements.concluded(undefined, undefined, undefined);
      return {
        names: examples.slice(0, PREVIEWED).map((one) => {
          const connection = names.get(one.connectionId) ?? '';
          const tokens = { ...one, parties: one.parties ?? [], connection };
          const name = fileName(pattern, tokens, taken);
          taken.add(foldName(name));
          return name;
        }),
      };
    },
  };
}
