import { existsSync } from 'node:fs';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { createFiles } from './adapters/files.ts';
import { createOpenActions, createOpenService } from './adapters/rest/open-service.ts';
import { capabilitiesV1 } from './adapters/rest/v1-service.ts';
import { capabilitiesV2 } from './adapters/rest/v2-service.ts';
import type { Database } from './adapters/sqlite/database.ts';
import { watchForeignChanges } from './adapters/sqlite/foreign-changes.ts';
import { createWriterLock } from './adapters/sqlite/lock.ts';
import { openDatabase } from './adapters/sqlite/open.ts';
import { createStores } from './adapters/sqlite/stores.ts';
import { dataKey } from './adapters/vault/data-key.ts';
import { createOpenDesk, type DeskPorts, type OpenDesk } from './core/desk.ts';
import type { PdfForms, Stores } from './core/ports.ts';
import { createOwnDemo, type RunningDemo, useRunningDemo } from './compose-demo.ts';

/** The data of one folder while it is open, with the features over it. */
export interface OpenData {
  readonly desk: OpenDesk;
  readonly stores: Stores;
  readonly database: Database;
  close(): Promise<void>;
}

/** What a data folder is opened with. */
export type Around = Pick<
  DeskPorts,
  'vault' | 'profile' | 'clock' | 'chance' | 'log' | 'emit' | 'toFailure' | 'bytes'
> & {
  readonly folder: string;
  readonly demo: RunningDemo | undefined;
  /** A window watches the clock and other processes; a command does what it is told and ends. */
  readonly interactive: boolean;
};

/** The code for PDFs is the largest there is, and most starts of the program touch none. */
const pdf: PdfForms = {
  read: async (...document) => (await loadPdfForms()).read(...document),
  merge: async (...form) => (await loadPdfForms()).merge(...form),
};

async function loadPdfForms(): Promise<PdfForms> {
  const { createPdfForms } = await import('./adapters/pdf/pdf-forms.ts');
  return createPdfForms();
}

/** Throws 'vault', 'storage' or 'newer-data' with the reason; nothing stays open then. */
export async function openData(around: Around): Promise<OpenData> {
  const { folder, vault, clock } = around;
  const file = databaseFile(folder);
  const key = await dataKey(vault, { databaseExists: existsSync(file) });
  const database = openDatabase({ file, key, now: clock.now() });
  try {
    return furnish(database, around);
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The stores, the adapters and the features over an open data file. */
function furnish(database: Database, around: Around): OpenData {
  const { folder, vault } = around;
  const demo =
    around.demo === undefined
      ? createOwnDemo(path.join(folder, 'demo-service'), vault)
      : useRunningDemo(around.demo);
  const stores = createStores(database);
  const desk = createOpenDesk({
    ...around,
    stores,
    demo: demo.service,
    lock: createWriterLock(path.join(folder, 'outbox.lock')),
    openService: createOpenService(around),
    openActions: createOpenActions(around),
    capabilities: [capabilitiesV1, capabilitiesV2],
    files: createFiles(),
    pdf,
    sha256: (data) => createHash('sha256').update(data).digest('hex'),
  });
  const endWatch = begin(desk, database, around);
  return {
    desk,
    stores,
    database,
    async close() {
      endWatch();
      await desk.stop();
      database.close();
      await demo.close();
    },
  };
}

/** Where the data of a folder lies. */
export function databaseFile(folder: string): string {
  return path.join(folder, 'desk.db');
}

function begin(desk: OpenDesk, database: Database, { interactive, clock }: Around): () => void {
  desk.recover();
  if (!interactive) return () => {};
  desk.start();
  return watchForeignChanges(database, clock, () => desk.wake());
}
