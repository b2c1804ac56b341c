import type { CellEdit, CellPosition, RowProblem } from '../../../shared/contract/batches.ts';
import type { BatchId } from '../../../shared/model/ids.ts';
import type { Emit, HandlersOf } from '../../../shared/contract/index.ts';
import { type BatchValidator, type ValidatedRow, rowsFor, toShownRow } from './judge.ts';
import type { StoredRow } from './ports.ts';
import type { Clock, Stores } from '../ports.ts';

interface EditPorts {
  readonly stores: Pick<Stores, 'batches' | 'outbox'>;
  readonly judge: BatchValidator;
  readonly clock: Clock;
  readonly emit: Emit;
}

type EditHandlers = Pick<
  HandlersOf<'batches'>,
  | 'batches.check'
  | 'batches.rows'
  | 'batches.edit'
  | 'batches.repairAlike'
  | 'batches.replace'
  | 'batches.exclude'
  | 'batches.nextError'
>;

type LastFoundRows = ReturnType<BatchValidator['lastFound']>;

export function createBatchEditHandlers(ports: EditPorts): EditHandlers {
  const { stores, judge, clock } = ports;
  const write = (id: BatchId, edits: readonly CellEdit[]): CellEdit[] => {
    if (edits.length === 0) return [];
    const before = stores.batches.edit(id, edits, clock.now());
    ports.emit('batches.changed', { id });
    return [...before];
  };
  /** Returns every row whose result changed, including duplicates of the written rows. */
  const changedBy = async (id: BatchId, written: Iterable<number>, known: LastFoundRows) => {
    const { rows, check } = await judge.judge(id);
    const numbers = new Set(written);
    const before = new Set(known);
    const isChanged = (row: ValidatedRow) =>
      numbers.has(row.stored.row) || (known !== null && !before.has(row));
    return { rows: rows.filter(isChanged).map((row) => toShownRow(row, stores.outbox)), check };
  };

  return {
    'batches.check': async ({ id }) => (await judge.judge(id)).check,
    'batches.rows': async ({ id, filter, offset, limit }) => {
      const rows = rowsFor((await judge.judge(id)).rows, filter);
      const shown = rows.slice(offset, offset + limit);
      return { rows: shown.map((row) => toShownRow(row, stores.outbox)), total: rows.length };
    },
    'batches.edit': async ({ id, edits }) => {
      const known = judge.lastFound(id);
      const before = write(id, edits);
      const written = edits.map(({ row }) => row);
      return { ...(await changedBy(id, written, known)), before };
    },
    'batches.repairAlike': async ({ id, column, code, detail }) => {
      const { rows } = await judge.judge(id);
      const edits = repairsFor(rows, column, code, detail);
      return { before: write(id, edits), changed: edits.length };
    },
    'batches.replace': async ({ id, column, find, replace }) => {
      const edits = replacements(stores.batches.rows(id), column, find, replace);
      return { before: write(id, edits), changed: edits.length };
    },
    'batches.exclude': async ({ id, rows, isExcluded }) => {
      const known = judge.lastFound(id);
      const before = stores.batches.choose(id, rows, isExcluded, clock.now());
      ports.emit('batches.changed', { id });
      return { ...(await changedBy(id, rows, known)), before: [...before] };
    },
    'batches.nextError': async ({ id, after }) => {
      const places = errorPlaces(rowsFor((await judge.judge(id)).rows, 'errors'));
      return places.find((place) => isAfter(place, after)) ?? places[0] ?? null;
    },
  };
}

/** Returns the cells with errors, each once, row by row and from left to right. */
function errorPlaces(rows: readonly ValidatedRow[]): readonly CellPosition[] {
  return rows.flatMap(({ stored: { row }, problems }) => {
    const wrong = problems.flatMap(({ isError, column }) => (isError ? [column ?? 0] : []));
    return [...new Set(wrong)].toSorted((a, b) => a - b).map((column) => ({ row, column }));
  });
}

const isAfter = (place: CellPosition, { row, column }: CellPosition): boolean =>
  place.row > row || (place.row === row && place.column > column);

/**
 * Returns the repair of each cell of the column with the same problem, if the cell has exactly one
 * repair.
 */
function repairsFor(
  rows: readonly ValidatedRow[],
  column: number,
  code: RowProblem['code'],
  detail: string,
): readonly CellEdit[] {
  return rows.flatMap(({ stored, problems }): CellEdit[] => {
    const alike = problems.find(
      (one) => one.column === column && one.code === code && one.detail === detail,
    );
    const [repair, ...others] = alike?.repairs ?? [];
    // If there are several repairs, the user has to choose.
    if (repair === undefined || others.length > 0) return [];
    return [{ row: stored.row, column, text: repair }];
  });
}

function replacements(
  rows: readonly StoredRow[],
  column: number | null,
  find: string,
  replace: string,
): readonly CellEdit[] {
  return rows.flatMap(({ row, cells }) =>
    cells.flatMap((cell, at): CellEdit[] => {
      if ((column !== null && at !== column) || !cell.includes(find)) return [];
      return [{ row, column: at, text: cell.replaceAll(find, () => replace) }];
    }),
  );
}
