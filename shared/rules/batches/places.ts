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
export interface Places {
  source(cells: readonly string[]): Pick<RowSource, 'cell' | 'dayOrder'>;
  /** A problem of the draft, at its column. */
  problem(
    at: string,
    filled: FilledRow,
    message: string,
    detail: string,
    isError: boolean,
    code?: BatchProblemCode,
  ): RowProblem;
  /** The form field of a path in the row; null for all other paths. */
  fieldNameOf(at: string, filled: FilledRow): string | null;
  fillProblem(placeholder: string, code: FillProblem['code']): RowProblem;
  /** Placeholder of a column; null if it has none. */
  placeholderOf(column: number): string | null;
  countryFor(placeholder: string, content: DraftContent): string | undefined;
}

const sentences: Readonly<Record<FillProblem['code'], string>> = {
  'date-unclear': 'This is not a date, or an ambiguous one. Enter it as year-month-day',
  'not-a-number': 'This is not a whole number',
  'not-yes-or-no': 'This is neither yes nor no',
  'not-an-answer': 'This is not one of the possible answers',
  'not-asked': 'Ignored because of another answer in this row',
};
/** Sent anyway, because the row itself is unambiguous. */
const WARNINGS: readonly FillProblem['code'][] = ['not-asked'];

export function createCellLocator(
  mapping: CompiledMapping,
  spec: { readonly matches: readonly ColumnMatch[]; readonly columns: readonly string[] },
): Places {
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
    for (let place = originalPlace(at, filled); place !== ''; place = parentOf(place)) {
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
      const about = { detail: '', field: '', message: sentences[code] };
      const isError = !WARNINGS.includes(code);
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
function originalPlace(at: string, filled: FilledRow): string {
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

/** A field name may contain dots and has no parent. */
function parentOf(at: string): string {
  if (at.startsWith('fields.')) return '';
  const last = at.lastIndexOf('.');
  const parent = last < 0 ? '' : at.slice(0, last);
  // A missing value of a whole party is not the fault of one column.
  return /^(?:parties(?:\.\w+)*\.\d+|parties|parties\.\w+)$/.test(parent) ? '' : parent;
}
