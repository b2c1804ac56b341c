import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';
import * as z from 'zod';
import type { BackupCounts } from '../../../../shared/contract/backup.ts';
import { AppError } from '../../../../shared/errors.ts';
import type { MissingEvidenceRange } from '../../../../shared/contract/evidence.ts';
import { walkChain } from '../../../../shared/rules/evidence/chain.ts';
import { readEntry } from '../../../../shared/rules/evidence/entry.ts';
import type { DataFacts } from '../../../core/copy-ports.ts';
import { connect } from '../database/cipher.ts';
import { freshSchema, schemaOf } from '../database/fresh-schema.ts';
import { APPLICATION_ID, rejectNewer } from '../database/migrate.ts';
import { withStorageErrors } from '../database/storage-errors.ts';
import { migrations } from '../migrations/index.ts';

const READ_PIECE_BYTES = 1024 * 1024;
const Entry = z.object({ number: z.number(), text: z.string(), hash: z.string() });

/** Tables by kind; a table that an older version lacks counts as empty. */
const tables: Readonly<Record<keyof BackupCounts, string>> = {
  connections: 'connection',
  agreements: 'agreement',
  drafts: 'draft',
  templates: 'template',
  people: 'person',
  batches: 'batch',
  sends: 'outbox',
  evidence: 'evidence',
  archived: 'archive',
};

/**
 * Checks a whole copy that no other process uses: every page, every index, the counted tables, the
 * evidence chain, and that the schema is this program's. Throws 'storage' with 'data-damaged', or
 * 'newer-data'.
 */
export function inspectDataFile(file: string, key: Uint8Array): DataFacts {
  const { bytes, sha256 } = hashOf(file);
  const raw = connect(file, key, 'read');
  try {
    if (raw.pragma('application_id', { simple: true }) !== APPLICATION_ID)
      throw damagedCopyError('head');
    rejectNewer(raw, migrations);
    const found = raw.pragma('integrity_check(1)', { simple: true });
    if (found !== 'ok') throw damagedCopyError('pages');
    const schema = Number(raw.pragma('user_version', { simple: true }));
    if (schemaOf(raw) !== freshSchema(migrations, schema)) throw damagedCopyError('schema');
    return {
      schema,
      bytes,
      sha256,
      counts: countsIn(raw),
      evidence: evidenceIn(raw),
    };
  } finally {
    raw.close();
  }
}

/**
 * Tables that a start fills, or that removed items leave rows in. Of the settings, only views are
 * checked.
 */
const ALWAYS_FILLED_TABLES = ['epoch', 'setting', 'search_state', 'digest', 'removed_item'];
const TABLES_SQL = `
  SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL %'
    AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '%\\_words\\_%' ESCAPE '\\'`;
const HAS_VIEWS_SQL = "SELECT 1 FROM setting WHERE name = 'agreementViews' AND value <> '[]'";

/**
 * Whether a data file has only the content that a first start creates. Every table counts unless it
 * is excluded above, so that no new table is missed. Rules, groups and an office are user input
 * too, and an invitation can be used only once.
 */
export function isUntouched(file: string, key: Uint8Array): boolean {
  return withStorageErrors(() => {
    const raw = connect(file, key, 'read');
    try {
      const isEmpty = (sql: string): boolean => raw.prepare(sql).get() === undefined;
      const written = z
        .array(z.string())
        .parse(raw.prepare(TABLES_SQL).pluck().all())
        .filter((name) => !ALWAYS_FILLED_TABLES.includes(name));
      return (
        written.every((name) => isEmpty(`SELECT 1 FROM ${name} LIMIT 1`)) &&
        (!hasTable(raw, 'setting') || isEmpty(HAS_VIEWS_SQL))
      );
    } finally {
      raw.close();
    }
  });
}

function damagedCopyError(what: string): AppError {
  return new AppError('storage', `The copy of the data is damaged (${what})`, {
    reason: 'data-damaged',
  });
}

function countsIn(raw: Sqlite.Database): BackupCounts {
  const count = (kind: keyof BackupCounts): number => {
    const table = tables[kind];
    if (!hasTable(raw, table)) return 0;
    return Number(raw.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
  };
  return {
    connections: count('connections'),
    agreements: count('agreements'),
    drafts: count('drafts'),
    templates: count('templates'),
    people: count('people'),
    batches: count('batches'),
    sends: count('sends'),
    evidence: count('evidence'),
    archived: count('archived'),
  };
}

function hasTable(raw: Sqlite.Database, table: string): boolean {
  const sql = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?";
  return raw.prepare(sql).get(table) !== undefined;
}

/**
 * Reads the end of the evidence log. A broken log is backed up as it is, so that its content is not
 * lost.
 */
function evidenceIn(raw: Sqlite.Database): DataFacts['evidence'] {
  if (!hasTable(raw, 'evidence')) return { entries: 0, hash: '' };
  const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');
  const { entries, head } = walkChain(entriesIn(raw), sha256, { unread: unreadRangesIn(raw) });
  return { entries, hash: head };
}

/** Returns the entries that, according to the log itself, could not be read from a damaged file. */
function unreadRangesIn(raw: Sqlite.Database): readonly MissingEvidenceRange[] {
  const sql = "SELECT number, entry AS text, hash FROM evidence WHERE kind = 'restored'";
  return raw
    .prepare(sql)
    .all()
    .flatMap((row) => {
      const fact = readEntry(Entry.parse(row))?.fact;
      return fact?.kind === 'restored' ? (fact.unread ?? []) : [];
    });
}

function* entriesIn(raw: Sqlite.Database): Generator<z.infer<typeof Entry>> {
  const sql = 'SELECT number, entry AS text, hash FROM evidence ORDER BY number';
  for (const row of raw.prepare(sql).iterate()) yield Entry.parse(row);
}

function hashOf(file: string): { readonly bytes: number; readonly sha256: string } {
  const descriptor = openSync(file, 'r');
  try {
    const digest = createHash('sha256');
    const piece = Buffer.alloc(READ_PIECE_BYTES);
    let bytes = 0;
    for (;;) {
      const read = readSync(descriptor, piece, 0, READ_PIECE_BYTES, bytes);
      if (read === 0) return { bytes, sha256: digest.digest('hex') };
      digest.update(piece.subarray(0, read));
      bytes += read;
    }
  } finally {
    closeSync(descriptor);
  }
}
