import {
  type Batch,
  type BatchCheck,
  MAX_LATER_RECIPIENTS_SHOWN,
  type RowProblem,
} from '../../contract/batches.ts';
import type { CheckedRow } from './check.ts';
import { missingColumns } from './match.ts';

interface CheckedBatchRow {
  readonly stored: { readonly cells: readonly string[] };
  readonly checked: Pick<
    CheckedRow,
    'contacts' | 'later' | 'notified' | 'parties' | 'keptDefaults'
  >;
  readonly problems: readonly RowProblem[];
  readonly isExcluded: boolean;
}

/** Share of wrong cells in a column from which the user probably meant another column. */
const MIN_WRONG_SHARE = 0.9;
/** Minimum number of rows; fewer rows prove nothing about a column. */
const MIN_ROWS_FOR_SUMMARY = 3;
export const DUPLICATE_PROBLEM_CODES: readonly RowProblem['code'][] = [
  'same-row',
  'same-person',
  'sent-before',
  'sent-changed',
  'given-up',
  'on-service',
];

export function summariseRows(
  batch: Pick<Batch, 'sheet' | 'matches'>,
  rows: readonly CheckedBatchRow[],
): BatchCheck {
  const taken = rows.filter(({ isExcluded }) => !isExcluded);
  const ready = taken.filter(({ problems }) => problems.every(({ isError }) => !isError));
  const sum = (of: (row: CheckedBatchRow) => number) =>
    ready.reduce((total, row) => total + of(row), 0);
  const later = new Map(
    ready.flatMap(({ checked }) => checked.later.map((one) => [one.address.toLowerCase(), one])),
  );
  return {
    rows: rows.length,
    ready: ready.length,
    errors: taken.length - ready.length,
    warnings: ready.filter(({ problems }) => problems.length > 0).length,
    keptDefaults: sum(({ checked }) => checked.keptDefaults),
    duplicates: rows.filter(({ problems }) =>
      problems.some(({ code }) => DUPLICATE_PROBLEM_CODES.includes(code)),
    ).length,
    excluded: rows.length - taken.length,
    people: new Set(ready.flatMap(({ checked }) => checked.notified)).size,
    emails: sum(({ checked }) => checked.contacts.emails),
    sms: sum(({ checked }) => checked.contacts.sms),
    parties: sum(({ checked }) => checked.parties),
    later: [...later.values()].slice(0, MAX_LATER_RECIPIENTS_SHOWN),
    laterCount: later.size,
    wrongColumns: wrongColumns(batch, taken),
    missingColumns: missingColumns(batch.matches),
    everywhere: problemsOfEveryRow(taken),
  };
}

function wrongColumns({ sheet }: Pick<Batch, 'sheet'>, rows: readonly CheckedBatchRow[]): string[] {
  const faulty = rows.filter(({ problems }) => problems.length > 0);
  return sheet.columns.flatMap(({ name }, column) => {
    const isFilled = ({ stored }: CheckedBatchRow) => (stored.cells[column] ?? '').trim() !== '';
    const wrong = faulty.filter(
      (row) =>
        row.problems.some(
          (one) => one.column === column && one.isError && one.detail === 'format',
        ) && isFilled(row),
    );
    // Fast path: nearly every column has no wrong cell.
    const isWrong =
      wrong.length >= MIN_ROWS_FOR_SUMMARY &&
      wrong.length >= rows.filter(isFilled).length * MIN_WRONG_SHARE;
    // If a suggestion repairs every row, the right column was chosen.
    const isRepairable = wrong.some(({ problems }) =>
      problems.some((one) => one.column === column && one.repairs.length > 0),
    );
    return isWrong && !isRepairable ? [name] : [];
  });
}

/** Problems that do not depend on the row. */
function problemsOfEveryRow(rows: readonly CheckedBatchRow[]): string[] {
  const [first, ...others] = rows;
  if (first === undefined) return [];
  const messages = ({ problems }: CheckedBatchRow) =>
    problems
      // An error of the service for one row is not an error of the whole spreadsheet.
      .filter(({ column, code, isError }) => column === null && isError && code !== 'refused')
      .map(({ message }) => message);
  return messages(first).filter((message) =>
    others.every((row) => messages(row).includes(message)),
  );
}
