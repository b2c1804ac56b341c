import type { Batch } from '../../shared/contract/batches.ts';
import type { BatchId } from '../../shared/contract/ids.ts';
import { AppError } from '../../shared/errors.ts';
import type { BatchStore, NewBatch, StoredRow } from '../../electron/core/batch-ports.ts';

interface Kept extends Omit<NewBatch, 'rows'> {
  readonly rows: readonly StoredRow[];
}

const nothing = { original: null, choice: null, ref: null, failure: null } as const;
const fresh = (
  rows: NewBatch['rows'],
  replaces: NewBatch['replaces'] = new Map(),
): readonly StoredRow[] =>
  rows.map((row) => ({ ...row, ...nothing, replaces: replaces.get(row.row) ?? null }));

/** The batch store without a file. What earlier batches sent is not looked up. */
export function createMemoryBatches(): BatchStore {
  const kept = new Map<BatchId, Kept>();
  const found = (id: BatchId): Kept => {
    const one = kept.get(id);
    if (one === undefined) throw new AppError('not-found', `There is no batch ${id}`);
    return one;
  };
  const put = (id: BatchId, change: Partial<Batch>, rows = found(id).rows): Batch => {
    const { batch } = found(id);
    const next = { ...batch, ...change, revision: batch.revision + 1 };
    kept.set(id, { ...found(id), batch: next, rows });
    return next;
  };
  const setRow = (id: BatchId, number: number, change: Partial<StoredRow>) =>
    found(id).rows.map((row) => (row.row === number ? { ...row, ...change } : row));

  return {
    list: () => [...kept.values()].map(({ batch, rows }) => ({ ...batch, rows: rows.length })),
    get: (id) => found(id).batch,
    file: (id) => found(id),
    insert: (entry) =>
      void kept.set(entry.batch.id, { ...entry, rows: fresh(entry.rows, entry.replaces) }),
    change: (id, change, at) => put(id, { ...change, updatedAt: at }),
    setRows: (id, sheet, choices, rows, at) =>
      put(id, { sheet, choices, updatedAt: at }, fresh(rows)),
    remove: (id) => void kept.delete(id),
    rows: (id) => found(id).rows,
    edit: (id, edits) =>
      edits.map(({ row, column, text }) => {
        const old = found(id).rows.find((one) => one.row === row);
        if (old === undefined) throw new AppError('not-found', `There is no row ${row}`);
        const cells = old.cells.map((cell, at) => (at === column ? text : cell));
        put(id, {}, setRow(id, row, { cells, original: old.original ?? old.cells }));
        return { row, column, text: old.cells[column] ?? '' };
      }),
    choose: (id, rows, choice) => {
      for (const row of rows) put(id, {}, setRow(id, row, { choice }));
    },
    setFailure: (id, row, failure) => void put(id, {}, setRow(id, row, { failure })),
    setStage: (id, from, to) => {
      const { batch, ...rest } = found(id);
      if (batch.stage !== from) return false;
      kept.set(id, { ...rest, batch: { ...batch, stage: to } });
      return true;
    },
    setRefs: (id, rows) => {
      for (const { row, ref } of rows) {
        kept.set(id, { ...found(id), rows: setRow(id, row, { ref }) });
      }
    },
    arming: () => [],
    sentBefore: () => null,
    foreignKeys: () => new Map(),
    recall: () => null,
    remember: () => {},
  };
}
