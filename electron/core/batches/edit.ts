import type { CellEdit, CellPosition, RowProblem } from '../../../shared/contract/batches.ts';
import type { BatchId } from '../../../shared/model/ids.ts';
import type { Emit, HandlersOf } from '../../../shared/contract/index.ts';
import { shownColumns } from '../../../shared/rules/batches/match.ts';
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
      // The user decides about the duplicates that were shown, not about later findings.
      const shown = known ?? (await judge.judge(id)).rows;
      const answered = new Map(shown.map(({ stored, doubts }) => [stored.row, doubts]));
      const before = stores.batches.choose(id, rows, isExcluded, clock.now(), answered);
      ports.emit('batches.changed', { id });
      return { ...(await changedBy(id, rows, known)), before: [...before] };
    },
    'batches.nextError': async ({ id, after }) => {
      const { rows } = await judge.judge(id);
      const { sheet, matches } = stores.batches.get(id);
      const names = sheet.columns.map(({ name }) => name);
      const order = shownColumns(names, matches);
      const places = errorPlaces(rowsFor(rows, 'errors'), order);
      return places.find((place) => isAfter(place, after, order)) ?? places[0] ?? null;
    },
  };
}

/**
 * Returns the cells with errors, each once, row by row and in the order in which the columns are
 * shown. An error of the whole row is in its first column.
 */
function errorPlaces(
  rows: readonly ValidatedRow[],
  order: readonly number[],
): readonly CellPosition[] {
  return rows.flatMap(({ stored: { row }, problems }) => {
    const [first = 0] = order;
    const wrong = new Set(
      problems.flatMap(({ isError, column }) => (isError ? [column ?? first] : [])),
    );
    const places = [...wrong].map((column) => ({ row, column }));
    return places.toSorted((a, b) => order.indexOf(a.column) - order.indexOf(b.column));
  });
}

const isAfter = (
  place: CellPosition,
  { row, column }: CellPosition,
  order: readonly number[],
): boolean =>
  place.row > row || (place.row === row && order.indexOf(place.column) > order.indexOf(column));

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
