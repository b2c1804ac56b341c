import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';
import * as z from 'zod';
import type { BackupCounts } from '../../../../shared/contract/backup.ts';
import { AppError } from '../../../../shared/errors.ts';
import type { EvidenceHole } from '../../../../shared/contract/evidence.ts';
import { walkChain } from '../../../../shared/rules/evidence/chain.ts';
import { readEntry } from '../../../../shared/rules/evidence/entry.ts';
import type { DataFacts } from '../../../core/copy-ports.ts';
import { connect } from '../database/cipher.ts';
import { freshSchema, schemaOf } from '../database/fresh-schema.ts';
import { APPLICATION_ID, rejectNewer } from '../database/migrate.ts';
import { withStorageErrors } from '../database/storage-errors.ts';
import { migrations } from '../migrations/index.ts';

const PIECE = 1024 * 1024;
const Entry = z.object({ number: z.number(), text: z.string(), hash: z.string() });

/** Tables that a file of an older version may lack count as empty. */
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
 * Reads all of a copy that nobody else has open: every page, every index, every row that counts, and
 * the evidence from its first entry on; its schema is the one that this program makes. Throws 'storage' with 'data-damaged' where something is
 * wrong, and 'newer-data'.
 */
export function inspect(file: string, key: Uint8Array): DataFacts {
  const { bytes, sha256 } = hashOf(file);
  const raw = connect(file, key, 'read');
  try {
    if (raw.pragma('application_id', { simple: true }) !== APPLICATION_ID) throw damaged('head');
    rejectNewer(raw, migrations);
    const found = raw.pragma('integrity_check(1)', { simple: true });
    if (found !== 'ok') throw damaged('pages');
    const schema = Number(raw.pragma('user_version', { simple: true }));
    if (schemaOf(raw) !== freshSchema(migrations, schema)) throw damaged('schema');
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

/** Filled by a start, or by what a person removed again. Of settings the views alone are looked at. */
const FILLED = ['epoch', 'setting', 'search_state', 'digest', 'removed_item'];
const TABLES = `
  SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL %'
    AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '%\\_words\\_%' ESCAPE '\\'`;
const VIEWS = "SELECT 1 FROM setting WHERE name = 'agreementViews' AND value <> '[]'";

/**
 * Whether nobody has written anything into a data file: what a first start makes is in it alone. A table counts unless
 * it is named here, so that none is forgotten: rules, groups and an office are typed, too, and an invitation opens once.
 */
export function isUntouched(file: string, key: Uint8Array): boolean {
  return withStorageErrors(() => {
    const raw = connect(file, key, 'read');
    try {
      const isEmpty = (sql: string): boolean => raw.prepare(sql).get() === undefined;
      const written = z
        .array(z.string())
        .parse(raw.prepare(TABLES).pluck().all())
        .filter((name) => !FILLED.includes(name));
      return (
        written.every((name) => isEmpty(`SELECT 1 FROM ${name} LIMIT 1`)) &&
        (!has(raw, 'setting') || isEmpty(VIEWS))
      );
    } finally {
      raw.close();
    }
  });
}

function damaged(what: string): AppError {
  return new AppError('storage', `The copy of the data is damaged (${what})`, {
    reason: 'data-damaged',
  });
}

function countsIn(raw: Sqlite.Database): BackupCounts {
  const count = (kind: keyof BackupCounts): number => {
    const table = tables[kind];
    if (!has(raw, table)) return 0;
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

function has(raw: Sqlite.Database, table: string): boolean {
  const sql = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?";
  return raw.prepare(sql).get(table) !== undefined;
}

/** A log that is broken already is backed up as it is: what it holds is not ours to lose. */
function evidenceIn(raw: Sqlite.Database): DataFacts['evidence'] {
  if (!has(raw, 'evidence')) return { entries: 0, hash: '' };
  const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');
  const { entries, head } = walkChain(entriesIn(raw), sha256, { unread: unreadIn(raw) });
  return { entries, hash: head };
}

/** What the log says itself that could not be read out of a damaged file. */
function unreadIn(raw: Sqlite.Database): readonly EvidenceHole[] {
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
    const piece = Buffer.alloc(PIECE);
    let bytes = 0;
    for (;;) {
      const read = readSync(descriptor, piece, 0, PIECE, bytes);
      if (read === 0) return { bytes, sha256: digest.digest('hex') };
      digest.update(piece.subarray(0, read));
      bytes += read;
    }
  } finally {
    closeSync(descriptor);
  }
}
