import type Sqlite from 'better-sqlite3';
import * as z from 'zod';
import { type DataSizes, SizeKind } from '../../../../shared/contract/privacy.ts';

type MeasuredSizes = Omit<DataSizes, 'diskBytes' | 'logBytes'>;

/** Prefixes of table names by kind; the first prefix that matches determines the kind. */
const tables: readonly (readonly [begin: string, kind: SizeKind])[] = [
  ['agreement', 'agreements'],
  ['search_state', 'agreements'],
  ['sync_state', 'agreements'],
  ['draft', 'drafts'],
  ['template', 'templates'],
  ['column_memory', 'templates'],
  ['batch', 'batches'],
  ['outbox', 'outbox'],
  ['attempt', 'outbox'],
  ['journal', 'outbox'],
  ['pass', 'outbox'],
  ['hit', 'outbox'],
  ['action', 'actions'],
  ['reminder_party', 'actions'],
  ['office_reminder', 'actions'],
  ['evidence', 'evidence'],
  ['archive', 'archive'],
  ['person', 'people'],
  ['group_member', 'people'],
  ['erasure', 'people'],
  ['forgotten_person', 'people'],
];

/** Count query of each kind; `other` is a few rows of settings and rules. */
const countSqlByKind: Readonly<Record<SizeKind, string>> = {
  agreements: 'SELECT count(*) FROM agreement',
  drafts: 'SELECT count(*) FROM draft',
  templates: 'SELECT count(*) FROM template',
  batches: 'SELECT count(*) FROM batch',
  outbox: `SELECT count(*) FROM outbox WHERE state <> 'staged'`,
  actions: 'SELECT count(*) FROM action',
  evidence: 'SELECT count(*) FROM evidence',
  archive: 'SELECT count(*) FROM archive',
  people: 'SELECT count(*) FROM person',
  other: 'SELECT count(*) FROM connection WHERE is_removed = 0',
};

const SizedTables = z.array(z.object({ name: z.string(), bytes: z.number() }));

/** Measures the data by kind. Reads every page of the file. */
export function measureSizes(raw: Sqlite.Database): MeasuredSizes {
  const number = (text: string): number => z.number().parse(raw.prepare(text).pluck().get());
  const pragma = (name: string): number => z.number().parse(raw.pragma(name, { simple: true }));
  // An index counts toward its table.
  const sized = SizedTables.parse(
    raw
      .prepare(
        `SELECT coalesce(s.tbl_name, d.name) AS name, sum(d.pgsize) AS bytes
         FROM dbstat AS d LEFT JOIN sqlite_schema AS s ON s.name = d.name
         WHERE d.aggregate = TRUE GROUP BY 1`,
      )
      .all(),
  );
  const bytes = new Map<SizeKind, number>();
  for (const one of sized) {
    const kind = tables.find(([begin]) => one.name.startsWith(begin))?.[1] ?? 'other';
    bytes.set(kind, (bytes.get(kind) ?? 0) + one.bytes);
  }
  const page = pragma('page_size');
  return {
    fileBytes: pragma('page_count') * page,
    freeBytes: pragma('freelist_count') * page,
    inSteps: pragma('auto_vacuum') === INCREMENTAL_VACUUM,
    kinds: SizeKind.options.map((kind) => ({
      kind,
      number: number(countSqlByKind[kind]),
      bytes: bytes.get(kind) ?? 0,
    })),
  };
}

/** SQLite's number for auto_vacuum = INCREMENTAL. */
const INCREMENTAL_VACUUM = 2;
