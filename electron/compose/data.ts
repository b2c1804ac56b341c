import { existsSync, statfsSync } from 'node:fs';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { describeAuthorities } from '../adapters/network/authorities.ts';
import { createNetwork } from '../adapters/network/network.ts';
import { createNetworkSettings } from '../adapters/network/settings-file.ts';
import type { FindSystemRoutes } from '../adapters/network/system-ways.ts';
import { createCardReader } from '../adapters/cards/client.ts';
import { createEncoding } from '../adapters/system/encoding.ts';
import { systemScheduler } from '../adapters/system/platform.ts';
import { createFiles } from '../adapters/files/files.ts';
import { createWatchedFolders } from '../adapters/files/watched-folders.ts';
import { createPartThreads } from '../adapters/files/part-threads.ts';
import type { Deadlines } from '../adapters/rest/http/transport.ts';
import { createOpenActions, createOpenService } from '../adapters/rest/open-service.ts';
import { capabilitiesV1 } from '../adapters/rest/v1/service.ts';
import { capabilitiesV2 } from '../adapters/rest/v2/service.ts';
import { createUpdateSource } from '../adapters/updates/feed.ts';
import { createReportWriter } from '../adapters/sheets/write/report.ts';
import { createRowChecks } from '../adapters/sheets/worker/check-client.ts';
import { createBackupFiles } from '../adapters/backup/thread.ts';
import { copiesOf, extractedDataOperations } from '../adapters/sqlite/backup/copies.ts';
import { createSheetReader } from '../adapters/sheets/worker/read-client.ts';
import type { FolderConverter } from '../adapters/documents/convert.ts';
import { createDirectCopies } from '../adapters/sqlite/copies/direct.ts';
import { writeCopiesInThread } from '../adapters/sqlite/copies/thread.ts';
import { countDirectly, readDirectly } from '../adapters/sqlite/reader/direct.ts';
import { readInThread } from '../adapters/sqlite/reader/thread.ts';
import { checkpointInThread } from '../adapters/sqlite/open/checkpoints.ts';
import type { Database } from '../adapters/sqlite/database/database.ts';
import { watchForeignChanges } from '../adapters/sqlite/open/foreign-changes.ts';
import { createWriterLock } from '../adapters/sqlite/open/lock.ts';
import { openDatabase } from '../adapters/sqlite/open/open.ts';
import { spaceOf } from '../adapters/sqlite/space/space.ts';
import { createStores } from '../adapters/sqlite/stores.ts';
import { dataKey } from '../adapters/vault/data-key.ts';
import { createExternalState } from '../adapters/vault/external-state.ts';
import { createOpenDesk, type DeskPorts, type OpenDesk } from '../core/desk.ts';
import { renewFieldNames } from '../core/drafts/renew-field-names.ts';
import type { DocumentConverter } from '../core/documents/ports.ts';
import type { Network, NetworkSettingsStore } from '../core/network/ports.ts';
import type { StatementPrinter } from '../core/evidence/ports.ts';
import type { PdfForms, Stores } from '../core/ports.ts';
import type { Language } from '../../shared/model/languages.ts';
import { languageOf } from '../../shared/rules/text/languages.ts';
import { createOwnDemo, type RunningDemo, useRunningDemo } from './demo.ts';
import { makeWorkplace } from './workplace.ts';

export interface OpenData {
  readonly desk: OpenDesk;
  readonly stores: Stores;
  readonly database: Database;
  readonly network: Network;
  readonly networkSettings: NetworkSettingsStore;
  close(): Promise<void>;
}

export type DataContext = Pick<
  DeskPorts,
  | 'vault'
  | 'profile'
  | 'clock'
  | 'chance'
  | 'log'
  | 'emit'
  | 'toFailure'
  | 'bytes'
  | 'origin'
  | 'atKillPoint'
  | 'updater'
  | 'version'
  | 'logFiles'
> & {
  /** Timeouts for tests with a scaled clock; default: the production values. */
  readonly deadlines?: Deadlines;
  /** Cost of a guess at the recovery phrase, for tests; default: the production value. */
  readonly phraseWork?: number | undefined;
  readonly folder: string;
  readonly systemWays: FindSystemRoutes;
  /** Folder of this account for data about this computer; null if there is none. */
  readonly stateDir: string | null;
  readonly demo: RunningDemo | undefined;
  /** Language tag (BCP 47) from the user's system. */
  readonly locale: string;
  readonly language: Language | null;
  /** A window watches the clock and other processes; a command carries out its task and ends. */
  readonly interactive: boolean;
};

/** The PDF code is the largest module, and most starts do not need it. */
const lazyPdfForms: PdfForms = {
  read: async (...document) => (await loadPdfForms()).read(...document),
  find: async (...document) => (await loadPdfForms()).find(...document),
  guides: async (...document) => (await loadPdfForms()).guides(...document),
  place: async (...form) => (await loadPdfForms()).place(...form),
  carry: async (...forms) => (await loadPdfForms()).carry(...forms),
  merge: async (...form) => (await loadPdfForms()).merge(...form),
  textFits: async (...values) => (await loadPdfForms()).textFits(...values),
  missingLetters: async (...texts) => (await loadPdfForms()).missingLetters(...texts),
  compile: async (...form) => (await loadPdfForms()).compile(...form),
};

const statementPrinter: StatementPrinter = {
  async print(statement) {
    const { createStatementPrinter } = await import('../adapters/pdf/statement.ts');
    return createStatementPrinter().print(statement);
  },
};

let pdfForms: Promise<PdfForms> | null = null;

/** Loads the thread that reads the PDFs of all data folders; it keeps no data between two files. */
function loadPdfForms(): Promise<PdfForms> {
  pdfForms ??= import('../adapters/pdf/forms.ts').then(({ createPdfForms }) => createPdfForms());
  return pdfForms;
}

/**
 * Creates the converter of documents. It works inside the data folder, which only its user may
 * read.
 */
function converterIn(folder: string): DocumentConverter & { clean(): Promise<void> } {
  const place = path.join(folder, 'converting');
  const ports = { folder: place, lock: createWriterLock(`${place}.lock`) };
  let converter: Promise<FolderConverter> | null = null;
  const load = (): Promise<FolderConverter> =>
    (converter ??= import('../adapters/documents/convert.ts').then(({ createDocumentConverter }) =>
      createDocumentConverter(ports),
    ));
  return {
    convert: async (...document) => (await load()).convert(...document),
    async clean() {
      if (existsSync(place)) await (await load()).clean();
    },
  };
}

/**
 * Opens the data. Throws 'vault', 'storage' or 'newer-data' with the reason, and then leaves
 * nothing open.
 */
export async function openData(context: DataContext): Promise<OpenData> {
  const { folder, vault, clock } = context;
  const file = databaseFile(folder);
  const key = await dataKey(vault, { databaseExists: existsSync(file) });
  const database = openDatabase({ file, key, now: clock.now() });
  const checkpoints = checkpointInThread(database, { file, key });
  try {
    const stores = createStores(database, context.atKillPoint);
    const copies = writeCopiesInThread(database, {
      file,
      key,
      direct: createDirectCopies(stores, systemScheduler),
      committed: () => checkpoints.committed(),
    });
    const reader = context.interactive
      ? readInThread({ file, key, lists: stores.agreements, board: stores.board })
      : null;
    const lists = reader ?? readDirectly(stores.agreements);
    const board = reader ?? countDirectly(stores.board);
    const dataCopies = copiesOf({ file, key });
    const space = spaceOf({ file, key });
    const ports = {
      ...context,
      stores,
      copies,
      lists,
      board,
      dataCopies,
      space,
      copiesWritten: () => copies.commits(),
    };
    const { close, ...open } = await createOpenData(database, ports);
    await renewFieldNames({ stores, pdf: lazyPdfForms, clock });
    return {
      ...open,
      async close() {
        await close();
        await copies.close();
        await reader?.close();
        await checkpoints.close();
        database.close();
      },
    };
  } catch (error) {
    await checkpoints.close();
    database.close();
    throw error;
  }
}

type OpenDataContext = DataContext &
  Pick<DeskPorts, 'stores' | 'copies' | 'lists' | 'board' | 'dataCopies' | 'space'> & {
    /** Returns the number of commits of the thread that writes copies. */
    readonly copiesWritten: () => number;
  };

/**
 * Creates the stores, adapters and features for an open data file, which stays open when they are
 * closed.
 */
async function createOpenData(database: Database, context: OpenDataContext): Promise<OpenData> {
  const { folder, vault, stateDir, stores } = context;
  const demo =
    context.demo === undefined
      ? createOwnDemo(path.join(folder, 'demo-service'), vault)
      : useRunningDemo(context.demo);
  const networkSettings = createNetworkSettings(folder);
  const { systemWays } = context;
  const network = createNetwork({ settings: networkSettings, vault, systemWays });
  const parts = createPartThreads();
  const documents = converterIn(folder);
  // Plaintext parts of documents that a killed process left; not awaited.
  void documents.clean().catch((error) => context.log.error(error, 'clean documents'));
  // Like the window, without a choice by the user, commands use the system's language if it is
  // supported.
  const language = (): Language =>
    context.language ?? stores.settings.read().language ?? languageOf(context.locale) ?? 'en';
  const desk = createOpenDesk({
    ...context,
    language,
    demo: demo.service,
    externalState: createExternalState({ stateDir, dataDir: folder, file: databaseFile(folder) }),
    lock: createWriterLock(path.join(folder, 'outbox.lock')),
    backupLock: createWriterLock(path.join(folder, 'backup.lock')),
    backupFiles: createBackupFiles(context.phraseWork),
    backupPlaces: { inspect: extractedDataOperations.inspect, workplace: makeWorkplace },
    archiveLock: createWriterLock(path.join(folder, 'archive.lock')),
    openService: createOpenService({ ...context, language, network }, context.deadlines),
    freeDisk: () => freeBytes(folder),
    updateSource: createUpdateSource({ ...context, network }),
    openActions: createOpenActions({ ...context, language, network }),
    capabilities: [capabilitiesV1, capabilitiesV2],
    files: createFiles(parts),
    networkSettings,
    describeAuthorities,
    watched: createWatchedFolders(),
    offices: async () => (await import('../adapters/office/offices.ts')).offices,
    pdf: lazyPdfForms,
    documents,
    encoding: createEncoding(),
    printer: statementPrinter,
    scheduler: systemScheduler,
    sheets: { reader: createSheetReader(), checks: createRowChecks() },
    cards: createCardReader(),
    reports: createReportWriter(),
    sha256: (data) => createHash('sha256').update(data).digest('hex'),
  });
  const endWatch = await startDataWork(desk, database, context);
  return {
    desk,
    stores,
    database,
    network,
    networkSettings,
    async close() {
      endWatch();
      await desk.stop();
      await parts.close();
      await demo.close();
    },
  };
}

/** Returns the number of free bytes; null if the system does not report it. */
function freeBytes(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}

export function databaseFile(folder: string): string {
  return path.join(folder, 'desk.db');
}

/** Data file of a folder, with SQLite's own files; the data file first. */
export const dataFiles: readonly string[] = ['desk.db', 'desk.db-wal', 'desk.db-shm'];

/** Name within a data folder for data that is set aside. */
export function setAsideName(now: number): string {
  const time = new Date(now).toISOString().slice(0, 19).replaceAll(':', '-');
  return `set-aside-${time}Z`;
}

async function startDataWork(
  desk: OpenDesk,
  database: Database,
  { interactive, clock, copiesWritten }: OpenDataContext,
): Promise<() => void> {
  desk.recover();
  await desk.check();
  if (!interactive) return () => {};
  desk.start();
  return watchForeignChanges(database, copiesWritten, clock, () => desk.wake());
}
