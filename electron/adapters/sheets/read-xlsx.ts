import type { CellMark, SheetChoices, SheetNotice } from '../../../shared/contract/sheets.ts';
import { type Grid, type GridRow, indexOf, notice } from './grid.ts';
import { readCell } from './read-cell.ts';
import { CELL_MAX, COLUMNS_MAX, ROWS_MAX } from './read-limits.ts';
import { part, readWorkbook, type Workbook, type WorkbookSheet } from './read-workbook.ts';
import { attribute, tagsOf } from './read-xml.ts';
import { openZip } from './read-zip.ts';
import { refuse } from './refuse.ts';

const ROW = /<(?:\w+:)?row\b([^<>]*?)(?:\/>|>([\s\S]*?)<\/(?:\w+:)?row>)/g;
const CELL = /<(?:\w+:)?c\b([^<>]*?)(?:\/>|>([\s\S]*?)<\/(?:\w+:)?c>)/g;
/** Excel's own: no sheet has more. */
const LAST_ROW = 1_048_576;

interface Area {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** One sheet of a workbook. */
export function readXlsx(
  data: Uint8Array,
  choices: SheetChoices,
): { readonly grid: Grid; readonly sheets: readonly WorkbookSheet[]; readonly sheet: string } {
  const zip = openZip(data);
  const book = readWorkbook(zip);
  const chosen = choose(book.sheets, choices.sheet);
  const text = part(zip, chosen.part);
  const reader = new SheetXml(text, book, choices.hidden === 'read');
  const grid = reader.grid();
  const hidden = book.sheets.filter((one) => one.hidden && one !== chosen).length;
  const others = book.sheets.filter((one) => !one.hidden && one !== chosen).length;
  const notices: SheetNotice[] = [
    ...grid.notices,
    ...notice('hidden-sheets', hidden),
    ...notice('other-sheets', others),
    ...notice('external-content', book.external),
    ...notice('dates-1904', book.is1904 ? 1 : 0),
  ];
  return { grid: { ...grid, notices }, sheets: book.sheets, sheet: chosen.name };
}

/** The sheet that was asked for, else the first one that can be seen. */
function choose(sheets: readonly WorkbookSheet[], wanted: string | undefined): WorkbookSheet {
  const found =
    wanted === undefined
      ? (sheets.find(({ hidden }) => !hidden) ?? sheets[0])
      : sheets.find(({ name }) => name === wanted);
  if (found !== undefined) return found;
  throw refuse('sheet-kind', `The workbook has no sheet "${wanted ?? ''}"`);
}

class SheetXml {
  readonly #text: string;
  readonly #book: Workbook;
  readonly #readsHidden: boolean;
  readonly #merged: readonly Area[];
  readonly #hiddenColumns: ReadonlySet<number>;
  #empty = 0;
  #hiddenRows = 0;
  #formulas = 0;

  constructor(text: string, book: Workbook, readsHidden: boolean) {
    this.#text = text;
    this.#book = book;
    this.#readsHidden = readsHidden;
    this.#merged = tagsOf(text, 'mergeCell').flatMap((tag) => areaOf(attribute(tag, 'ref') ?? ''));
    this.#hiddenColumns = hiddenColumns(text);
  }

  grid(): Grid {
    const rows: GridRow[] = [];
    let number = 0;
    for (const [, tag = '', inside = ''] of this.#text.matchAll(ROW)) {
      number = rowNumber(tag, number);
      const row = this.#row(number, inside);
      if (row === null) this.#empty += 1;
      else if (!this.#readsHidden && isSet(tag, 'hidden')) this.#hiddenRows += 1;
      else rows.push(row);
      if (rows.length > ROWS_MAX + MOST_ABOVE) {
        throw refuse('sheet-limit', `The sheet has more than ${ROWS_MAX} rows`);
      }
    }
    const isFiltered = /<(?:\w+:)?autoFilter\b/.test(this.#text);
    const skippedColumns = this.#readsHidden ? 0 : usedIn(rows, this.#hiddenColumns);
    const notices = [
      ...notice('empty-rows', this.#empty),
      ...notice(isFiltered ? 'filtered-rows' : 'hidden-rows', this.#hiddenRows),
      ...notice('hidden-columns', skippedColumns),
      ...notice('formulas', this.#formulas),
    ];
    return { rows: this.#readsHidden ? rows : rows.map((row) => this.#seen(row)), notices };
  }

  /** Null when nothing stands in it. */
  #row(number: number, inside: string): GridRow | null {
    if (inside === '') return null;
    const cells: string[] = [];
    const marks: [number, CellMark][] = [];
    let column = -1;
    for (const [, tag = '', body = ''] of inside.matchAll(CELL)) {
      column = columnOf(tag, column);
      const isMerged = this.#isMerged(number, column);
      if (body === '' && !isMerged) continue;
      const { text, mark } = readCell(this.#book, typeOf(tag), styleOf(tag), body);
      if (text.length > CELL_MAX) {
        throw refuse('sheet-limit', `A cell in row ${number} has more than ${CELL_MAX} characters`);
      }
      if (text === '' && mark === null && !isMerged) continue;
      if (column >= COLUMNS_MAX) {
        throw refuse('sheet-limit', `The sheet has more than ${COLUMNS_MAX} columns`);
      }
      while (cells.length < column) cells.push('');
      cells[column] = text;
      if (mark === 'formula') this.#formulas += 1;
      const told = isMerged ? 'merged' : mark;
      if (told !== null) marks.push([column, told]);
    }
    const isEmpty =
      cells.every((cell) => cell.trim() === '') && marks.every(([, mark]) => mark === 'merged');
    return isEmpty ? null : { row: number, cells, marks };
  }

  #isMerged(row: number, column: number): boolean {
    return this.#merged.some(
      ({ top, bottom, left, right }) =>
        row >= top && row <= bottom && column >= left && column <= right,
    );
  }

  /** The row without the columns that the spreadsheet hides. */
  #seen({ row, cells, marks }: GridRow): GridRow {
    const hidden = this.#hiddenColumns;
    if (hidden.size === 0) return { row, cells, marks };
    const kept = cells.map((cell, at) => (hidden.has(at) ? '' : cell));
    return { row, cells: kept, marks: marks.filter(([at]) => !hidden.has(at)) };
  }
}

/** Rows that may stand above a header. */
const MOST_ABOVE = 50;

function rowNumber(tag: string, before: number): number {
  const told = /\br="(\d+)"/.exec(tag)?.[1];
  const number = told === undefined ? before + 1 : Number(told);
  if (number > before && number <= LAST_ROW) return number;
  throw refuse('sheet-damaged', 'The rows of the sheet are not in order');
}

function columnOf(tag: string, before: number): number {
  const letters = /\br="([A-Z]+)\d+"/.exec(tag)?.[1];
  if (letters === undefined) return before + 1;
  const column = indexOf(letters);
  if (column !== null) return column;
  throw refuse('sheet-damaged', 'A cell of the sheet stands nowhere');
}

const typeOf = (tag: string): string | null => /\bt="(\w+)"/.exec(tag)?.[1] ?? null;
const styleOf = (tag: string): number => Number(/\bs="(\d+)"/.exec(tag)?.[1] ?? 0);
const isSet = (tag: string, name: string): boolean =>
  /^(?:1|true)$/i.test(attribute(tag, name) ?? '');

function hiddenColumns(text: string): ReadonlySet<number> {
  const hidden = new Set<number>();
  for (const tag of tagsOf(text, 'col')) {
    if (!isSet(tag, 'hidden')) continue;
    const last = Math.min(Number(attribute(tag, 'max') ?? 0), COLUMNS_MAX);
    for (let at = Number(attribute(tag, 'min') ?? 1); at <= last; at += 1) hidden.add(at - 1);
  }
  return hidden;
}

function usedIn(rows: readonly GridRow[], columns: ReadonlySet<number>): number {
  return [...columns].filter((at) => rows.some(({ cells }) => (cells[at] ?? '') !== '')).length;
}

function areaOf(reference: string): readonly Area[] {
  const found = /^([A-Z]+)(\d+):([A-Z]+)(\d+)$/.exec(reference);
  if (found === null) return [];
  const [, left = '', top, right = '', bottom] = found;
  const [from, to] = [indexOf(left), indexOf(right)];
  if (from === null || to === null) return [];
  return [{ top: Number(top), bottom: Number(bottom), left: from, right: to }];
}
