import { ListColumn } from '../../../../../shared/contract/agreement-views.ts';
import type { Agreement } from '../../../../../shared/contract/agreements.ts';
import type { ReportCell } from '../../../../../shared/contract/reports.ts';
import {
  cellOf,
  columnJson,
  columnOption,
} from '../../../../../shared/rules/agreements/columns.ts';
import { englishWords } from '../../../../../shared/rules/agreements/english-words.ts';
import { choiceOption } from '../../input/options.ts';
import { toIsoText, toShownTime } from '../../input/times.ts';

const columnsByOption = new Map<string, ListColumn>(
  ListColumn.options.map((column) => [columnOption(column), column]),
);

/**
 * Returns the option that chooses columns and their order; its values are parsed by
 * `chosenColumns`.
 */
export const columnsOption = (about: string) =>
  choiceOption('--columns <column...>', about, [...columnsByOption.keys()]);

/** Returns the columns that the options name, each once, in the order given. */
export function chosenColumns(options: readonly string[]): readonly ListColumn[] {
  return [...new Set(options)].flatMap((option) => columnsByOption.get(option) ?? []);
}

interface ColumnContext {
  readonly nameOf: (connectionId: Agreement['connectionId']) => string;
  readonly now: number;
}

/** Returns the value of a column for an agreement, for JSON; null if the value is not known. */
export const valueOf = (row: Agreement, column: ListColumn, context: ColumnContext): unknown =>
  columnJson(row, column) ??
  plainCellText(cellOf(row, column, { ...context, words: englishWords }), toIsoText);

/** Returns the text of a column for an agreement, for a table; `-` if the value is not known. */
export const textOf = (row: Agreement, column: ListColumn, context: ColumnContext): string =>
  String(
    plainCellText(cellOf(row, column, { ...context, words: englishWords }), toShownTime) ?? '-',
  );

function plainCellText(
  cell: ReportCell,
  time: (at: number) => string | null,
): string | number | null {
  if (cell === null || typeof cell === 'string') return cell;
  return 'at' in cell ? time(cell.at) : cell.number;
}
