import type {
  BatchProblemCode,
  ColumnMatch,
  DateFieldOrder,
  RowProblem,
} from '../../contract/batches.ts';
import type { DraftContent } from '../../contract/drafts.ts';
import type { CompiledMapping } from './compile.ts';
import type { FilledRow, FillProblem, RowSource } from './fill.ts';

/** Maps paths of the body to columns of the spreadsheet, and back. */
export interface CellLocator {
  source(cells: readonly string[]): Pick<RowSource, 'cell' | 'dayOrder'>;
  /** Converts a problem of the draft to a problem of the row, with the column that caused it. */
  problem(
    at: string,
    filled: FilledRow,
    message: string,
    detail: string,
    isError: boolean,
    code?: BatchProblemCode,
  ): RowProblem;
  /** Name of the form field at a path in the row; null if the path is not a field's. */
  fieldNameOf(at: string, filled: FilledRow): string | null;
  fillProblem(placeholder: string, code: FillProblem['code']): RowProblem;
  /** Placeholder of a column; null if it has none. */
  placeholderOf(column: number): string | null;
  countryFor(placeholder: string, content: DraftContent): string | undefined;
}

const fillProblemSentences: Readonly<Record<FillProblem['code'], string>> = {
  'date-unclear': 'This is not a date, or an ambiguous one. Enter it as year-month-day',
  'not-a-number': 'This is not a whole number',
  'not-yes-or-no': 'This is neither yes nor no',
  'not-an-answer': 'This is not one of the possible answers',
  'not-asked': 'Ignored because of another answer in this row',
};
/** Problems that are only warnings: the row is sent anyway, because it is unambiguous. */
const FILL_WARNINGS: readonly FillProblem['code'][] = ['not-asked'];

export function createCellLocator(
  mapping: CompiledMapping,
  spec: { readonly matches: readonly ColumnMatch[]; readonly columns: readonly string[] },
): CellLocator {
  const matched = new Map(spec.matches.map((match) => [match.placeholder, match]));
  const indexes = new Map(spec.columns.map((name, index) => [name, index]));
  const indexOf = (placeholder: string): number | null => {
    const column = matched.get(placeholder)?.column ?? null;
    return column === null ? null : (indexes.get(column) ?? null);
  };
  const placeholders = new Map(
    mapping.columns.flatMap((name) => {
      const index = indexOf(name);
      return index === null ? [] : [[index, name] as const];
    }),
  );
  const columnAt = (at: string, filled: FilledRow): number | null => {
    for (let place = originalPath(at, filled); place !== ''; place = parentOf(place)) {
      const names = mapping.columnsAt.get(place) ?? [];
      const found = names.map(indexOf).find((index) => index !== null);
      if (found !== undefined) return found;
    }
    return null;
  };

  return {
    source: (cells) => ({
      cell: (placeholder) => {
        const index = indexOf(placeholder);
        return index === null ? undefined : cells[index];
      },
      dayOrder: (placeholder): DateFieldOrder => matched.get(placeholder)?.dayOrder ?? 'iso',
    }),
    problem: (at, filled, message, detail, isError, code = 'field') => ({
      column: columnAt(at, filled),
      code,
      detail,
      field: at,
      message,
      isError,
      repairs: [],
    }),
    fieldNameOf: (at, filled) => fieldNameIn(at, filled),
    fillProblem: (placeholder, code) => {
      const about = { detail: '', field: '', message: fillProblemSentences[code] };
      const isError = !FILL_WARNINGS.includes(code);
      return { column: indexOf(placeholder), code, ...about, isError, repairs: [] };
    },
    placeholderOf: (column) => placeholders.get(column) ?? null,
    countryFor: (placeholder, content) => countryOf(mapping, placeholder, content),
  };
}

function countryOf(
  mapping: CompiledMapping,
  placeholder: string,
  content: DraftContent,
): string | undefined {
  if (content.api === 'v2') return 'SE';
  const at = [...mapping.columnsAt].find(([, names]) => names.includes(placeholder))?.[0] ?? '';
  const party = /^parties\.(\d+)\./.exec(at)?.[1];
  const country = party === undefined ? undefined : content.body.parties[Number(party)]?.country;
  return country === '' ? undefined : country;
}

/** Converts a path in a row, where parties may be omitted, to the path in the mapping. */
function originalPath(at: string, filled: FilledRow): string {
  const name = fieldNameIn(at, filled);
  if (name !== null) return `fields.${name}`;
  for (const [list, places] of filled.kept) {
    if (!at.startsWith(`${list}.`)) continue;
    const [index = '', ...rest] = at.slice(list.length + 1).split('.');
    const place = places[Number(index)];
    if (place !== undefined) return [list, String(place), ...rest].join('.');
  }
  return at;
}

function fieldNameIn(at: string, { fields }: FilledRow): string | null {
  const place = /^(?:attachments\.0|dynamicPdf)\.fields\.(\d+)\./.exec(at)?.[1];
  return place === undefined ? null : (fields[Number(place)]?.name ?? null);
}

/** Path of the parent; empty for a form field, whose name may contain dots. */
function parentOf(at: string): string {
  if (at.startsWith('fields.')) return '';
  const last = at.lastIndexOf('.');
  const parent = last < 0 ? '' : at.slice(0, last);
  // If the value of a whole party is missing, no single column is the cause.
  return /^(?:parties(?:\.\w+)*\.\d+|parties|parties\.\w+)$/.test(parent) ? '' : parent;
}
