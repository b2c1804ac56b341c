import Sqlite from 'better-sqlite3';
import * as z from 'zod';
import { AppError } from '../../../../shared/errors.ts';
import { foreignFileError } from '../database/cipher.ts';
import { APPLICATION_ID, migrate } from '../database/migrate.ts';
import { migrations } from '../migrations/index.ts';
import type { Pages } from './pages.ts';
import type { Value } from './records.ts';
import { Trees } from './tree.ts';

/** Version and schema of a damaged file, as far as they are readable. */
export interface Source {
  readonly trees: Trees;
  readonly version: number;
  /** Root pages of tables and indexes, by name; unknown ones are missing. */
  readonly roots: ReadonlyMap<string, number>;
}

const VERSION_OFFSET = 60;
const APPLICATION_OFFSET = 68;

const SchemaRow = z.tuple([
  z.enum(['table', 'index', 'view', 'trigger']),
  z.string(),
  z.string(),
  z.bigint().nullable(),
  z.string().nullable(),
]);
type SchemaRow = z.infer<typeof SchemaRow>;

/** Reads the version and the schema. Throws 'newer-data', or 'storage' with 'data-foreign'. */
export function readSource(pages: Pages): Source {
  const trees = new Trees(pages);
  const first = pages.read(1);
  const stated = first === null ? null : statedVersion(first);
  const rows = schemaRows(pages, trees);
  const version = stated ?? likelyVersion(rows);
  const roots = new Map<string, number>();
  for (const [, name, , root] of rows) {
    if (root !== null && root > 0n) roots.set(name, Number(root));
  }
  return { trees, version, roots };
}

function statedVersion(first: Uint8Array): number {
  const view = new DataView(first.buffer, first.byteOffset, first.byteLength);
  if (view.getUint32(APPLICATION_OFFSET) !== APPLICATION_ID) throw foreignFileError();
  const version = view.getUint32(VERSION_OFFSET);
  if (version <= newestSchemaVersion()) return version;
  throw new AppError(
    'newer-data',
    'The data was written by a newer version of this program. Install that version',
  );
}

const newestSchemaVersion = (): number => migrations.at(-1)?.version ?? 0;

/**
 * Returns the rows of the schema table. If page 1 is lost, finds the table's leaves among the
 * unreferenced pages.
 */
function schemaRows(pages: Pages, trees: Trees): readonly SchemaRow[] {
  const rows: SchemaRow[] = [];
  let isWhole = true;
  for (const found of trees.read(1, true)) {
    const row = 'row' in found ? schemaRow(found.row.values) : null;
    if (row === null) isWhole = false;
    else rows.push(row);
  }
  if (isWhole) return rows;
  for (let number = 2; number <= pages.count; number += 1) {
    const page = trees.loose(number);
    if (page === null) continue;
    const found = [...trees.rowsOn(page)].map((one) =>
      'row' in one ? schemaRow(one.row.values) : null,
    );
    if (found.length === 0 || found.includes(null)) continue;
    trees.take(number, page);
    rows.push(...found.filter((row) => row !== null));
  }
  return rows;
}

function schemaRow(values: readonly Value[]): SchemaRow | null {
  return SchemaRow.safeParse(values).data ?? null;
}

/**
 * Returns the version that has exactly these tables; if rows are lost, the newest version that has
 * all of them.
 */
function likelyVersion(rows: readonly SchemaRow[]): number {
  const written = new Set(rows.map(([, name, , , sql]) => `${name} ${sql ?? ''}`));
  const versions = rows.length === 0 ? [] : migrations.map(({ version }) => version).toReversed();
  const having = versions
    .map((version) => ({ version, known: schemaOf(version) }))
    .filter(({ known }) => [...written].every((row) => known.has(row)));
  const same = having.find(({ known }) => known.size === written.size);
  return (same ?? having[0])?.version ?? newestSchemaVersion();
}

function schemaOf(version: number): ReadonlySet<string> {
  const raw = new Sqlite(':memory:');
  try {
    migrateTo(raw, version);
    const rows = raw.prepare("SELECT name || ' ' || coalesce(sql, '') FROM sqlite_schema").pluck();
    return new Set(z.array(z.string()).parse(rows.all()));
  } finally {
    raw.close();
  }
}

export function migrateTo(raw: Sqlite.Database, version: number): void {
  // The file is empty, so no backup copy is made.
  migrate(
    raw,
    migrations.filter((step) => step.version <= version),
    '',
  );
}
