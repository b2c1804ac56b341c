import { fork } from 'node:child_process';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import readXlsx from 'read-excel-file/universal';
import writeXlsxFile from 'write-excel-file/node';
import type { BenchRow } from '../../build/bench.ts';
import { systemChance, systemClock } from '../../electron/adapters/system/platform.ts';
import { createOpenService } from '../../electron/adapters/rest/open-service.ts';
import { readSheet } from '../../electron/adapters/sheets/read/sheet.ts';
import { createRowCheck } from '../../shared/rules/batches/check.ts';
import { matchColumns } from '../../shared/rules/batches/match.ts';
import { tempDatabase } from '../adapters/sqlite/temp-database.ts';
import { mappingV1, NOW } from '../rules/batches/row.ts';
import { addBatch, addLease, people, realForms, swedish } from '../support/desks/batch-desk.ts';
import { addConnection, createWorld, startMemoryDesk } from '../support/fakes/memory-desk.ts';
import { median } from './median.ts';

export const name = 'batch: 10,000 rows checked, rows sent to a service that takes 50 ms, memory';

const CHILD = path.join(import.meta.dirname, 'children/slow-service.ts');
const FREEZER = path.join(import.meta.dirname, 'children/freeze-batch.ts');
const ROWS = 10_000;
const PAIRS = 3;
const CHECK_GOAL = 3;
/** Delay of the service (ms), and number of requests in flight. */
const LATENCY = 50;
const IN_FLIGHT = 3;
const SENT = 150;
const SEND_GOAL = 1 / 0.9;
/** Goal: memory for 10,000 rows relative to 500, with a PDF of a megabyte each. */
const MEMORY_GOAL = 1.3;
/** A small heap, so that released memory is soon collected. */
const SMALL_HEAP = ['--max-old-space-size=96', '--max-semi-space-size=4'];
const FEW = 25;
/** Number of rows, 20 times `FEW`, as 10,000 is 20 times 500. Frozen bytes are on the disk. */
const MANY = 500;

export async function run(): Promise<readonly BenchRow[]> {
  return [await checking(), await sending(), await memory()];
}

const header = [
  ...['First name', 'Last name', 'E-mail', 'Mobile', 'Country', 'Personal number'],
  ...['Expires', 'Rent', 'Town', 'Street', 'Note', 'Code'],
];

async function sheet(): Promise<Uint8Array> {
  const rows = Array.from({ length: ROWS }, (_, at) => [
    ...['Åsa', `Öberg ${at}`, `asa${at}@example.com`, `+4670${1_000_000 + at}`, 'SE'],
    swedish(1950 + (at % 50), 1 + (at % 12), 1 + (at % 28), 100 + (at % 890)),
    ...['2027-01-31', String(9000 + at), 'Malmö', `Storgatan ${at}`, 'no pets', `K${at}`],
  ]);
  const cells = [header, ...rows].map((row) => row.map((value) => ({ value, type: String })));
  const bytes = await writeXlsxFile(cells).toBuffer();
  return new Uint8Array(bytes);
}

/** Compares reading and validating with a library that only reads the same file. */
async function checking(): Promise<BenchRow> {
  const data = await sheet();
  const ours: number[] = [];
  const base: number[] = [];
  for (let pair = 0; pair <= PAIRS; pair += 1) {
    const desk = await timed(() => judge(data));
    const library = await timed(() =>
      readXlsx(data.slice().buffer, { parseNumber: (text: string) => text } as never),
    );
    if (pair === 0) continue;
    ours.push(desk);
    base.push(library);
  }
  const what = `${String(ROWS)} rows × 12 columns read and checked / read-excel-file, reading only`;
  return { what, ours: median(ours), base: median(base), goal: CHECK_GOAL };
}

async function judge(data: Uint8Array): Promise<void> {
  const { shape, rows } = await readSheet(data, {});
  const columns = shape.columns.map((column) => column.name);
  const check = createRowCheck({
    mapping: mappingV1,
    matches: matchColumns(mappingV1, columns),
    columns,
    document: null,
    fields: [],
    now: NOW,
    number: '1',
    allowed: null,
  });
  for (const row of rows) check(row);
}

/**
 * Compares the rows of a batch through the outbox with a bare client with as many requests in
 * flight.
 */
async function sending(): Promise<BenchRow> {
  // The service has its own process, so that its work does not count as the program's.
  const server = fork(CHILD, [String(LATENCY)]);
  const [port] = (await once(server, 'message')) as [number];
  const url = `http://127.0.0.1:${port}`;
  const ours: number[] = [];
  const base: number[] = [];
  for (let pair = 0; pair <= PAIRS; pair += 1) {
    const bare = await timed(() => sendBare(url));
    const desk = await sendBatch(url);
    if (pair === 0) continue;
    ours.push(desk);
    base.push(bare);
  }
  server.kill();
  const what = `${String(SENT)} rows sent, two commits each / a bare client`;
  return {
    what: `${what}; ${String(IN_FLIGHT)} in flight, ${String(LATENCY)} ms each`,
    ours: median(ours),
    base: median(base),
    goal: SEND_GOAL,
  };
}

/** Time that latency and concurrency allow on this computer: requests without any stored data. */
async function sendBare(url: string): Promise<void> {
  let left = SENT;
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const sent = request(url, { method: 'POST', agent: false });
      sent.end('{}');
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      await text(answer);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
}

/** Time from the first row of a batch to the last (ms). */
async function sendBatch(url: string): Promise<number> {
  using temp = tempDatabase();
  const log = { info: () => {}, error: String };
  const open = createOpenService({ clock: systemClock, chance: systemChance, log });
  const base = createWorld();
  const desk = startMemoryDesk({
    ...base,
    clock: { ...base.clock, ...systemClock },
    chance: { ...base.chance, ...systemChance },
    opened: { ...base.opened, open: (connection, secret) => open({ ...connection, url }, secret) },
    stores: { ...temp.stores, journal: [], actionJournal: [] },
    pdf: realForms(),
  });
  const { id: connectionId } = await addConnection(desk, 'v1');
  const batch = await addBatch({ desk, connectionId }, await addLease(desk), people(SENT));
  const { id, revision } = batch;
  const { jobId } = await desk.api['batches.send']({ id, confirm: SENT, revision });
  await desk.finish(jobId);
  const took = await timed(() => desk.api['outbox.run']({}));
  const { sent } = await desk.api['batches.progress']({ id });
  await desk.desk.stop();
  if (sent !== SENT) throw new Error(`Only ${String(sent)} rows were sent`);
  return took;
}

/**
 * Memory of a process that freezes many rows with a PDF of a megabyte each, relative to few rows.
 */
async function memory(): Promise<BenchRow> {
  const [few = FEW, many = MANY] = sizes();
  const base = await heldFor(few);
  const ours = await heldFor(many);
  const what = `MB held while ${String(many)} rows with 1 MB each are frozen / ${String(few)} rows`;
  return { what, ours, base, goal: MEMORY_GOAL };
}

/** Numbers of rows from `DESK_BENCH_ROWS`, such as `500,10000`, which need 15 GB of disk. */
function sizes(): readonly number[] {
  const asked = process.env['DESK_BENCH_ROWS'];
  return asked === undefined ? [] : asked.split(',').map(Number);
}

/**
 * Memory for `count` rows. Each number has its own process, because a process does not return
 * memory.
 */
async function heldFor(count: number): Promise<number> {
  const child = fork(FREEZER, [String(count)], { execArgv: SMALL_HEAP });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`Freezing ${String(count)} rows ended with ${String(code)}`);
  });
  const [held] = (await Promise.race([once(child, 'message'), ended])) as [number];
  return held;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
