import { createHash, randomUUID } from 'node:crypto';
import { closeSync, openSync, readFileSync, rmSync, truncateSync, writeSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';
import { connect } from '../../../../electron/adapters/sqlite/database/cipher.ts';
import {
  salvage,
  type SalvageResult,
} from '../../../../electron/adapters/sqlite/rescue/salvage.ts';
import { EvidenceLog } from '../../../../electron/core/evidence/log.ts';
import type { Stores } from '../../../../electron/core/ports.ts';
import type { DraftFile } from '../../../../shared/contract/drafts.ts';
import { AgreementId, FileId, OutboxRef } from '../../../../shared/model/ids.ts';
import { createEncoding } from '../../../../electron/adapters/system/encoding.ts';
import { reviewed } from '../../../support/evidence-facts.ts';
import { keptVault } from '../../../support/fakes/kept-vault.ts';
import { createMemoryWitness } from '../../../support/fakes/memory-ports.ts';
import { content, newConnection, newDraft, remote } from '../samples.ts';
import { NOW, type TempDatabase, tempDatabase } from '../temp-database.ts';

export const PAGE = 4096;

/** Adds enough rows for multi-level trees, and files that cover many pages. */
export function furnish(stores: Stores): void {
  const connection = newConnection();
  stores.connections.save(connection);
  const agreements = Array.from({ length: 120 }, (_, at) =>
    remote({ id: AgreementId.parse(`agreement-${at}`), title: `Lease ${at}` }),
  );
  stores.agreements.put(connection.id, 'v1', agreements, NOW);
  for (let at = 0; at < 60; at += 1) {
    const draft = newDraft({ connectionId: connection.id, content: content(`Draft ${at}`) });
    stores.drafts.insert(draft);
    const data = Buffer.alloc(at % 10 === 0 ? 40_000 : 3_000, String(at));
    stores.drafts.addFile(draft.id, fileOf(`file-${at}.pdf`, data), data, NOW);
  }
  for (let at = 0; at < 40; at += 1) {
    const ref = OutboxRef.parse(randomUUID());
    stores.outbox.insert(
      {
        item: {
          ref,
          connectionId: connection.id,
          kind: 'create',
          title: `Send ${at}`,
          people: [],
          mark: { by: 'tag' },
          nextAt: null,
          fingerprint: `fingerprint-${at}`,
        },
        request: { body: Buffer.alloc(500, String(at)), target: null, signedAt: null },
        uploads: [],
      },
      NOW + at,
    );
  }
  const log = logOf(stores);
  for (let at = 1; at <= 150; at += 1) log.append(reviewed(`agreement-${at}`));
}

const fileOf = (name: string, data: Buffer): DraftFile => ({
  id: FileId.parse(randomUUID()),
  name,
  mimeType: 'application/pdf',
  bytes: data.length,
  sha256: sha256(data),
  pages: 1,
  fieldCount: 0,
  notices: [],
});

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex');

export const logOf = (stores: Stores): EvidenceLog =>
  new EvidenceLog({
    evidence: stores.evidence,
    vault: keptVault(),
    externalState: createMemoryWitness(),
    origin: { user: 'maria', computer: 'desk', program: 'Signing Desk' },
    clock: { now: () => NOW, after: () => () => undefined },
    sha256,
    encoding: createEncoding(),
    emit: () => undefined,
  });

/** Rows as text, by table and row number, without derived tables. */
export type Content = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Names of derived tables, which can be rebuilt without a loss. */
const WORKED_OUT = new Set(['agreement_tally', 'search_state', 'sync_state', 'epoch']);

export function contentOf(raw: Sqlite.Database): Content {
  const tables = raw.pragma('table_list') as { name: string; type: string; wr: number }[];
  const named = tables.filter(
    ({ name, type }) => type === 'table' && !name.startsWith('sqlite_') && !WORKED_OUT.has(name),
  );
  return new Map(
    named.map(({ name, wr }) => {
      const sql = `SELECT ${wr === 0 ? 'rowid AS number_of_row, ' : ''}* FROM ${name}`;
      const rows = raw.prepare(sql).all() as Record<string, unknown>[];
      return [name, new Map(rows.map((row, at) => [keyOf(row, at), textOf(row)]))];
    }),
  );
}

const keyOf = (row: Record<string, unknown>, at: number) => String(row['number_of_row'] ?? at);

/**
 * Returns the row as text, without values that a rescue does not keep: the position in the search
 * index, which is rebuilt, and the times of the last reading, because all is read again.
 */
function textOf(row: Record<string, unknown>): string {
  const kept = Object.entries(row).filter(
    ([name]) => !['place', 'checked_until', 'checked_at'].includes(name),
  );
  return JSON.stringify(kept, (_, value: unknown) =>
    value instanceof Uint8Array ? sha256(value) : value,
  );
}

/** Page types, as named in SQLite's own statistics of pages. */
type PageKind = 'leaf' | 'internal' | 'overflow';

export interface Damaged extends Disposable {
  readonly file: string;
  readonly key: Uint8Array;
  /** Content before the damage. */
  readonly before: Content;
  /** Pages of a table or an index in row order; the root is first. */
  pagesOf(name: string, kind?: PageKind): readonly number[];
  /** Number of pages of the data file. */
  readonly count: number;
  zero(...pages: readonly number[]): void;
  /** Flips one bit of the byte at the offset `at`. */
  flip(at: number): void;
  cutAfter(page: number): void;
  salvage(): SalvageResult;
  /** Rescued content. */
  after(): Content;
  /** Reads the rescued content. */
  read<Result>(look: (raw: Sqlite.Database) => Result): Result;
  [Symbol.dispose](): void;
}

/** Returns a closed data file with entries in every tree, and ways to damage it. */
export function damagedFile(prepare: (place: TempDatabase) => void = () => undefined): Damaged {
  const place = tempDatabase();
  const { file, key } = place;
  furnish(place.stores);
  prepare(place);
  const raw = connect(file, key, 'write');
  raw.pragma('wal_checkpoint(TRUNCATE)');
  const before = contentOf(raw);
  const sql = 'SELECT name, pageno AS page, pagetype AS kind FROM dbstat ORDER BY name, path';
  const pages = raw.prepare(sql).all() as { name: string; page: number; kind: PageKind }[];
  raw.close();
  place.database.close();
  const into = `${file}.saved`;
  const write = (at: number, bytes: Uint8Array): void => {
    const descriptor = openSync(file, 'r+');
    writeSync(descriptor, bytes, 0, bytes.length, at);
    closeSync(descriptor);
  };
  const read = <Result>(look: (saved: Sqlite.Database) => Result): Result => {
    const saved = connect(into, key, 'read');
    try {
      return look(saved);
    } finally {
      saved.close();
    }
  };
  return {
    file,
    key,
    before,
    count: readFileSync(file).length / PAGE,
    pagesOf: (name, kind) =>
      pages
        .filter((one) => one.name === name && (kind === undefined || one.kind === kind))
        .map(({ page }) => page),
    zero: (...numbers) => {
      for (const number of numbers) write((number - 1) * PAGE, Buffer.alloc(PAGE));
    },
    flip: (at) => {
      const byte = readFileSync(file).readUInt8(at);
      write(at, Buffer.from([byte ^ 1]));
    },
    cutAfter: (page) => truncateSync(file, page * PAGE),
    salvage: () => {
      for (const end of ['', '-wal', '-shm']) rmSync(`${into}${end}`, { force: true });
      return salvage({ file, key, into, now: NOW }, () => undefined);
    },
    after: () => read(contentOf),
    read,
    [Symbol.dispose]: () => rmSync(place.folder, { recursive: true, force: true }),
  };
}
