import type Sqlite from 'better-sqlite3';
import * as z from 'zod';
import type { LostRows } from '../../../../shared/contract/backup.ts';
import type { StoredTable } from './model.ts';
import type { Pages } from './pages.ts';
import type { Value } from './records.ts';
import type { Source } from './source.ts';
import { type TreeHole, type StoredRow, Trees } from './tree.ts';

/** Known values of an unreadable row, by column. */
export type KnownValues = ReadonlyMap<string, Value>;

export interface TableLoss {
  readonly table: StoredTable;
  /** Lost rows by rowid; empty for tables without rowids. */
  readonly rows: ReadonlyMap<bigint, KnownValues>;
  /** Rejected or partly read rows of tables without rowids. */
  readonly misfits: number;
  /** Whether the lost rows are complete. */
  readonly isCounted: boolean;
}

/** Columns that identify a row to the user; the first known one is used. */
const LABEL_COLUMNS = [
  'title',
  'name',
  'file_name',
  'word',
  'title_key',
  'ref',
  'id',
  'number',
] as const;
export const MAX_NAMES = 200;

const kindByTable: Readonly<Record<string, LostRows['kind']>> = {
  connection: 'connections',
  agreement: 'agreements',
  agreement_content: 'agreements',
  draft: 'drafts',
  draft_step: 'drafts',
  draft_file: 'files',
  template: 'templates',
  template_pdf: 'templates',
  person: 'people',
  person_group: 'people',
  group_member: 'people',
  batch: 'batches',
  batch_row: 'batches',
  outbox: 'sends',
  outbox_batch: 'sends',
  outbox_file: 'sends',
  attempt: 'sends',
  journal: 'sends',
  action: 'actions',
  action_journal: 'actions',
  evidence: 'evidence',
  archive: 'archived',
  archive_place: 'archived',
  archive_extra: 'archived',
  archive_rule: 'rules',
  reminder_rule: 'rules',
  intake_rule: 'rules',
  backup: 'rules',
  setting: 'settings',
  identity: 'settings',
};

/**
 * Finds the lost rows of a table: indexes contain some of each row's values, on other pages than
 * the row. `raw` has the rows that were read.
 */
export function lossOf(
  pages: Pages,
  source: Source,
  raw: Sqlite.Database,
  {
    table,
    holes,
    refused,
  }: { table: StoredTable; holes: readonly TreeHole[]; refused: readonly StoredRow[] },
): TableLoss {
  const rows = new Map<bigint, Map<string, Value>>();
  const partly = holes.flatMap((hole) => (hole.kind === 'row' ? [hole.row] : []));
  let misfits = 0;
  for (const row of [...partly, ...refused]) {
    if (row.rowid === null) misfits += 1;
    else rows.set(row.rowid, knownIn(table, row));
  }
  const spans = holes.flatMap((hole) => (hole.kind === 'pages' ? [hole] : []));
  let isCounted = spans.length === 0;
  if (table.hasRowid) {
    const isThere = raw.prepare(`SELECT 1 FROM ${table.name} WHERE rowid = ?`);
    for (const index of table.indexes) {
      const root = source.roots.get(index.name);
      if (root === undefined) continue;
      let isWhole = index.isWhole;
      // A new `Trees` is used, because the first one would skip pages that it has read.
      for (const found of new Trees(pages).read(root, false)) {
        if ('hole' in found) {
          isWhole = false;
          continue;
        }
        const { values } = found.row;
        const rowid = values.at(-1);
        if (typeof rowid !== 'bigint' || !(rows.has(rowid) || isInSpans(spans, rowid))) continue;
        if (isThere.get(rowid) !== undefined) continue;
        const known = rows.get(rowid) ?? new Map<string, Value>();
        for (const [at, column] of index.columns.entries()) {
          const value = values[at];
          if (column !== null && value !== undefined) known.set(column, value);
        }
        rows.set(rowid, known);
      }
      if (isWhole) isCounted = true;
    }
    const alias = table.columns.find(({ isRowid }) => isRowid)?.name;
    if (alias !== undefined) for (const [rowid, known] of rows) known.set(alias, rowid);
  }
  return { table, rows, misfits, isCounted };
}

type PageSpan = Extract<TreeHole, { kind: 'pages' }>;

/** Whether lost pages may have contained this rowid. */
export function isInSpans(spans: readonly PageSpan[], rowid: bigint): boolean {
  return spans.some(
    ({ after, until }) => (after === null || rowid > after) && (until === null || rowid <= until),
  );
}

function knownIn({ columns }: StoredTable, { values }: StoredRow): Map<string, Value> {
  const known = new Map<string, Value>();
  for (const [at, value] of values.entries()) {
    const column = columns[at];
    if (column !== undefined && value !== null) known.set(column.name, value);
  }
  return known;
}

/** Derived tables, which the program fills again. */
const RECOMPUTED_TABLES = new Set(['agreement_tally', 'search_state', 'epoch', 'sync_state']);

/** Returns the entry for the report; null if nothing is lost. */
export function reportedOf({ table, rows, misfits, isCounted }: TableLoss): LostRows | null {
  const count = rows.size + misfits;
  if (RECOMPUTED_TABLES.has(table.name) || (isCounted && count === 0)) return null;
  const names =
    table.name === 'evidence' ? spansOf([...rows.keys()]) : [...rows.values()].flatMap(labelOf);
  return {
    kind: kindByTable[table.name] ?? 'other',
    table: table.name,
    rows: isCounted ? count : null,
    names: names.slice(0, MAX_NAMES),
  };
}

function labelOf(known: KnownValues): string[] {
  for (const label of LABEL_COLUMNS) {
    const value = known.get(label);
    if (typeof value === 'string' && value !== '') return [value];
    if (typeof value === 'bigint') return [String(value)];
  }
  return [];
}

/** Returns ranges such as `41–57, 60`. */
function spansOf(numbers: readonly bigint[]): string[] {
  const spans: { from: bigint; until: bigint }[] = [];
  for (const number of numbers.toSorted((one, other) => Number(one - other))) {
    const last = spans.at(-1);
    if (last !== undefined && number === last.until + 1n) last.until = number;
    else spans.push({ from: number, until: number });
  }
  return spans.map(({ from, until }) => (from === until ? String(from) : `${from}–${until}`));
}

const EntryNumber = z.number().int();

/** Returns the gaps in the evidence before its last readable entry. */
export function evidenceHoles(raw: Sqlite.Database): readonly { after: number; until: number }[] {
  const rows = raw.prepare('SELECT number FROM evidence ORDER BY number').pluck().iterate();
  const holes: { after: number; until: number }[] = [];
  let last = 0;
  for (const row of rows) {
    const number = EntryNumber.parse(row);
    if (number > last + 1) holes.push({ after: last, until: number - 1 });
    last = number;
  }
  return holes;
}
