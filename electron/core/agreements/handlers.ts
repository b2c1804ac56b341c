import type { AgreementId, AgreementKey, ConnectionId } from '../../../shared/model/ids.ts';
import type { Emit, HandlersOf } from '../../../shared/contract/index.ts';
import { AppError, isCode } from '../../../shared/errors.ts';
import { assertWholePdf } from '../../../shared/rules/files/pdf-shape.ts';
import { keepCopy, readFreshAgreement } from '../services/fresh-copy.ts';
import { requireCount } from '../services/capabilities.ts';
import { createAgreementLists, withRevokedAt } from './lists.ts';
import { type CopyPorts, CopySaver } from './copy-saver.ts';
import type { CopyRetention } from './copy-retention.ts';
import { forgetAgreements } from './forget.ts';
import type { JobQueue } from '../job-queue.ts';
import type { CopyWriter, Stores } from '../ports.ts';
import type { AgreementReader } from './ports.ts';
import type { Sync } from '../sync/handlers.ts';
import { syncAll, syncSelection } from '../sync/all.ts';
import { readOrMarkGone } from '../sync/unlisted.ts';

interface AgreementPorts extends CopyPorts {
  readonly stores: CopyPorts['stores'] &
    Pick<Stores, 'actions' | 'outbox' | 'ownUsers' | 'sync' | 'quickTransaction'>;
  readonly sync: Sync;
  readonly care: CopyRetention;
  readonly copies: CopyWriter;
  readonly lists: AgreementReader;
  readonly jobs: JobQueue;
  readonly emit: Emit;
  readonly linkToAgreements: (connectionId: ConnectionId, signal: AbortSignal) => Promise<void>;
}

export function createAgreementHandlers(ports: AgreementPorts): HandlersOf<'agreements'> {
  const { stores } = ports;
  const { agreements } = stores;

  return {
    ...createAgreementLists(ports),
    'agreements.show': async ({ refresh, ...key }) => {
      if (refresh) await refreshOne(ports, key);
      const found = withRevokedAt(agreements.details(key), stores.actions);
      return found.api === 'v1'
        ? { ...found, ourUser: stores.ownUsers.find(key.connectionId) }
        : found;
    },
    'agreements.find': async ({ id }) => {
      const known = agreements.find(id);
      return known.length > 0 ? [...known] : readSent(ports, id, new AbortController().signal);
    },
    'agreements.sync': async ({ connectionId, full }) => {
      const known = stores.connections.list().map(({ id }) => id);
      const ids = connectionId === undefined ? known : [stores.connections.get(connectionId).id];
      const jobId = ports.jobs.start('sync-agreements', async (signal, report) => {
        const outcome = await syncAll(ports.sync, ids, full, signal, report);
        await ports.care.tend(signal);
        return outcome;
      });
      return { jobId };
    },
    'agreements.syncSelection': async ({ connectionId, selection }) => ({
      jobId: ports.jobs.start('sync-agreements', async (signal, report) => {
        const outcome = await syncSelection(ports, connectionId, selection, signal, report);
        return { result: { connections: [outcome] }, failure: null };
      }),
    }),
    'agreements.syncStatus': async () => ports.sync.status(),
    'agreements.download': (wanted) => download(ports, wanted),
    'agreements.saveCopies': async ({ keys, folder }) => ({
      jobId: ports.jobs.start('save-copies', (signal, report) =>
        new CopySaver(ports, folder).run(keys, signal, report),
      ),
    }),
    'agreements.forget': async ({ keys, confirm }) => {
      requireCount(keys, confirm);
      return { forgotten: forgetAgreements(ports, keys) };
    },
  };
}

type DownloadInput = Parameters<HandlersOf<'agreements'>['agreements.download']>[0];

/**
 * Downloads the signed PDF. Services refuse the PDF of an agreement that not everyone signed as
 * forbidden.
 */
async function download(
  { stores, services, files }: AgreementPorts,
  { connectionId, id, file }: DownloadInput,
): ReturnType<HandlersOf<'agreements'>['agreements.download']> {
  const { signal } = new AbortController();
  try {
    const found = await services.use(connectionId, (service) => service.download(id, signal));
    return await files.saveNew(file, found, assertWholePdf, signal);
  } catch (error) {
    const isForbidden = isCode(error, 'forbidden');
    if (!isForbidden || stores.agreements.details({ connectionId, id }).state === 'signed') {
      throw error;
    }
    throw new AppError('conflict', error.message, { reason: 'not-concluded', cause: error });
  }
}

/**
 * Reads an agreement that was sent from this computer, whose id is known before a sync has read it.
 */
async function readSent(
  ports: AgreementPorts,
  id: AgreementId,
  signal: AbortSignal,
): Promise<AgreementKey[]> {
  const { connections, outbox } = ports.stores;
  const found: AgreementKey[] = [];
  for (const { id: connectionId } of connections.list()) {
    if (outbox.boundTo(connectionId, id) === null) continue;
    const key = { connectionId, id };
    if ((await readFreshAgreement(ports, key, signal)) !== null) found.push(key);
  }
  return found;
}

/** Reads one agreement again. If the service no longer has it, its copy is marked and kept. */
async function refreshOne(ports: AgreementPorts, key: AgreementKey): Promise<void> {
  const { stores, services, emit } = ports;
  const { connectionId } = key;
  const { signal } = new AbortController();
  const remote = await services.use(connectionId, (service) =>
    readOrMarkGone(service, stores.agreements, key, signal),
  );
  if (remote !== null) {
    keepCopy(ports, connectionId, remote);
    await ports.linkToAgreements(connectionId, signal);
  }
  emit('agreements.changed', { connectionId, added: 0, changed: 1 });
}
