import * as z from 'zod';
import { OutboxState, OutboxStep } from '../../../../shared/contract/outbox.ts';
import type { OutboxRef } from '../../../../shared/model/ids.ts';
import type { Database } from '../database/database.ts';
import { sha256 } from '../database/sha256.ts';

const sql = {
  last: 'SELECT number, hash FROM journal ORDER BY number DESC LIMIT 1',
  write: `
    INSERT INTO journal (number, at, ref, from_state, to_state, cause, actor, shown, hash)
    VALUES (@number, @at, @ref, @from, @to, @cause, @actor, @shown, @hash)`,
  of: `
    SELECT at, from_state AS "from", to_state AS "to", cause, actor FROM journal
    WHERE ref = @ref ORDER BY number`,
  wasInDoubt: "SELECT 1 AS found FROM journal WHERE ref = @ref AND to_state = 'unknown' LIMIT 1",
  all: `
    SELECT number, at, ref, from_state AS "from", to_state AS "to", cause, actor, shown, hash
    FROM journal ORDER BY number`,
  states: "SELECT ref, state FROM outbox WHERE state <> 'staged'",
};

const LastEntryRow = z.object({ number: z.number().int(), hash: z.string().nullable() });
const Entry = z.object({
  number: z.number().int(),
  at: z.number(),
  ref: z.string(),
  from: z.string().nullable(),
  to: z.string(),
  cause: z.string(),
  actor: z.string(),
  shown: z.string().nullable(),
  hash: z.string().nullable(),
});
type Entry = z.infer<typeof Entry>;

interface JournalEntry {
  readonly at: number;
  readonly ref: OutboxRef;
  readonly from: OutboxState | null;
  readonly to: OutboxState;
  readonly cause: string;
  readonly actor: string;
  readonly shown: unknown;
}

export interface OutboxJournal {
  /** Writes an entry. Must be called in the transaction of the recorded change. */
  write(entry: JournalEntry): void;
  of(ref: OutboxRef): readonly OutboxStep[];
  wasInDoubt(ref: OutboxRef): boolean;
  /**
   * Returns the number of the first entry that breaks the chain, or of the last entry of a row
   * whose state differs from it (0 if the row has no entry). Null if the chain is intact and
   * matches the rows.
   */
  firstBreak(): number | null;
}

/** Actor of changes that no user made. */
export const PROGRAM_ACTOR = 'program';

/**
 * Creates the journal. Entries are chained: each hash covers the previous hash, so that no entry
 * can be changed alone.
 */
export function createOutboxJournal(database: Database): OutboxJournal {
  const last = database.query(sql.last, LastEntryRow);
  const write = database.command(sql.write);
  const of = database.query(sql.of, OutboxStep);
  const all = database.query(sql.all, Entry);
  const wasInDoubt = database.query(sql.wasInDoubt, z.object({ found: z.number() }));
  const states = database.query(sql.states, z.object({ ref: z.string(), state: OutboxState }));
  return {
    write({ shown, ...entry }) {
      const before = last.first();
      const number = (before?.number ?? 0) + 1;
      const row = { ...entry, number, shown: shown === undefined ? null : JSON.stringify(shown) };
      write({ ...row, hash: hashOf(row, before?.hash ?? null) });
    },
    of: (ref) => of.all({ ref }),
    wasInDoubt: (ref) => wasInDoubt.first({ ref }) !== undefined,
    firstBreak: () => {
      const found = replayJournal(all.all());
      if (typeof found === 'number') return found;
      const differing = states.all().find(({ ref, state }) => found.get(ref)?.to !== state);
      return differing === undefined ? null : (found.get(differing.ref)?.number ?? 0);
    },
  };
}

function hashOf(entry: Omit<Entry, 'hash'>, before: string | null): string {
  const { number, at, ref, from, to, cause, actor, shown } = entry;
  return sha256(JSON.stringify([before, number, at, ref, from, to, cause, actor, shown]));
}

/** Returns the last entry of every row, or the number of the entry at which the chain breaks. */
function replayJournal(entries: readonly Entry[]): ReadonlyMap<string, Entry> | number {
  const rows = new Map<string, Entry>();
  let before: Entry | null = null;
  for (const entry of entries) {
    const isChained = before === null || entry.number === before.number + 1;
    // Entries of older versions have no hash, and cannot follow an entry that has a hash.
    const isWritten =
      entry.hash === null
        ? (before?.hash ?? null) === null
        : entry.hash === hashOf(entry, before?.hash ?? null);
    const follows = (rows.get(entry.ref)?.to ?? null) === entry.from;
    if (!isChained || !isWritten || !follows) return entry.number;
    rows.set(entry.ref, entry);
    before = entry;
  }
  return rows;
}
