import type { ArchiveItem } from '../../shared/contract/archive.ts';
import type { Connection } from '../../shared/contract/connections.ts';

/** A spreadsheet would read a text that begins so as a formula. */
const FORMULA = /^[=+\-@\t\r]/;
/** Without it, spreadsheets read UTF-8 as the computer's old code page. */
const BYTE_ORDER_MARK = '\uFEFF';

const columns = [
  'file',
  'sha256',
  'bytes',
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
  readonly item: ArchiveItem;
  readonly file: string;
  readonly bytes: number;
  readonly connection: Connection | undefined;
}

/** The index of an archive folder as CSV: UTF-8 with its mark, commas, every text quoted. */
export function renderIndex(rows: readonly IndexRow[]): string {
  const lines = rows.map(({ item, file, bytes, connection }) =>
    [
      file,
      item.sha256 ?? '',
      String(bytes),
      connection?.name ?? '',
      connection?.environment ?? '',
      item.id,
      item.title,
      (item.parties ?? []).join('; '),
      instant(item.closedAt),
      instant(item.savedAt),
    ].map(cell),
  );
  const text = [columns.map(cell), ...lines].map((cells) => `${cells.join(',')}\r\n`).join('');
  return BYTE_ORDER_MARK + text;
}

function cell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

function instant(at: number | null): string {
  return at === null ? '' : new Date(at).toISOString();
}
