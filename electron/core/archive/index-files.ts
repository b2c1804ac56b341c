import type { Agreement } from '../../../shared/contract/agreements.ts';
import type { IndexColumn } from '../../../shared/contract/archive.ts';
import { cellOf as listCellOf } from '../../../shared/rules/agreements/columns.ts';
import { englishWords } from '../../../shared/rules/agreements/english-words.ts';
import { guardCsv, unguardCsv } from '../../../shared/rules/sheets/csv-guard.ts';
import { asSingleChunk } from '../chunks.ts';
import type { ReportCell } from '../../../shared/contract/reports.ts';
import type { Encoding, KnownConnection } from '../ports.ts';
import type { ReportTable } from '../reports/ports.ts';

/**
 * Start of the CSV file. Without it, spreadsheet programs read UTF-8 as the computer's old code
 * page.
 */
const BYTE_ORDER_MARK = '\uFEFF';
const QUOTE = '"';

/**
 * Column headings: in English regardless of the language of the window, because programs read them.
 */
const headings = {
  file: 'file',
  sha256: 'sha256',
  bytes: 'bytes',
  kind: 'kind',
  seal: 'seal',
  connection: 'connection',
  environment: 'environment',
  id: 'id',
  title: 'title',
  parties: 'parties',
  closed: 'closed',
  saved: 'saved',
  sent: 'sent',
  sentBy: 'sent by',
  partyStates: 'party states',
  addresses: 'addresses',
  tags: 'tags',
  template: 'template',
  batch: 'batch',
  batchRow: 'batch row',
} as const satisfies Record<IndexColumn, string>;

/** One archived file; `file` is its path relative to the folder of the index, with `/`. */
export interface IndexRow {
  readonly file: string;
  readonly sha256: string;
  readonly bytes: number;
  /** Kind of file, in words. */
  readonly kind: string;
  /** Sentence about the seal (see `sealSentence`); empty if no seal was checked. */
  readonly seal: string;
  readonly id: string;
  readonly title: string;
  readonly parties: readonly string[];
  readonly closedAt: number | null;
  readonly savedAt: number;
  readonly connection: KnownConnection | undefined;
  /**
   * Local copy with the values of some columns; undefined if the copy is gone: those cells are
   * empty.
   */
  readonly agreement: Agreement | undefined;
}

export const indexHead = (columns: readonly IndexColumn[]): string =>
  BYTE_ORDER_MARK + csvLine(columns.map((column) => headings[column]));

const HEADINGS: ReadonlySet<string> = new Set(Object.values(headings));

/** Whether a CSV file starts with the head of an index of this program, with any columns. */
export function startsWithIndexHead(start: Uint8Array, encoding: Encoding): boolean {
  const mark = encoding.utf8(BYTE_ORDER_MARK);
  if (!mark.every((byte, at) => byte === start[at])) return false;
  const [head = ''] = encoding.text(start.subarray(mark.length)).split('\r\n', 1);
  const titles = head.split(',').map((title) => /^"(.*)"$/.exec(title)?.[1] ?? '');
  return titles.includes(headings.file) && titles.every((title) => HEADINGS.has(title));
}

/** Index row that another computer wrote: its values by column heading. */
export type ForeignIndexRow = ReadonlyMap<string, string>;

/**
 * Renders the index of an archive folder as CSV: UTF-8 with byte order mark, commas, every text
 * quoted.
 */
export function renderIndex(
  rows: readonly IndexRow[],
  columns: readonly IndexColumn[],
  others: readonly ForeignIndexRow[] = [],
): string {
  const own = rows.map((row) => csvLine(columns.map((column) => textOf(cellOf(row, column)))));
  const kept = others.map((row) => columns.map((column) => row.get(headings[column]) ?? ''));
  // The previous writer of the index may or may not have guarded its cells against formulas: a
  // guard is removed, because `csvLine` adds one.
  const lines = [...own, ...kept.map((cells) => csvLine(cells.map(unguardCsv)))];
  return [indexHead(columns), ...lines].map((one) => `${one}\r\n`).join('');
}

/**
 * Reads the rows of an index written by `renderIndex`, in which every text is quoted. Returns no
 * rows for any other text.
 */
export function readIndex(text: string): readonly ForeignIndexRow[] {
  const rows: string[][] = [[]];
  let at = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  while (text[at] === QUOTE) {
    const end = endOfCell(text, at);
    rows.at(-1)?.push(text.slice(at + 1, end).replaceAll('""', QUOTE));
    const isLast = text[end + 1] !== ',';
    if (isLast) rows.push([]);
    at = end + (isLast ? 3 : 2);
  }
  const [titles = [], ...filled] = rows.filter((cells) => cells.length > 0);
  return filled.map((cells) => new Map(titles.map((title, place) => [title, cells[place] ?? ''])));
}

/**
 * Returns the position of the quote that ends the cell starting at `start`; a quote inside the cell
 * is doubled.
 */
function endOfCell(text: string, start: number): number {
  for (let at = start + 1; ;) {
    const end = text.indexOf(QUOTE, at);
    if (end === -1) return text.length;
    if (text[end + 1] !== QUOTE) return end;
    at = end + 2;
  }
}

/**
 * Returns the rows of the index as a spreadsheet table, with times as time values instead of texts.
 */
export function tableOf(
  rows: readonly IndexRow[],
  columns: readonly IndexColumn[],
  others: readonly ForeignIndexRow[] = [],
): ReportTable {
  const own = rows.map((row) => columns.map((column) => cellOf(row, column)));
  const kept = others.map((row) =>
    columns.map((column) => unguardCsv(row.get(headings[column]) ?? '')),
  );
  const cells = [...own, ...kept];
  const titles = columns.map((column) => headings[column]);
  return { title: 'Archive', headings: titles, rows: asSingleChunk(cells) };
}

const csvLine = (cells: readonly string[]): string => cells.map(toGuardedCell).join(',');

const timeCell = (at: number | null): ReportCell => (at === null ? null : { at });

function cellOf(row: IndexRow, column: IndexColumn): ReportCell {
  const { connection, agreement } = row;
  switch (column) {
    case 'file':
    case 'sha256':
    case 'kind':
    case 'seal':
    case 'id':
    case 'title':
      return row[column];
    case 'bytes':
      return String(row.bytes);
    case 'connection':
      return connection?.name ?? '';
    case 'environment':
      return connection?.environment ?? '';
    case 'parties':
      return row.parties.join('; ');
    case 'closed':
      return timeCell(row.closedAt);
    case 'saved':
      return timeCell(row.savedAt);
    case 'sent':
    case 'sentBy':
    case 'partyStates':
    case 'addresses':
    case 'tags':
    case 'template':
    case 'batch':
    case 'batchRow':
      return agreement === undefined ? null : listCellOf(agreement, column, listContext);
  }
}

/** Dummy context of list columns: the index uses none that needs names or the current time. */
const listContext = { words: englishWords, nameOf: String, now: 0 };

function textOf(cell: ReportCell): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return cell;
  return 'at' in cell ? new Date(cell.at).toISOString() : String(cell.number);
}

const toGuardedCell = (text: string): string => withQuotes(guardCsv(text));

const withQuotes = (text: string): string => `"${text.replaceAll('"', '""')}"`;
