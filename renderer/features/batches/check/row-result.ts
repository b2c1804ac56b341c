import type { BatchRow } from '../../../../shared/contract/batches.ts';
import { rowProblemText } from '../words.ts';
import { m } from '../../../ui/language.svelte.ts';
import { joinFacts } from '../../../ui/join-facts.ts';

/** Severity of the cell's problem; null if there is none. */
export const levelOf = (row: BatchRow, column: number): 'error' | 'warning' | null => {
  const found = row.problems.filter((one) => one.column === column);
  if (found.some(({ isError }) => isError)) return 'error';
  return found.length > 0 ? 'warning' : null;
};

/** Result of a row's check; `columns` are the names of the columns of the spreadsheet. */
export function resultOf(row: BatchRow, columns: readonly string[]): string {
  const words = joinFacts(row.problems.map((problem) => rowProblemText(problem, columns)));
  if (row.isExcluded) return [m.batch_row_excluded(), words].filter((one) => one !== '').join(': ');
  return words === '' ? m.batch_row_ready() : words;
}
