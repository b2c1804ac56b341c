import * as z from 'zod';
import type { EvidenceEntry, EvidenceQuery } from '../../../../shared/contract/evidence.ts';
import { ConnectionId } from '../../../../shared/model/ids.ts';
import type { EvidenceStore, StoredEvidence } from '../../../core/evidence/ports.ts';
import { readEntry } from '../../../../shared/rules/evidence/entry.ts';
import type { Database, Parameters } from '../database/database.ts';

const columns = 'number, entry AS text, hash';

/** SQL for the condition of a query; null bounds are ignored. */
const narrowedSql = `
  (@connectionId IS NULL OR (connection_id = @connectionId AND agreement_id = @id))
  AND (@from IS NULL OR at >= @from) AND (@to IS NULL OR at < @to)`;

const sql = {
  last: `SELECT ${columns} FROM evidence ORDER BY number DESC LIMIT 1`,
  at: `SELECT ${columns} FROM evidence WHERE number = @number`,
  append: 'INSERT INTO evidence (number, entry, hash) VALUES (@number, @text, @hash)',
  list: `
    SELECT ${columns} FROM evidence
    WHERE ${narrowedSql} AND (@before IS NULL OR number < @before)
    ORDER BY number DESC LIMIT @limit`,
  count: `SELECT count(*) AS count FROM evidence WHERE ${narrowedSql}`,
  connectionsOf: `
    SELECT DISTINCT connection_id AS connectionId FROM evidence
    WHERE agreement_id = @id AND connection_id IS NOT NULL`,
  walk: `SELECT ${columns} FROM evidence WHERE number > @after ORDER BY number LIMIT @limit`,
  openIntents: `
    SELECT ${columns} FROM evidence AS i
    WHERE kind = 'intended' AND coalesce((SELECT outcome FROM evidence AS e
      WHERE e.intent = i.number ORDER BY e.number DESC LIMIT 1), 'unknown') = 'unknown'
    ORDER BY number`,
  restorations: `SELECT ${columns} FROM evidence WHERE kind = 'restored' ORDER BY number`,
  // A restore from a damaged file does not end a move: the computer is still the one that moved.
  lastMove: `
    SELECT ${columns} FROM evidence WHERE kind IN ('moving', 'moved', 'woken', 'restored')
      AND (kind <> 'restored' OR entry ->> '$.fact.from' IS NULL)
    ORDER BY number DESC LIMIT 1`,
  noted: 'SELECT entries, hash FROM evidence_noted WHERE id = 1',
  setNoted: `
    INSERT INTO evidence_noted (id, entries, hash) VALUES (1, @entries, @hash)
    ON CONFLICT (id) DO UPDATE SET entries = excluded.entries, hash = excluded.hash`,
  ofRef: `SELECT ${columns} FROM evidence WHERE ref = @ref ORDER BY number`,
};

/** Number of entries that are in memory at a time while the whole log is read. */
const ENTRIES_PER_READ = 500;

const EvidenceEnd = z.object({ entries: z.number().int(), hash: z.string() });
const Row = z.object({ number: z.number().int(), text: z.string(), hash: z.string() });

export function createEvidenceStore(database: Database): EvidenceStore {
  const last = database.query(sql.last, Row);
  const at = database.query(sql.at, Row);
  const append = database.command(sql.append);
  const list = database.query(sql.list, Row);
  const count = database.query(sql.count, z.object({ count: z.number().int() }));
  const connectionsOf = database.query(sql.connectionsOf, z.object({ connectionId: ConnectionId }));
  const walk = database.query(sql.walk, Row);
  const openIntents = database.query(sql.openIntents, Row);
  const restorations = database.query(sql.restorations, Row);
  const lastMove = database.query(sql.lastMove, Row);
  const ofRef = database.query(sql.ofRef, Row);
  const noted = database.query(sql.noted, EvidenceEnd);
  const setNoted = database.command(sql.setNoted);

  return {
    last: () => last.first() ?? null,
    at: (number) => at.first({ number }) ?? null,
    append: (make) =>
      database.transaction(() => {
        const { number, text, hash } = make(last.first() ?? null);
        append({ number, text, hash });
        return { number, text, hash };
      }),
    list: (query) =>
      readableEntries(
        list.all({ ...queryParameters(query), before: query.before ?? null, limit: query.limit }),
      ),
    count: (query) => count.only(queryParameters(query)).count,
    connectionsOf: (id) => connectionsOf.all({ id }).map(({ connectionId }) => connectionId),
    *walk() {
      for (let after = Number.MIN_SAFE_INTEGER; ;) {
        const rows = walk.all({ after, limit: ENTRIES_PER_READ });
        yield* rows;
        const end = rows.at(-1);
        if (end === undefined) return;
        after = end.number;
      }
    },
    openIntents: () => readableEntries(openIntents.all()),
    restorations: () => readableEntries(restorations.all()),
    lastMove: () => readableEntries(lastMove.all())[0] ?? null,
    ofRef: (ref) => readableEntries(ofRef.all({ ref })),
    noted: () => noted.first() ?? null,
    setNoted: ({ entries, hash }) => {
      setNoted({ entries, hash });
    },
  };
}

function queryParameters({
  key,
  from,
  to,
}: Pick<EvidenceQuery, 'key' | 'from' | 'to'>): Parameters {
  return {
    connectionId: key?.connectionId ?? null,
    id: key?.id ?? null,
    from: from ?? null,
    to: to ?? null,
  };
}

function readableEntries(rows: readonly StoredEvidence[]): EvidenceEntry[] {
  return rows.flatMap((row) => readEntry(row) ?? []);
}
