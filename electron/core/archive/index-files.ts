import type { Connection } from '../../../shared/contract/connections.ts';
import { guardCsv } from '../../../shared/rules/sheets/csv-guard.ts';
import { inOne } from '../chunks.ts';
import type { ReportCell, ReportTable } from '../reports/ports.ts';

/** Without it, spreadsheets read UTF-8 as the computer's old code page. */
const BYTE_ORDER_MARK = '\uFEFF';

const columns = [
  'file',
  'sha256',
  'bytes',
  'kind',
  'seal',
  'connection',
  'environment',
  'id',
  'title',
  'parties',
  'closed',
  'saved',
] as const;

/** One archived file; `file` is relative to the folder the index lies in, with `/`. */
export interface IndexRow {
  readonly file: string;
  readonly sha256: string;
  readonly bytes: number;
  /** What it is, in words. */
  readonly kind: string;
  /** See `sealSentence`; empty where none was looked for. */
  readonly seal: string;
  readonly id: string;
  readonly title: string;
  readonly parties: readonly string[];
  readonly closedAt: number | null;
  readonly savedAt: number;
  readonly connection: Connection | undefined;
}

/** The index of an archive folder as CSV: UTF-8 with its mark, commas, every text quoted. */
export function renderIndex(rows: readonly IndexRow[]): string {
  const lines = [columns, ...rows.map((row) => textsOf(row))];
  return BYTE_ORDER_MARK + lines.map((cells) => `${cells.map(cell).join(',')}\r\n`).join('');
}

/** The same as a table for a spreadsheet program, with times as times. */
export function tableOf(rows: readonly IndexRow[]): ReportTable {
  const cells = rows.map((row): readonly ReportCell[] => [
    ...textsOf(row).slice(0, -2),
    time(row.closedAt),
    time(row.savedAt),
  ]);
  return { title: 'Archive', headings: columns, rows: inOne(cells) };
}

const time = (at: number | null): ReportCell => (at === null ? null : { at });

function textsOf(row: IndexRow): readonly string[] {
  const { file, sha256, bytes, kind, seal, connection, id, title, parties } = row;
  return [
    ...[file, sha256, String(bytes), kind, seal],
    ...[connection?.name ?? '', connection?.environment ?? ''],
    ...[id, title, parties.join('; '), instant(row.closedAt), instant(row.savedAt)],
  ];
}

function cell(text: string): string {
  return `"${guardCsv(text).replaceAll('"', '""')}"`;
}

function instant(at: number | null): string {
  return at === null ? '' : new Date(at).toISOString();
}
