/*
 * Measures how long the main loop is blocked during one long piece of work: `report FOLDER FORM`,
 * `archive ORIGIN FILES` or `freeze ROWS`. Prints as JSON, in milliseconds, the 99.9th percentile
 * of the blocks and the longest one.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createDesk } from '../../../electron/compose/compose.ts';
import { createHostFeatures } from '../../../electron/hosts/chromium/features.ts';
import { AgreementView } from '../../../shared/contract/agreement-query.ts';
import { AgreementState, PartyState } from '../../../shared/model/agreement.ts';
import { connectDirectly } from '../../../shared/wire.ts';
import { tempDatabase } from '../../adapters/sqlite/temp-database.ts';
import { addBatch, addLease, leaseV1, people, realForms } from '../../support/desks/batch-desk.ts';
import { addConnection, createWorld, startMemoryDesk } from '../../support/fakes/memory-desk.ts';
import { openArchive } from '../archive-runs.ts';

const NANOSECONDS_PER_MS = 1e6;
const RETRY_MS = 50;
/** Time that the reader's thread needs to start after the first question (ms). */
const READER_MS = 2000;

const [work = '', ...rest] = process.argv.slice(2);
const folder = await mkdtemp(path.join(tmpdir(), 'desk-bench-'));
if (work === 'report') await report(rest[0] ?? '', rest[1] === 'csv' ? 'csv' : 'xlsx');
else if (work === 'archive') await archive(rest[0] ?? '', Number(rest[1]));
else await freeze(Number(rest[0]));
await rm(folder, { recursive: true });

async function report(dataDir: string, form: 'csv' | 'xlsx'): Promise<void> {
  const desk = createDesk({
    dataDir,
    stateDir: `${dataDir}.state`,
    vault: { keyfile: `${dataDir}.key` },
    version: '0.0.0-bench',
    locale: 'en-GB',
    platform: 'linux',
    documentsFolder: dataDir,
    features: createHostFeatures(),
    interactive: true,
  });
  await desk.open();
  const { api } = connectDirectly(desk.handlers, desk.toFailure);
  // A window requests the list before a user orders a report, and starts the reader's thread so.
  await api['agreements.list']({ limit: 1 });
  await wait(READER_MS);
  const states = Object.fromEntries(AgreementState.options.map((state) => [state, state]));
  const partyStates = Object.fromEntries(PartyState.options.map((state) => [state, state]));
  const columns = (['title', 'parties', 'state', 'id', 'updated', 'expires'] as const).map(
    (column) => ({ column, heading: column }),
  );
  await measured(async () => {
    const { jobId } = await api['reports.write']({
      file: path.join(folder, `report.${form}`),
      form,
      rows: { kind: 'view', view: AgreementView.parse({}), except: [] },
      columns,
      words: {
        title: 'Report',
        states: states as never,
        partyStates: partyStates as never,
        unsigned: 'not signed',
        rejectedOrExpired: 'ended',
      },
    });
    for (;;) {
      const { state, failure } = await api['jobs.show']({ jobId });
      if (state === 'done') return;
      if (state !== 'running') throw new Error(failure?.message ?? state);
      await wait(RETRY_MS);
    }
  });
  await desk.close();
}

async function archive(origin: string, files: number): Promise<void> {
  const { archiving, close } = openArchive(folder, origin, files);
  await measured(async () => {
    const run = { folder: path.join(folder, 'archive'), parallel: 8 };
    const { result, failure } = await archiving.run(run);
    if (failure !== null || result.saved !== files) throw new Error(JSON.stringify(result));
  });
  close();
}

async function freeze(rows: number): Promise<void> {
  using temp = tempDatabase();
  const desk = startMemoryDesk({
    ...createWorld(),
    stores: { ...temp.stores, journal: [], actionJournal: [] },
    pdf: realForms(),
  });
  const { id: connectionId } = await addConnection(desk, 'v1');
  const template = await addLease(desk, leaseV1);
  const { id, revision } = await addBatch({ desk, connectionId }, template, people(rows));
  await measured(async () => {
    const { jobId } = await desk.api['batches.send']({ id, confirm: rows, revision });
    const { state } = await desk.finish(jobId);
    if (state !== 'done') throw new Error(`The batch is ${state}`);
  });
  await desk.desk.stop();
}

async function measured(run: () => Promise<void>): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const started = performance.now();
  await run();
  const took = performance.now() - started;
  delay.disable();
  const most = delay.percentile(99.9) / NANOSECONDS_PER_MS;
  process.stdout.write(JSON.stringify({ most, longest: delay.max / NANOSECONDS_PER_MS, took }));
}
