import * as z from 'zod';
import { marksSql } from './marks.ts';
import type { Database } from '../database/database.ts';

/** Distance between new rowids (places), so that agreements can be inserted between them later. */
const PLACE_GAP = 16;

/** Time limit of a build step (ms); the step's commit takes extra time. */
const STEP_MS = 5;
/** Number of agreements that are read at a time. */
const ROWS_PER_BATCH = 64;

/**
 * Share of missing agreements from which a rebuild is cheaper than inserting: more than
 * 1/REBUILD_SHARE of all.
 */
const REBUILD_SHARE = 4;
const MIN_REBUILD_LIMIT = 1000;

/** Number of pages of the index that a step may merge in addition to its writes. */
const PAGES_PER_MERGE = 16;

const sql = {
  isMissing: `
    SELECT 1 AS found FROM agreement WHERE place IS NULL AND number IS NOT @except LIMIT 1`,
  missing: `
    SELECT number, updated_key AS updated, place FROM agreement
    WHERE place IS NULL ORDER BY updated_key, number LIMIT @limit`,
  countMissing: `
    SELECT count(*) AS total FROM (SELECT 1 FROM agreement WHERE place IS NULL LIMIT @limit)`,
  countAll: 'SELECT coalesce(sum(number), 0) AS total FROM agreement_tally',
  last: `
    SELECT number, updated_key AS updated, place FROM agreement
    WHERE place IS NOT NULL ORDER BY place DESC LIMIT 1`,
  above: `
    SELECT number, updated_key AS updated, place FROM agreement INDEXED BY agreement_place
    WHERE place > @place ORDER BY place LIMIT 1`,
  before: `
    SELECT number, updated_key AS updated, place FROM agreement INDEXED BY agreement_by_updated
    WHERE (updated_key, number) < (@updated, @number) AND place IS NOT NULL
    ORDER BY updated_key DESC, number DESC LIMIT 1`,
  following: `
    SELECT number, updated_key AS updated, place FROM agreement INDEXED BY agreement_by_updated
    WHERE (updated_key, number) > (@updated, @number)
    ORDER BY updated_key, number LIMIT @limit`,
  setPlace: 'UPDATE agreement SET place = @place WHERE number = @number',
  add: `
    INSERT INTO agreement_words (rowid, words, marks)
    SELECT place, search_text, ${marksSql} FROM agreement WHERE number = @number`,
  remove: 'DELETE FROM agreement_words WHERE rowid = @place',
  clear: `INSERT INTO agreement_words (agreement_words) VALUES ('delete-all')`,
  merge: `
    INSERT INTO agreement_words (agreement_words, rank) VALUES ('merge', ${String(PAGES_PER_MERGE)})`,
  changes: 'SELECT total_changes() AS total',
  builtAfter: 'SELECT built_after AS place FROM search_state',
  setBuiltAfter: 'UPDATE search_state SET built_after = @place',
};

const PlaceableRow = z.object({
  number: z.number(),
  updated: z.number(),
  place: z.number().nullable(),
});
type PlaceableRow = z.infer<typeof PlaceableRow>;
/** An agreement in the index. */
const IndexedRow = PlaceableRow.extend({ place: z.number() });
type IndexedRow = z.infer<typeof IndexedRow>;
const Total = z.object({ total: z.number() });

/** Position of an agreement in the order of last updates. */
type OrderKey = Pick<PlaceableRow, 'number' | 'updated'>;

interface IndexChange {
  /** Previous place; null if the agreement had none. */
  readonly from: number | null;
  readonly isReworded: boolean;
}

/**
 * Search index of agreements. Its rowids, called places, ascend in the order of `(updated_key,
 * number)`; readers that list the newest agreements first rely on that order.
 */
export interface AgreementIndex {
  /** Whether every agreement is in the index. */
  isWhole(): boolean;
  /** Inserts an agreement, or replaces it if its words, marks or order changed. */
  place(row: OrderKey, change: IndexChange): void;
  /** Removes an agreement until `build` inserts it again. */
  leaveOut(number: number, place: number | null): void;
  /**
   * Does part of the remaining work, by default for a few milliseconds. Returns true once the index
   * is complete and merged.
   */
  build(isOver?: () => boolean): boolean;
}

class StoredAgreementIndex implements AgreementIndex {
  readonly #database: Database;
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#database = database;
    this.#sql = prepare(database);
  }

  isWhole(): boolean {
    return this.#isWholeBut(null);
  }

  place(row: OrderKey, { from, isReworded }: IndexChange): void {
    if (from !== null && this.#standsRight(row)) {
      if (!isReworded) return;
      this.#sql.remove({ place: from });
      this.#sql.add({ number: row.number });
      return;
    }
    this.leaveOut(row.number, from);
    // If the index is incomplete, `build` inserts the agreement later.
    const place = this.#isWholeBut(row.number) ? this.#freePlace(row) : null;
    if (place !== null) this.#write(row.number, place);
  }

  leaveOut(number: number, from: number | null): void {
    if (from === null) return;
    this.#sql.remove({ place: from });
    this.#sql.setPlace({ number, place: null });
  }

  build(isOver = stepFromNow()): boolean {
    // A step that a power failure undoes is repeated.
    return this.#database.quickTransaction(() => {
      if (this.#rebuiltFrom() === null) this.#beginRebuild();
      let isWhole = this.isWhole();
      while (!isWhole && !isOver()) {
        const after = this.#rebuiltFrom();
        if (after === null) this.#fillIn(isOver);
        else this.#rebuild(after, isOver);
        isWhole = this.isWhole();
      }
      return this.#isMerged() && isWhole;
    });
  }

  #write(number: number, place: number): void {
    this.#sql.setPlace({ number, place });
    this.#sql.add({ number });
  }

  /** Whether every agreement, except perhaps `except`, is in the index. */
  #isWholeBut(except: number | null): boolean {
    return this.#rebuiltFrom() === null && this.#sql.isMissing.first({ except }) === undefined;
  }

  /** Returns the last place of the old index during a rebuild; otherwise null. */
  #rebuiltFrom(): number | null {
    return this.#sql.builtAfter.first()?.place ?? null;
  }

  /** Returns a free place between the neighbours of an agreement; null if there is none. */
  #freePlace(row: OrderKey): number | null {
    const newest = this.#sql.last.first();
    if (newest === undefined) return PLACE_GAP;
    if (isUpdatedLater(row, newest)) return newest.place + PLACE_GAP;
    const below = this.#sql.before.first({ ...row })?.place;
    const above = this.#sql.above.first({ place: below ?? Number.MIN_SAFE_INTEGER })?.place ?? 0;
    const place = Math.floor(((below ?? above - 2 * PLACE_GAP) + above) / 2);
    return place === below ? null : place;
  }

  /** Whether an agreement's place directly follows that of its predecessor. */
  #standsRight(row: OrderKey): boolean {
    if (this.#rebuiltFrom() !== null) return false;
    const below = this.#sql.before.first({ ...row })?.place ?? Number.MIN_SAFE_INTEGER;
    return this.#sql.above.first({ place: below })?.number === row.number;
  }

  /** Inserts the oldest missing agreements, in runs that have the same neighbours. */
  #fillIn(isOver: () => boolean): void {
    let rest = this.#sql.missing.all({ limit: ROWS_PER_BATCH });
    for (let [first] = rest; first !== undefined && !isOver(); [first] = rest) {
      const below = this.#sql.before.first({ ...first })?.place ?? null;
      const above = this.#sql.above.first({ place: below ?? Number.MIN_SAFE_INTEGER });
      const run = above === undefined ? rest : rest.filter((row) => isUpdatedLater(above, row));
      // If existing places are out of order, there is no place for the agreement, so the index is
      // rebuilt.
      if (run.length === 0) return this.#buildAnew();
      this.#spread(run, below, above);
      rest = rest.slice(run.length);
    }
  }

  /**
   * Inserts a run evenly between its neighbours. If the neighbours are too close, some following
   * agreements move to higher places.
   */
  #spread(run: readonly PlaceableRow[], below: number | null, next: IndexedRow | undefined): void {
    let above = next;
    const from = below ?? (above?.place ?? 0) - PLACE_GAP * (run.length + 1);
    const moving: PlaceableRow[] = [];
    while (above !== undefined && above.place - from <= 2 * (run.length + moving.length)) {
      moving.push(above);
      above = this.#sql.above.first({ place: above.place });
    }
    for (const one of moving) this.leaveOut(one.number, one.place);
    const rows = [...run, ...moving];
    const apart = above === undefined ? PLACE_GAP : (above.place - from) / (rows.length + 1);
    for (const [index, { number }] of rows.entries()) {
      this.#write(number, from + Math.floor(apart * (index + 1)));
    }
  }

  /** Starts a rebuild if most agreements are missing. */
  #beginRebuild(): void {
    const all = this.#sql.countAll.only().total;
    const limit = Math.max(MIN_REBUILD_LIMIT, Math.ceil(all / REBUILD_SHARE));
    if (this.#sql.countMissing.only({ limit }).total >= limit) this.#buildAnew();
  }

  #buildAnew(): void {
    this.#sql.clear();
    this.#sql.setBuiltAfter({ place: this.#sql.last.first()?.place ?? 0 });
  }

  /** Adds agreements in order of time; each place is the previous one plus `PLACE_GAP`. */
  #rebuild(after: number, isOver: () => boolean): void {
    const newest = this.#sql.last.first();
    const isBegun = newest !== undefined && newest.place > after;
    const from = isBegun ? newest : { updated: -1, number: -1, place: after };
    let at = from.place;
    const behind = { updated: from.updated, number: from.number };
    const rows = this.#sql.following.all({ ...behind, limit: ROWS_PER_BATCH });
    for (const { number } of rows) {
      if (isOver()) return;
      at += PLACE_GAP;
      this.#write(number, at);
    }
    if (rows.length < ROWS_PER_BATCH) this.#sql.setBuiltAfter({ place: null });
  }

  /**
   * Merges part of the index. Returns true if nothing was left to merge (FTS5, "merge": by
   * changes).
   */
  #isMerged(): boolean {
    const changes = () => this.#sql.changes.only().total;
    const before = changes();
    this.#sql.merge();
    return changes() - before < 2;
  }
}

function stepFromNow(): () => boolean {
  const end = performance.now() + STEP_MS;
  return () => performance.now() >= end;
}

export const createAgreementIndex = (database: Database): AgreementIndex =>
  new StoredAgreementIndex(database);

function prepare(database: Database) {
  return {
    isMissing: database.query(sql.isMissing, z.object({ found: z.number() })),
    missing: database.query(sql.missing, PlaceableRow),
    countMissing: database.query(sql.countMissing, Total),
    countAll: database.query(sql.countAll, Total),
    following: database.query(sql.following, PlaceableRow),
    last: database.query(sql.last, IndexedRow),
    above: database.query(sql.above, IndexedRow),
    before: database.query(sql.before, IndexedRow),
    builtAfter: database.query(sql.builtAfter, z.object({ place: z.number().nullable() })),
    setBuiltAfter: database.command(sql.setBuiltAfter),
    setPlace: database.command(sql.setPlace),
    add: database.command(sql.add),
    remove: database.command(sql.remove),
    clear: database.command(sql.clear),
    merge: database.command(sql.merge),
    changes: database.query(sql.changes, Total),
  };
}

function isUpdatedLater(row: OrderKey, other: OrderKey): boolean {
  return (
    row.updated > other.updated || (row.updated === other.updated && row.number > other.number)
  );
}
