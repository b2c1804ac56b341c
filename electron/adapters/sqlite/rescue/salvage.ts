import { chmodSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';
import * as z from 'zod';
import type { LostRows } from '../../../../shared/contract/backup.ts';
import type { MissingEvidenceRange } from '../../../../shared/contract/evidence.ts';
import { AppError } from '../../../../shared/errors.ts';
import { connect } from '../database/cipher.ts';
import { applySettings } from '../open/open.ts';
import { hasColumn } from './had-columns.ts';
import {
  evidenceHoles,
  isInSpans,
  lossOf,
  MAX_NAMES,
  reportedOf,
  type TableLoss,
} from './losses.ts';
import { repairData, type RepairResult } from './repair.ts';
import { isEntryOf, isRowOf, type StoredTable, tablesOf } from './model.ts';
import { LOCK_PAGE_NUMBER, readPageMap } from './page-map.ts';
import { openPages, type Pages } from './pages.ts';
import { btreePageKinds, type TreePage, type Value } from './records.ts';
import { migrateTo, readSource, type Source } from './source.ts';
import type { TreeHole, StoredRow } from './tree.ts';
import { RowWriter } from './writer.ts';

export interface SalvageParameters {
  /** Damaged file, which is only read. No process may have it open. */
  readonly file: string;
  readonly key: Uint8Array;
  /** New file under the same key, with the schema version of the damaged file. */
  readonly into: string;
  /** Current time (epoch ms). */
  readonly now: number;
}

export interface SalvageResult extends Omit<RepairResult, 'unreadAgreements'> {
  readonly schema: number;
  readonly pages: { readonly all: number; readonly unreadable: number };
  readonly logBytes: number;
  readonly lost: LostRows[];
  readonly unplaced: number;
  readonly unread: MissingEvidenceRange[];
}

const PAGES_PER_REPORT = 256;
const FILE_MODE = 0o600;

/**
 * Copies all readable rows of a damaged file into a new file, and reports the lost rows. Throws
 * 'storage' with 'data-wrong-key' if no page can be decrypted, or with 'data-foreign', and
 * 'newer-data'.
 */
export function salvage(
  { file, key, into, now }: SalvageParameters,
  onPages: (done: number, all: number) => void,
): SalvageResult {
  const pages = openPages(file, key);
  try {
    const unreadable = countUnreadable(pages, onPages);
    const source = readSource(pages);
    const raw = connect(into, key, 'write');
    try {
      chmodSync(into, FILE_MODE);
      raw.pragma('auto_vacuum = INCREMENTAL');
      applySettings(raw);
      migrateTo(raw, source.version);
      raw.pragma('foreign_keys = OFF');
      raw.exec('BEGIN');
      const triggers = withoutTriggers(raw);
      const { losses, unplaced } = fillTables(raw, pages, source);
      const mended = repairData(raw, losses, now);
      for (const sql of triggers) raw.exec(sql);
      raw.exec('COMMIT');
      raw.pragma('wal_checkpoint(TRUNCATE)');
      return {
        schema: source.version,
        pages: { all: pages.count, unreadable },
        logBytes: pages.log.left,
        lost: [...salvageReport(losses, mended)],
        unplaced,
        unread: hasColumn(raw, 'evidence', 'number') ? [...evidenceHoles(raw)] : [],
        nameless: mended.nameless,
        bareDrafts: mended.bareDrafts,
        bareSends: mended.bareSends,
      };
    } finally {
      raw.close();
    }
  } finally {
    pages.close();
  }
}

function countUnreadable(pages: Pages, onPages: (done: number, all: number) => void): number {
  let unreadable = 0;
  for (let number = 1; number <= pages.count; number += 1) {
    if (number !== LOCK_PAGE_NUMBER && pages.read(number) === null) unreadable += 1;
    if (number % PAGES_PER_REPORT === 0) onPages(number, pages.count);
  }
  onPages(pages.count, pages.count);
  if (unreadable < pages.count) return unreadable;
  throw new AppError('storage', 'No part of the data file can be opened with this key', {
    reason: 'data-wrong-key',
  });
}

const Trigger = z.tuple([z.string(), z.string()]);

/**
 * Drops the triggers and returns their SQL. Triggers guard the program's actions; stored rows are
 * not checked again.
 */
function withoutTriggers(raw: Sqlite.Database): readonly string[] {
  const rows = raw
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
    .raw()
    .all();
  return rows.map((row) => {
    const [name, sql] = Trigger.parse(row);
    raw.exec(`DROP TRIGGER ${name}`);
    return sql;
  });
}

interface SalvageReading {
  readonly table: StoredTable;
  readonly holes: TreeHole[];
  readonly refused: StoredRow[];
}

/**
 * Returns the report. An agreement whose content is lost is deleted too; the report has the name
 * from its list row.
 */
function salvageReport(
  losses: readonly TableLoss[],
  { unreadAgreements }: RepairResult,
): readonly LostRows[] {
  const lost = losses.flatMap((loss) => reportedOf(loss) ?? []);
  const others = lost.filter(({ kind }) => kind !== 'agreements');
  if (others.length === lost.length) return lost;
  const lines = lost.find(({ table }) => table === 'agreement') ?? { rows: 0, names: [] };
  const rows = lines.rows === null ? null : lines.rows + unreadAgreements.length;
  const names = [...lines.names, ...unreadAgreements].slice(0, MAX_NAMES);
  if (rows === 0) return others;
  return [{ kind: 'agreements', table: 'agreement', rows, names }, ...others];
}

function fillTables(
  raw: Sqlite.Database,
  pages: Pages,
  source: Source,
): { readonly losses: readonly TableLoss[]; readonly unplaced: number } {
  const { tables, shadows } = tablesOf(raw);
  const writer = new RowWriter(raw);
  const readings = tables.map((table) => readTable(source, writer, table));
  continueNumbers(raw, source);
  const broken = readings.filter(({ holes, refused }) => holes.length + refused.length > 0);
  if (broken.length === 0) return { losses: [], unplaced: 0 };
  const rivals = rivalsOf(source, tables, shadows);
  const unplaced = placeLoosePages(pages, source, writer, broken, rivals);
  return { losses: broken.map((reading) => lossOf(pages, source, raw, reading)), unplaced };
}

/**
 * Whether rows may belong to a structure that is rebuilt: an index, or a shadow table of a
 * full-text index.
 */
type RowTest = (values: readonly Value[]) => boolean;

/** Returns the structures that were not read completely, and may own unreferenced pages. */
function rivalsOf(
  { trees, roots }: Source,
  tables: readonly StoredTable[],
  shadows: readonly StoredTable[],
): readonly RowTest[] {
  const isBroken = (name: string): boolean => {
    const root = roots.get(name);
    return root === undefined || !trees.pass(root);
  };
  return [
    ...tables.flatMap((table) =>
      table.indexes
        .filter(({ name }) => isBroken(name))
        .map(
          (index): RowTest =>
            (values) =>
              isEntryOf(table, index, values),
        ),
    ),
    ...shadows
      .filter(({ name }) => isBroken(name))
      .map(
        (table): RowTest =>
          (values) =>
            isRowOf(table, values),
      ),
  ];
}

/** Continues AUTOINCREMENT counters, so that numbers of lost rows are not reused. */
function continueNumbers(raw: Sqlite.Database, { trees, roots }: Source): void {
  const root = roots.get('sqlite_sequence');
  if (root === undefined) return;
  const raise = raw.prepare('UPDATE sqlite_sequence SET seq = max(seq, @last) WHERE name = @name');
  const add = raw.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (@name, @last)');
  for (const found of trees.read(root, true)) {
    if ('hole' in found) continue;
    const [name, last] = found.row.values;
    if (typeof name !== 'string' || typeof last !== 'bigint') continue;
    if (raise.run({ name, last }).changes === 0) add.run({ name, last });
  }
}

function readTable(
  { trees, roots }: Source,
  writer: RowWriter,
  table: StoredTable,
): SalvageReading {
  const reading: SalvageReading = { table, holes: [], refused: [] };
  const root = roots.get(table.name);
  if (root === undefined) {
    reading.holes.push({ kind: 'pages', after: null, until: null });
    return reading;
  }
  for (const found of trees.read(root, table.hasRowid)) {
    if ('hole' in found) reading.holes.push(found.hole);
    else if (!writer.write(table, found.row)) reading.refused.push(found.row);
  }
  return reading;
}

/**
 * Assigns unreferenced pages, whose parents are lost, to their tables by the pointer map. Without
 * the map, a page goes to a table only if no other table can own it: the table accepts all rows of
 * the page and misses rows of these numbers. Returns the number of rows without a table.
 */
function placeLoosePages(
  pages: Pages,
  { trees, roots }: Source,
  writer: RowWriter,
  broken: readonly SalvageReading[],
  rivals: readonly RowTest[],
): number {
  const rootOf = readPageMap(pages);
  const missing = broken.filter(({ holes }) => holes.some(({ kind }) => kind === 'pages'));
  let unplaced = 0;
  for (let number = 2; missing.length > 0 && number <= pages.count; number += 1) {
    const owner = rootOf(number);
    const page = owner === 'none' ? null : trees.loose(number);
    if (page === null) continue;
    const found = [...trees.rowsOn(page)];
    const rows = found.flatMap((one) => ('row' in one ? [one.row] : []));
    if (rows.length === 0) continue;
    const isNamed = [...roots.values()].some((root) => root === owner);
    const takers = missing.filter(
      (reading) =>
        (!isNamed || roots.get(reading.table.name) === owner) &&
        canBeOf(reading, page, rows) &&
        writer.writeAll(reading.table, rows, false),
    );
    const isContested =
      !isNamed && rivals.some((isTheirs) => rows.every(({ values }) => isTheirs(values)));
    const [only] = takers;
    if (takers.length === 1 && only !== undefined && !isContested) {
      trees.take(number, page);
      writer.writeAll(only.table, rows, true);
      only.holes.push(...found.flatMap((one) => ('hole' in one ? [one.hole] : [])));
    } else if (page.kind === btreePageKinds.tableLeaf && !isNamed && !isContested)
      unplaced += rows.length;
  }
  return unplaced;
}

function canBeOf(
  { table, holes }: SalvageReading,
  { kind }: TreePage,
  rows: readonly StoredRow[],
): boolean {
  const spans = holes.flatMap((hole) => (hole.kind === 'pages' ? [hole] : []));
  return (
    table.hasRowid === (kind === btreePageKinds.tableLeaf) &&
    rows.every(
      ({ rowid, values }) => isRowOf(table, values) && (rowid === null || isInSpans(spans, rowid)),
    )
  );
}
