import type { Capabilities } from '../../shared/contract/connections.ts';
import type { ConnectionId } from '../../shared/contract/ids.ts';
import type { Emit } from '../../shared/contract/index.ts';
import type { ToFailure } from '../../shared/wire.ts';
import { ActionBook } from './action-book.ts';
import { ActionRunner } from './action-once.ts';
import type { OpenActions } from './action-ports.ts';
import { createActions } from './actions.ts';
import { createAgreements, scheduleSync } from './agreements.ts';
import { createArchive } from './archive.ts';
import { createServeBytes, type ServeBytes } from './bytes.ts';
import { createConnections } from './connections.ts';
import { createSendDraft } from './draft-send.ts';
import { createDrafts } from './drafts.ts';
import type { DataHandlers } from './handlers.ts';
import { createIdentities } from './identities.ts';
import { JobQueue } from './job-queue.ts';
import { createOutbox, openStates } from './outbox.ts';
import { createOutboxBook } from './outbox-book.ts';
import { OutboxWorker } from './outbox-worker.ts';
import type { ByteExchange } from './host-ports.ts';
import type {
  Chance,
  Clock,
  DemoService,
  Files,
  Log,
  OpenService,
  PdfForms,
  Sha256,
  Stores,
  Vault,
  WriterLock,
} from './ports.ts';
import { createServices } from './services.ts';
import { createSettings } from './settings.ts';
import { createSignAll } from './sign-agreements.ts';
import { createSigning } from './signing.ts';
import { Sync } from './sync.ts';
import { createTemplates } from './templates.ts';
import { createUploads } from './uploads.ts';

/** What the features of one open data folder work with. */
export interface DeskPorts {
  readonly stores: Stores;
  readonly vault: Vault;
  readonly lock: WriterLock;
  readonly openService: OpenService;
  readonly openActions: OpenActions;
  readonly demo: DemoService;
  readonly capabilities: readonly Capabilities[];
  readonly profile: 'own' | 'demo';
  readonly files: Files;
  readonly pdf: PdfForms;
  readonly sha256: Sha256;
  readonly bytes: ByteExchange;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  readonly emit: Emit;
  readonly toFailure: ToFailure;
}

/** The features over one open data folder. */
export interface OpenDesk {
  readonly handlers: DataHandlers;
  readonly serveBytes: ServeBytes;
  /** Puts right what an earlier run left; nothing is sent. */
  recover(): void;
  /** From now on sends what falls due, and reads every connection again and again. */
  start(): void;
  /** Another process changed the data. */
  wake(): void;
  /** Ends every job and request, what is on the wire within seconds. */
  stop(): Promise<void>;
}

/** A person looks away for minutes, not hours; and a list costs one request when nothing changed. */
const SYNC_MINUTES = 2;

export function createOpenDesk(given: DeskPorts): OpenDesk {
  const { stores, clock, emit } = given;
  const stopping = new AbortController();
  const refreshing = new Set<Promise<unknown>>();
  let endSync: (() => Promise<void>) | null = null;

  const services = createServices({ ...given, connections: stores.connections });
  const book = createOutboxBook({ stores, clock, emit });
  const jobs = new JobQueue(given);
  const actionBook = new ActionBook(given);
  const adopt = (id: ConnectionId) => {
    book.adopt(id, 'sync');
    actionBook.adopt(id);
  };
  const sync = new Sync({ ...given, services, adopt });
  const onSent = (id: ConnectionId) => {
    if (endSync === null) return;
    const reading = sync.runAnew(id, stopping.signal);
    refreshing.add(reading);
    void reading.finally(() => refreshing.delete(reading));
  };
  const worker = new OutboxWorker({ ...given, services, book, onSent });
  const actionRunner = new ActionRunner({ ...given, services, actionBook, worker });
  const ports = { ...given, services, book, jobs, adopt, sync, worker, actionRunner };

  return {
    handlers: createFeatures(ports),
    serveBytes: createServeBytes(given),
    recover() {
      if (!worker.hold()) return;
      actionBook.recover();
      worker.release();
    },
    start() {
      endSync = scheduleSync({ sync, stores, clock }, SYNC_MINUTES);
      worker.start();
    },
    wake() {
      worker.wake();
      tellAll(stores, emit);
    },
    async stop() {
      stopping.abort();
      const ends = [endSync?.(), jobs.stop(), worker.stop(), actionRunner.stop()];
      await Promise.all([...ends, ...refreshing]);
    },
  };
}

/** Anything may be different: whoever shows something reads it again. */
function tellAll({ connections, drafts, outbox }: Stores, emit: Emit): void {
  emit('connections.changed', {});
  emit('settings.changed', {});
  emit('identities.changed', {});
  for (const { id } of connections.list()) {
    emit('agreements.changed', { connectionId: id });
    emit('actions.changed', { connectionId: id });
  }
  for (const { id } of drafts.list()) emit('drafts.changed', { id });
  for (const state of openStates) {
    for (const { ref } of outbox.inState(state)) emit('outbox.changed', { ref });
  }
}

type FeaturePorts = DeskPorts & {
  readonly services: ReturnType<typeof createServices>;
  readonly book: ReturnType<typeof createOutboxBook>;
  readonly jobs: JobQueue;
  readonly adopt: (id: ConnectionId) => void;
  readonly sync: Sync;
  readonly worker: OutboxWorker;
  readonly actionRunner: ActionRunner;
};

function createFeatures(ports: FeaturePorts): DataHandlers {
  const { stores, clock, emit, chance } = ports;
  const send = createSendDraft(ports);
  const signAll = createSignAll(ports);
  return {
    ...createSettings({ settings: stores.settings, emit }),
    ...ports.jobs.handlers,
    ...createConnections(ports),
    ...createAgreements(ports),
    ...createActions(ports),
    ...createUploads(ports),
    ...createDrafts({ ...ports, send }),
    ...createTemplates(ports),
    ...createOutbox(ports),
    ...createIdentities({ identities: stores.identities, chance, clock, emit }),
    ...createSigning({ ...ports, signAll }),
    ...createArchive(ports),
  };
}
