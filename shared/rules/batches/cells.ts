import type { BatchProblemCode, RowProblem } from '../../contract/batches.ts';
import type { CellFlag, SheetRow } from '../../contract/sheets.ts';
import type { CellKind } from './kinds.ts';
import type { CellLocator } from './places.ts';
import { isShortened } from '../text/clean-text.ts';
import { looksLikePlaceholder } from '../forms/signature-text.ts';
import { validationSentences } from '../text/verdict.ts';

const markSentences: Readonly<Record<Exclude<CellFlag, 'date'>, string>> = {
  formula: 'This is the result of a formula, as it was when the file was saved',
  'formula-empty': 'The formula has no saved result. Open the file and save it again',
  'cell-error': 'The spreadsheet shows an error in this cell',
  rounded: 'This number has more than 15 digits, and the last digits are lost',
  formatted:
    'The spreadsheet displays this differently. Use the suggestion, or enter the value in full',
  'shown-rounded': 'The spreadsheet shows fewer digits than this number has',
  decimal: 'Sent with a decimal point. The spreadsheet may show another decimal sign',
  'date-form': 'Sent as year-month-day. The spreadsheet shows this date in another format',
  truth: 'Sent as TRUE or FALSE. The spreadsheet may show the word in its own language',
  'wrong-date': 'This is not a valid date in the spreadsheet',
  merged: 'The cell is merged with others. In merged cells, only the first cell has a value',
  ragged: 'The row has more or fewer cells than the header',
  total:
    'This row looks like the total of the rows above. Exclude the row, or change one of its cells',
};
/** Problems that are reported, although the row is sent anyway. */
export const WARNINGS: readonly (CellFlag | BatchProblemCode)[] = [
  'formula',
  'decimal',
  'date-form',
  'truth',
];
const NUMBER_KINDS: readonly CellKind[] = ['person-number', 'org-number', 'mobile'];
/** Reported for a number in a cell where any text is allowed, but a number cannot be meant. */
const SPREADSHEET_REASON = 'spreadsheet';

/** Problems of the cells themselves, before any of them is used. */
export function cellProblems(
  { cells, marks }: Pick<SheetRow, 'cells' | 'marks'>,
  places: CellLocator,
  kinds: ReadonlyMap<string, CellKind>,
): readonly RowProblem[] {
  const problems: RowProblem[] = [];
  for (const [column, mark, ...offers] of marks) {
    if (mark === 'date') continue;
    const isUsed = places.placeholderOf(column) !== null;
    if (mark === 'ragged' || mark === 'total')
      problems.push(problem(null, mark, markSentences[mark], true));
    else if (isUsed && !isHarmless(mark, column, places, kinds)) {
      const isError = !WARNINGS.includes(mark);
      const found = problem(column, mark, markSentences[mark], isError);
      problems.push({ ...found, repairs: offers });
    }
  }
  for (const [column, text] of cells.entries()) {
    const placeholder = places.placeholderOf(column);
    if (placeholder === null || text === '') continue;
    if (looksLikePlaceholder(text)) {
      const message = 'This text would place a signature, or be read as another placeholder';
      problems.push(problem(column, 'placeholder', message, true));
    }
    if (isShortened(text.trim())) {
      const isNumber = NUMBER_KINDS.includes(kinds.get(placeholder) ?? 'text');
      problems.push(problem(column, SPREADSHEET_REASON, validationSentences.spreadsheet, isNumber));
    }
  }
  return problems;
}

/**
 * Whether a flagged cell is valid for its column: a currency or a decimal point in a number, any
 * date format for a day, or yes in any language for a yes-no value.
 */
function isHarmless(
  mark: CellFlag,
  column: number,
  places: CellLocator,
  kinds: ReadonlyMap<string, CellKind>,
): boolean {
  const kind = kinds.get(places.placeholderOf(column) ?? '') ?? 'text';
  if (mark === 'date-form') return kind === 'day';
  if (mark === 'truth') return kind === 'yes-no';
  return (mark === 'formatted' || mark === 'decimal') && kind === 'number';
}

function problem(
  column: number | null,
  code: BatchProblemCode,
  message: string,
  isError: boolean,
): RowProblem {
  return { column, code, detail: '', field: '', message, isError, repairs: [] };
}
