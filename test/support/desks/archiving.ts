import { createHash } from 'node:crypto';
import { createEncoding } from '../../../electron/adapters/system/encoding.ts';
import { createFiles } from '../../../electron/adapters/files/files.ts';
import { createPartThreads } from '../../../electron/adapters/files/part-threads.ts';
import { createStatementPrinter } from '../../../electron/adapters/pdf/statement.ts';
import { systemClock } from '../../../electron/adapters/system/platform.ts';
import { createReportWriter } from '../../../electron/adapters/sheets/write/report.ts';
import { createToFailure } from '../../../electron/core/app-error.ts';
import { makeBag } from '../../../electron/core/archive/bag.ts';
import { readDirectly } from '../../../electron/adapters/sqlite/reader/direct.ts';
import { type ArchivePorts, ArchiveRunner } from '../../../electron/core/archive/runner.ts';
import { verifyArchive } from '../../../electron/core/archive/verify.ts';
import { EventBus } from '../../../electron/core/event-bus.ts';
import { createEvidenceWork } from '../../../electron/core/evidence/evidence.ts';
import type { Clock, Stores } from '../../../electron/core/ports.ts';
import type { Services } from '../../../electron/core/services/services.ts';
import type { ArchiveRun } from '../../../shared/contract/archive.ts';
import { createMemoryVault, createMemoryWitness } from '../fakes/memory-ports.ts';
import { createSyncing, type Place } from './syncing.ts';

const never = new AbortController().signal;
const quiet = (): void => {};

/** The archive over real stores, real files and a real service, without the rest of the program. */
export function createArchiving(stores: Stores, place: Place, clock: Clock = systemClock) {
  const log = { info: quiet, error: String };
  const syncing = createSyncing(stores, place);
  const use: Services['use'] = async (id, work) => {
    const service = syncing.services.get(id);
    if (service === undefined) throw new Error(`No service for ${id}`);
    return work(service);
  };
  const unused = (): never => {
    throw new Error('Not part of this test');
  };
  const services = {
    use,
    open: unused,
    act: unused,
    refusal: () => null,
    note: quiet,
    forget: quiet,
  };
  const origin = { user: 'maria', computer: 'desk', program: 'Signing Desk 1.0.0' };
  const common = {
    stores,
    clock,
    log,
    origin,
    emit: quiet,
    vault: createMemoryVault(),
    services,
    externalState: createMemoryWitness(),
    files: createFiles(createPartThreads()),
    encoding: createEncoding(),
    printer: createStatementPrinter(),
    reports: createReportWriter(),
    sha256: (data: Uint8Array) => createHash('sha256').update(data).digest('hex'),
    toFailure: createToFailure(log),
  };
  const lists = readDirectly(common.stores.agreements);
  const events = new EventBus(
    () => undefined,
    (error) => {
      throw error;
    },
  );
  const ports = {
    ...common,
    lists,
    ...createEvidenceWork({ ...common, events }),
  } satisfies ArchivePorts;
  return {
    ports,
    syncing,
    run: async (run: ArchiveRun, signal = never) => {
      const runner = new ArchiveRunner(ports, run);
      await runner.open();
      return runner.run(signal, quiet);
    },
    verify: (folder: string) => verifyArchive(ports, folder, never, quiet),
    bag: (folder: string, to: string) => makeBag(ports, { folder, to }, never, quiet),
  };
}
