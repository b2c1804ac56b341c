import { describeAuthorities } from '../../../electron/adapters/network/authorities.ts';
import { createMemoryNetworkSettings } from './memory-network-settings.ts';
import { AccessGate } from '../../../electron/core/access.ts';
import { createToFailure } from '../../../electron/core/app-error.ts';
import { createByteExchange } from '../../../electron/core/bytes/exchange.ts';
import { countDirectly, readDirectly } from '../../../electron/adapters/sqlite/reader/direct.ts';
import { createDirectCopies } from '../../../electron/adapters/sqlite/copies/direct.ts';
import { createReportWriter } from '../../../electron/adapters/sheets/write/report.ts';
import { createWatchedFolders } from '../../../electron/adapters/files/watched-folders.ts';
import { createCardReader } from '../../../electron/adapters/cards/client.ts';
import { createEncoding } from '../../../electron/adapters/system/encoding.ts';
import { systemScheduler } from '../../../electron/adapters/system/platform.ts';
import { createStatementPrinter } from '../../../electron/adapters/pdf/statement.ts';
import { createOpenDesk, type OpenDesk } from '../../../electron/core/desk.ts';
import { createHandlers } from '../../../electron/core/handlers.ts';
import { Arrivals } from '../../../electron/core/links/arrivals.ts';
import type { ByteExchange } from '../../../electron/core/host-ports.ts';
import { createHostHandlers } from '../../../electron/core/host.ts';
import { samples } from '../../../electron/demo/story/samples.ts';
import type { Updater, UpdateSource } from '../../../electron/core/updates/ports.ts';
import type { DemoService } from '../../../electron/core/ports.ts';
import type { Connection } from '../../../shared/contract/connections.ts';
import { DraftBodyV1, DraftBodyV2, type Draft } from '../../../shared/contract/drafts.ts';
import type { JobId } from '../../../shared/model/ids.ts';
import type { Emit, EventName } from '../../../shared/contract/index.ts';
import type { Job } from '../../../shared/contract/jobs.ts';
import { connectDirectly } from '../../../shared/wire.ts';
import { fakeActions } from './fake-actions.ts';
import { capabilities, FakeService, openFakes } from './fake-service.ts';
import {
  bytesOf,
  createCountingChance,
  createHandClock,
  createLocks,
  createMemoryDocuments,
  createMemoryFiles,
  createMemoryLog,
  createMemoryPdf,
  createMemoryVault,
  createMemoryWitness,
  sha256,
} from './memory-ports.ts';
import type { Offices } from '../../../electron/core/office/ports.ts';
import { createMemoryStores } from './memory-stores.ts';
import { noLogFiles, noSpace } from './no-space.ts';
import { noBackupFiles, noBackupPlaces, noDataCopies, noRestore } from './no-backups.ts';
import { noHostFeatures, offersNothing } from './no-host-features.ts';
import { createSheetTools } from '../sheets/sheet-tools.ts';

const demo: DemoService = {
  urls: async () => ({
    v1Url: 'http://127.0.0.1:1',
    v2Url: 'http://127.0.0.1:1/v2',
    token: 'demo-token',
    accessKey: 'demo-key',
    accountId: '1001',
    orgNo: '5599990008',
  }),
  samples,
};

const noFeeds: UpdateSource = {
  check: (feed) => feed,
  read: () => Promise.reject(new Error('no feed is asked here')),
};
const fromCheckout: Updater = { way: 'checkout' };

/** State that survives a process: data, time, services. Backups need data on a disk. */
export function createWorld(stores = createMemoryStores()) {
  const services = { v1: new FakeService('v1'), v2: new FakeService('v2') };
  return {
    stores,
    clock: createHandClock(),
    chance: createCountingChance(),
    vault: createMemoryVault(),
    externalState: createMemoryWitness(),
    files: createMemoryFiles(),
    watched: createWatchedFolders(),
    offices: (): Promise<Offices> => Promise.reject(new Error('This desk is in no office')),
    pdf: createMemoryPdf(),
    documents: createMemoryDocuments(),
    scheduler: systemScheduler,
    sheets: createSheetTools(),
    log: createMemoryLog(),
    updateSource: noFeeds,
    updater: fromCheckout,
    backupFiles: noBackupFiles,
    dataCopies: noDataCopies,
    backupPlaces: noBackupPlaces,
    locks: createLocks(),
    archiveLocks: createLocks(),
    services,
    opened: openFakes(services),
    actions: fakeActions(services),
  };
}

export type World = ReturnType<typeof createWorld>;

/** Starts one process with the core and its stores; everything else is fake. */
export function startMemoryDesk(world: World = createWorld(), profile: 'own' | 'demo' = 'own') {
  const { clock, chance, log } = world;
  const toFailure = createToFailure(log);
  const bytes = createByteExchange(clock, chance);
  const emitted: EventName[] = [];
  const watchers = new Set<() => void>();
  let forward: Emit = () => {};
  const emit: Emit = (name, data) => {
    emitted.push(name);
    forward(name, data);
    for (const watch of watchers) watch();
  };
  const desk = createOpenDesk({
    ...world,
    copies: createDirectCopies(world.stores, world.scheduler),
    lists: readDirectly(world.stores.agreements),
    board: countDirectly(world.stores.board),
    lock: world.locks.lock(),
    archiveLock: world.archiveLocks.lock(),
    backupLock: createLocks().lock(),
    space: noSpace,
    logFiles: noLogFiles,
    openService: world.opened.open,
    openActions: world.actions.open,
    demo,
    capabilities: [capabilities('v1'), capabilities('v2')],
    profile,
    sha256,
    encoding: createEncoding(),
    cards: createCardReader(),
    reports: createReportWriter(),
    updateSource: world.updateSource,
    updater: world.updater,
    networkSettings: createMemoryNetworkSettings(),
    describeAuthorities,
    version: '1.0.0',
    language: () => world.stores.settings.read().language ?? 'en',
    origin: { user: 'maria', computer: 'desk', program: 'Signing Desk 1.0.0' },
    printer: createStatementPrinter(),
    bytes,
    emit,
    toFailure,
  });
  desk.recover();
  const handlers = handlersOver(desk, world, emit, bytes);
  const { api, on, emit: emitDirectly } = connectDirectly(handlers, toFailure);
  forward = emitDirectly;
  /** Sends later events to this listener. */
  const forwardTo = (listener: Emit): void => void (forward = listener);

  /** Waits until the condition is true, and checks it at every event. */
  const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
    for (;;) {
      const seen = emitted.length;
      if (await holds()) return;
      // An event may have occurred during the check: check again.
      if (emitted.length !== seen) continue;
      await new Promise<void>((resolve) => {
        const watch = () => {
          watchers.delete(watch);
          resolve();
        };
        watchers.add(watch);
      });
    }
  };
  const finish = async (jobId: JobId): Promise<Job> => {
    // Move the fake clock by 0 ms, so that work continues that only lets other work run first.
    const goOn = setInterval(() => world.clock.advance(0), 1);
    await until(async () => (await api['jobs.show']({ jobId })).state !== 'running');
    clearInterval(goOn);
    return api['jobs.show']({ jobId });
  };
  const process = { desk, api, on, emitted, until, finish, bytes, handlers, toFailure, forwardTo };
  return { ...world, ...process };
}

export type MemoryDesk = ReturnType<typeof startMemoryDesk>;

function handlersOver(desk: OpenDesk, world: World, emit: Emit, bytes: ByteExchange) {
  const toFailure = createToFailure(world.log);
  const gate = new AccessGate({
    door: {
      open: async () => {},
      close: async () => {},
      store: () => 'keychain',
      isPassphraseSet: async () => false,
      hasData: () => true,
      setAside: () => Promise.reject(new Error('There is no folder here')),
    },
    emit,
    toFailure,
  });
  const host = createHostHandlers({
    description: () => ({
      version: '0',
      language: null,
      locale: 'en',
      platform: 'linux',
      features: { ...offersNothing, openPath: true },
      dataFolder: '/data',
      documentsFolder: '/documents',
    }),
    features: noHostFeatures,
    files: world.files,
    stores: () => world.stores,
    onChosen: () => {},
    doctor: async () => [],
    access: () => gate.handlers['access.read']({}),
  });
  const arrivals = new Arrivals({ bytes, emit });
  const early = { ...host, ...gate.handlers, ...arrivals.handlers, ...noRestore };
  return createHandlers(early, () => desk.handlers);
}

export async function addConnection(
  { api }: Pick<MemoryDesk, 'api'>,
  of: 'v1' | 'v2' = 'v1',
  name = `Office ${of}`,
): Promise<Connection> {
  return api['connections.add']({
    name,
    api: of,
    url: 'https://service.example',
    environment: 'production',
    accountId: of === 'v2' ? '1001' : null,
    orgNo: null,
    secret: `secret-of-${of}`,
  });
}

export const PDF = '%PDF-1.7 draft %%EOF';

/** A draft that can be sent: one PDF, one person who clicks, for v1. */
export async function addDraftV1(desk: MemoryDesk, title = 'Lease'): Promise<Draft> {
  const { api } = desk;
  const content = { api: 'v1', body: bodyV1(title) } as const;
  const { id } = await api['drafts.create']({ content, connectionId: null });
  const bytes = desk.bytes.put(bytesOf(PDF));
  const { id: file } = await api['drafts.attach']({ id, name: 'lease.pdf', bytes });
  const attachments = [{ type: 'BASE64', category: 'AGREEMENT', file }] as const;
  const body = { ...content.body, attachments: [...attachments] };
  const { revision } = await api['drafts.show']({ id });
  const change = { id, revision, connectionId: null } as const;
  return api['drafts.save']({ ...change, content: { api: 'v1', body } });
}

export function bodyV1(title: string): DraftBodyV1 {
  return DraftBodyV1.parse({
    title,
    expireOn: '20270101T120000Z',
    attachments: [],
    parties: [
      {
        type: 'PRIVATE',
        firstName: 'Åsa',
        lastName: 'Öberg',
        email: 'asa@example.com',
        signingConfigurations: [{ type: 'CLICK' }],
      },
    ],
  });
}

/** Adds a v2 draft that can be sent, with a private and a company party. */
export async function addDraftV2(desk: MemoryDesk, name = 'Lease'): Promise<Draft> {
  const { api } = desk;
  const content = { api: 'v2', body: bodyV2(name) } as const;
  return api['drafts.create']({ content, connectionId: null });
}

export function bodyV2(name: string): DraftBodyV2 {
  return DraftBodyV2.parse({
    name,
    type: 'FREE_TEXT',
    text: 'All of it.',
    parties: {
      privates: [
        {
          personNo: '189001019802',
          firstName: 'Åsa',
          lastName: 'Öberg',
          email: 'asa@example.com',
        },
      ],
      companies: [
        { orgNo: '556036-0793', firstName: 'Bo', lastName: 'Ek', email: 'bo@example.com' },
      ],
    },
  });
}
