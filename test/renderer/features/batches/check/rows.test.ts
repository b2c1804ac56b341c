import { beforeEach, expect, it, vi } from 'vitest';
import type { BatchRow, CellEdit } from '../../../../../shared/contract/batches.ts';
import { BatchId } from '../../../../../shared/model/ids.ts';

const id = BatchId.parse('0b5f6f0e-5b0d-4c51-9a51-6c1f5c1f7a02');

/** The core's side of the calls, with its rows and a record of the requests. */
const core = vi.hoisted(() => {
  const rows: BatchRow[] = [];
  const choices = new Map<number, boolean | null>();
  const asked: string[] = [];
  return { rows, choices, asked };
});

vi.mock('../../../../../renderer/window/desk.ts', () => {
  const replace = (rows: readonly BatchRow[]) => {
    for (const row of rows) core.rows[row.row - 1] = row;
    return { rows, check: { excluded: core.rows.filter((one) => one.isExcluded).length } };
  };
  const rowAt = (row: number): BatchRow => {
    const found = core.rows[row - 1];
    if (found === undefined) throw new Error(`There is no row ${String(row)}`);
    return found;
  };
  const api = {
    'batches.rows': async ({ offset, limit }: { offset: number; limit: number }) => ({
      rows: core.rows.slice(offset, offset + limit),
      total: core.rows.length,
    }),
    'batches.check': async () => ({ excluded: 0 }),
    'batches.nextError': async () => ({ row: 9, column: 0 }),
    'batches.exclude': async (order: { rows: number[]; isExcluded: boolean | null }) => {
      const before = order.rows.map((row) => ({ row, isExcluded: core.choices.get(row) ?? null }));
      for (const row of order.rows) core.choices.set(row, order.isExcluded);
      const isExcluded = order.isExcluded ?? false;
      return { ...replace(order.rows.map((row) => ({ ...rowAt(row), isExcluded }))), before };
    },
    'batches.edit': async ({ edits }: { edits: CellEdit[] }) => {
      const before = edits.map((edit) => ({ ...edit, text: rowAt(edit.row).cells[0] ?? '' }));
      return {
        ...replace(edits.map(({ row, text }) => ({ ...rowAt(row), cells: [text] }))),
        before,
      };
    },
  };
  const counted = new Proxy(api, {
    get: (calls, name: keyof typeof api) => {
      core.asked.push(name);
      return calls[name];
    },
  });
  return { api: counted, failureOf: (error: unknown) => error, on: () => () => undefined };
});

const { BatchRows } = await import('../../../../../renderer/features/batches/check/rows.svelte.ts');

beforeEach(() => {
  core.choices.clear();
  core.rows.splice(
    0,
    core.rows.length,
    ...Array.from({ length: 2500 }, (_, at) => ({
      row: at + 1,
      cells: [`Åsa ${String(at + 1)}`],
      isExcluded: false,
      isEdited: false,
      problems: [],
      outcome: null,
    })),
  );
});

async function shown() {
  const rows = new BatchRows(id);
  await rows.show('all');
  core.asked.length = 0;
  return rows;
}

it('an excluded row of a batch is updated from the answer, and no other row is loaded again', async () => {
  const rows = await shown();
  await rows.exclude([2000], true);
  expect(core.asked).toEqual(['batches.exclude']);
  expect(rows.rows).toHaveLength(2500);
  expect(rows.rows.filter((one) => one.isExcluded).map(({ row }) => row)).toEqual([2000]);
  expect(rows.check).toMatchObject({ excluded: 1 });
});

it('an edit of a batch row and its undo are one call each', async () => {
  const rows = await shown();
  await rows.edit([{ row: 7, column: 0, text: 'Bo' }]);
  expect(rows.rows[6]?.cells).toEqual(['Bo']);
  await rows.undo();
  expect(rows.rows[6]?.cells).toEqual(['Åsa 7']);
  expect(core.asked).toEqual(['batches.edit', 'batches.edit']);
});

it('an undone exclusion of a batch row leaves the row to the check, and can be redone', async () => {
  const rows = await shown();
  await rows.exclude([7], true);
  await rows.undo();
  expect(core.choices.get(7)).toBeNull();
  await rows.redo();
  expect(core.choices.get(7)).toBe(true);
  await rows.exclude([7], false);
  await rows.undo();
  expect(core.choices.get(7)).toBe(true);
});

it('the next error of a batch is searched only after the last edit is written', async () => {
  const rows = await shown();
  const edited = rows.edit([{ row: 7, column: 0, text: 'Bo' }]);
  const found = rows.nextError({ row: 7, column: 0 });
  await edited;
  expect(await found).toEqual({ row: 9, column: 0 });
  expect(core.asked).toEqual(['batches.edit', 'batches.nextError']);
});
