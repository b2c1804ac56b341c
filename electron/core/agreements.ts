import type { AgreementKey, ConnectionId } from '../../shared/contract/ids.ts';
import type { Emit, HandlersOf } from '../../shared/contract/index.ts';
import { acceptPdf } from '../../shared/rules/pdf-shape.ts';
import type { JobOutcome, JobQueue } from './job-queue.ts';
import type { Clock, Files, Stores } from './ports.ts';
import { withRevokedAt } from './revoked-at.ts';
import type { Services } from './services.ts';
import type { Sync, SyncOutcome } from './sync.ts';
import { readOrMarkGone } from './sync-unlisted.ts';

interface AgreementPorts {
  readonly stores: Pick<Stores, 'actions' | 'agreements' | 'connections'>;
  readonly services: Services;
  readonly sync: Sync;
  readonly jobs: JobQueue;
  readonly files: Files;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly adopt: (connectionId: ConnectionId) => void;
}

export function createAgreements(ports: AgreementPorts): HandlersOf<'agreements'> {
  const { stores, services, clock } = ports;
  const { agreements } = stores;
  const noSignal = () => new AbortController().signal;

  return {
    'agreements.list': async (query) => agreements.list(query, clock.now()),
    'agreements.counts': async ({ connectionId }) => agreements.counts(connectionId, clock.now()),
    'agreements.show': async ({ refresh, ...key }) => {
      if (refresh) await refreshOne(ports, key);
      return withRevokedAt(agreements.details(key), stores.actions);
    },
    'agreements.find': async ({ id }) => [...agreements.find(id)],
    'agreements.sync': async ({ connectionId, full }) => {
      const known = stores.connections.list().map(({ id }) => id);
      const ids = connectionId === undefined ? known : [stores.connections.get(connectionId).id];
      const jobId = ports.jobs.start('sync-agreements', (signal, report) =>
        syncAll(ports, ids, full, signal, report),
      );
      return { jobId };
    },
    'agreements.syncStatus': async () => ports.sync.status(),
    'agreements.download': async ({ connectionId, id, file }) => {
      const signal = noSignal();
      const download = await services.use(connectionId, (service) => service.download(id, signal));
      return ports.files.saveNew(file, download, acceptPdf, signal);
    },
  };
}

/** Reads one agreement anew. What the service no longer has is marked, and its copy kept. */
async function refreshOne(ports: AgreementPorts, key: AgreementKey): Promise<void> {
  const { stores, services, clock, emit } = ports;
  const { connectionId } = key;
  const { api } = stores.connections.get(connectionId);
  const { signal } = new AbortController();
  const remote = await services.use(connectionId, (service) =>
    readOrMarkGone(service, stores.agreements, key, signal),
  );
  if (remote !== null) {
    stores.agreements.put(connectionId, api, [remote], clock.now());
    ports.adopt(connectionId);
  }
  emit('agreements.changed', { connectionId });
}

async function syncAll(
  { sync }: AgreementPorts,
  ids: readonly ConnectionId[],
  isFull: boolean,
  signal: AbortSignal,
  report: (progress: { done: number; total: number; failed: number }) => void,
): Promise<JobOutcome<{ connections: SyncOutcome[] }>> {
  const connections: SyncOutcome[] = [];
  for (const id of ids) {
    if (signal.aborted) break;
    connections.push(await sync.run(id, isFull, signal));
    const failed = connections.filter(({ failure }) => failure !== null).length;
    report({ done: connections.length, total: ids.length, failed });
  }
  const failures = connections.flatMap(({ failure }) => failure ?? []);
  const isAllFailed = failures.length > 0 && failures.length === ids.length;
  return { result: { connections }, failure: isAllFailed ? (failures[0] ?? null) : null };
}

/** Keeps every connection fresh, now and every `minutes`; the returned function ends it. */
export function scheduleSync(
  ports: Pick<AgreementPorts, 'sync' | 'stores' | 'clock'>,
  minutes: number,
): () => Promise<void> {
  const stopping = new AbortController();
  let round = Promise.resolve();
  let callOff = () => {};
  const again = () => {
    callOff = ports.clock.after(minutes * 60_000, again);
    const ids = ports.stores.connections.list().map(({ id }) => id);
    const reading = ids.map((id) => ports.sync.run(id, false, stopping.signal));
    round = Promise.all(reading).then(() => {});
  };
  again();
  return async () => {
    callOff();
    stopping.abort();
    await round;
  };
}
