// tier: all
import { describe, expect, it } from 'vitest';
import { createSheetReader } from '../../../../electron/adapters/sheets/worker/read-client.ts';
import { readSheet } from '../../../../electron/adapters/sheets/read/sheet.ts';
import type { TemplateId } from '../../../../shared/model/ids.ts';
import { AppError } from '../../../../shared/errors.ts';
import {
  addLease,
  type BatchDesk,
  HEADER,
  people,
  startBatchDesk,
} from '../../../support/desks/batch-desk.ts';
import { fods, odsRow, odsText } from '../ods.ts';
import { rowsOf, workbook } from '../workbook.ts';

const FILES = 2_000;
/** Number of files that are each read in a thread, as in the program; a thread starts slowly. */
const APART = 30;
/** Number of batches in one data file. */
const FILES_PER_DESK = 200;
/** Seed of the mutations: every run has the same files, so that a failure can be repeated. */
const SEED = 20_261_121;

function createChance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    // The random number generator Mulberry32.
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const lines = [HEADER, ...people(12)];
const table = lines.map((line) => line.split(';'));
const seeds: readonly Uint8Array[] = [
  new Uint8Array(Buffer.from(`\uFEFF${lines.join('\r\n')}\r\n`)),
  new Uint8Array(Buffer.from(lines.join('\n'), 'latin1')),
  new Uint8Array(Buffer.from(`\uFEFF${lines.join('\r\n').replaceAll(';', '\t')}`, 'utf16le')),
  new Uint8Array(
    Buffer.from(`sep=;\n${lines.map((line) => line.replace(/;/, ';"a;b";')).join('\n')}`),
  ),
  workbook({
    sheets: { Sheet1: rowsOf(table) },
    behind: '<mergeCells><mergeCell ref="A3:B3"/></mergeCells>',
  }),
  // A flat file, because its XML has no CRC-32.
  fods({ tables: { Sheet1: table.map((row) => odsRow(row.map((one) => odsText(one)))).join('') } }),
];

/** Returns the file with a few bytes changed, moved, doubled or removed. */
function mutate(data: Uint8Array, chance: (below: number) => number): Uint8Array {
  let bytes = Buffer.from(data);
  for (let count = 1 + chance(6); count > 0 && bytes.length > 8; count -= 1) {
    const at = chance(bytes.length);
    const length = 1 + chance(40);
    const piece = bytes.subarray(at, at + length);
    switch (chance(6)) {
      case 0:
        bytes[at] = chance(256);
        break;
      case 1:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
        break;
      case 2:
        bytes = Buffer.concat([bytes.subarray(0, at), piece, piece, bytes.subarray(at)]);
        break;
      case 3:
        bytes = bytes.subarray(0, at);
        break;
      case 4:
        bytes = Buffer.concat([
          bytes.subarray(0, at),
          Buffer.from('";\0\n<&{{@agr'),
          bytes.subarray(at),
        ]);
        break;
      default:
        bytes.fill(chance(256), at, Math.min(bytes.length, at + length));
    }
  }
  return new Uint8Array(bytes);
}

const files = (seed: number, count: number): Uint8Array[] => {
  const chance = createChance(seed);
  return Array.from({ length: count }, () =>
    mutate(seeds[chance(seeds.length)] ?? new Uint8Array(), chance),
  );
};

describe('damaged spreadsheets', () => {
  it('are read, or rejected with a reason, in 2,000 variants', async () => {
    const ends = { read: 0, refused: 0 };
    for (const [index, file] of files(SEED, FILES).entries()) {
      try {
        const { rows, shape } = await readSheet(file, {});
        for (const { cells } of rows) expect(cells).toHaveLength(shape.columns.length);
        ends.read += 1;
      } catch (error) {
        const reason = error instanceof AppError ? error.failure.reason : String(error);
        expect({ index, reason }).toEqual({ index, reason: expect.stringMatching(/^sheet-/) });
        ends.refused += 1;
      }
    }
    // Mutations that never or always cause errors would prove little.
    expect(ends.read).toBeGreaterThan(FILES / 5);
    expect(ends.refused).toBeGreaterThan(FILES / 5);
  });

  it('do not end the program when read in a separate thread', async () => {
    const reader = createSheetReader();
    for (const file of files(SEED + 1, APART)) {
      const outcome = await reader.read(file, {}).then(
        () => 'read',
        (error: unknown) =>
          error instanceof AppError ? (error.failure.reason ?? '') : String(error),
      );
      expect(outcome).toMatch(/^(?:read|sheet-)/);
    }
    await reader.close();
  });

  it('never let a row with an error be sent, even if the user includes the row', async () => {
    const counted = { armed: 0, besideErrors: 0 };
    const all = files(SEED + 2, FILES);
    for (let from = 0; from < all.length; from += FILES_PER_DESK) {
      using started = await startBatchDesk();
      const { id: templateId } = await addLease(started.desk);
      for (const file of all.slice(from, from + FILES_PER_DESK)) {
        const { armed, wrong } = await sendAll(started, templateId, file);
        expect(armed.filter((row) => wrong.includes(row))).toEqual([]);
        counted.armed += armed.length;
        if (armed.length > 0) counted.besideErrors += wrong.length;
      }
    }
    expect(counted.armed).toBeGreaterThan(FILES / 10);
    expect(counted.besideErrors).toBeGreaterThan(FILES / 10);
  }, 300_000);
});

/** Includes every row, even those sent before or with errors, and sends all allowed rows. */
async function sendAll(
  { desk, world, connectionId }: BatchDesk,
  templateId: TemplateId,
  file: Uint8Array,
): Promise<{ readonly armed: readonly number[]; readonly wrong: readonly number[] }> {
  const bytes = desk.bytes.put(file);
  const about = { name: 'Damaged', fileName: 'damaged.csv', choices: {} };
  const order = { ...about, bytes, connectionId, templateId };
  const batch = await desk.api['batches.create'](order).catch(() => null);
  if (batch === null) return { armed: [], wrong: [] };
  const { id } = batch;
  const rowsOfKind = async (filter: 'all' | 'errors') => {
    const { rows } = await desk.api['batches.rows']({ id, filter, offset: 0, limit: 1000 });
    return rows.map(({ row }) => row);
  };
  const rows = await rowsOfKind('all');
  const { check } = await desk.api['batches.exclude']({ id, rows, isExcluded: false });
  const { revision } = await desk.api['batches.show']({ id });
  const job = await desk.api['batches.send']({ id, confirm: check.ready, revision }).catch(
    () => null,
  );
  if (job !== null) await desk.finish(job.jobId);
  const armed = world.stores.outbox.inBatch(id).map(({ rowNo }) => rowNo ?? 0);
  return { armed, wrong: await rowsOfKind('errors') };
}
