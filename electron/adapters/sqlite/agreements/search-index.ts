import * as z from 'zod';
import { marksSql } from './marks.ts';
import type { Database } from '../database/database.ts';

/** Between places lie some free ones, so that what comes late can stand where its time belongs. */
const GAP = 16;

/** How long a step of building goes on beginning work; what it commits comes on top. */
const STEP_MS = 5;
/** Agreements that are looked up at once. */
const AT_ONCE = 64;

/** When more than this share of all is missing, building anew is cheaper than putting in between. */
const REBUILD_SHARE = 4;
const FEW = 1000;

/** Pages of the index that a step may merge, beside those it writes. */
const MERGED_PAGES = 16;

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
    INSERT INTO agreement_words (agreement_words, rank) VALUES ('merge', ${String(MERGED_PAGES)})`,
  changes: 'SELECT total_changes() AS total',
  builtAfter: 'SELECT built_after AS place FROM search_state',
  setBuiltAfter: 'UPDATE search_state SET built_after = @place',
};

const Placed = z.object({ number: z.number(), updated: z.number(), place: z.number().nullable() });
type Placed = z.infer<typeof Placed>;
/** One that is in the index. */
const Standing = Placed.extend({ place: z.number() });
type Standing = z.infer<typeof Standing>;
const Total = z.object({ total: z.number() });

/** Where an agreement stands in the order of last updates. */
type InOrder = Pick<Placed, 'number' | 'updated'>;

interface Change {
  /** Its place so far; null when it has none. */
  readonly from: number | null;
  readonly isReworded: boolean;
}

/**
 * The search index. Its rowids, called places, rise in the very order of `(updated_key, number)`;
 * whatever reads it newest first relies on that.
 */
export interface AgreementIndex {
  /** Every agreement is in it. */
  isWhole(): boolean;
  /** Puts an agreement in, or anew when its words or marks changed, or its order did. */
  place(row: InOrder, change: Change): void;
  /** Takes it out until `build` puts it in again. */
  leaveOut(number: number, place: number | null): void;
  /**
   * Does some of what is left to do, a few milliseconds when nobody says until when; true once the
   * index is whole and merged.
   */
  build(isOver?: () => boolean): boolean;
}

class Index implements AgreementIndex {
  readonly #database: Database;
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#database = database;
    this.#sql = prepare(database);
  }

  isWhole(): boolean {
    return this.#isWholeBut(null);
  }

  place(row: InOrder, { from, isReworded }: Change): void {
    if (from !== null && this.#standsRight(row)) {
      if (!isReworded) return;
      this.#sql.remove({ place: from });
      this.#sql.add({ number: row.number });
      return;
    }
    this.leaveOut(row.number, from);
    // What is half built finds it missing, and puts it in where it belongs.
    const place = this.#isWholeBut(row.number) ? this.#freePlace(row) : null;
    if (place !== null) this.#write(row.number, place);
  }

  leaveOut(number: number, from: number | null): void {
    if (from === null) return;
    this.#sql.remove({ place: from });
    this.#sql.setPlace({ number, place: null });
  }

  build(isOver = stepFromNow()): boolean {
    // Lost with a power cut, it is done again.
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

  /** Every agreement but perhaps this one is in it. */
  #isWholeBut(except: number | null): boolean {
    return this.#rebuiltFrom() === null && this.#sql.isMissing.first({ except }) === undefined;
  }

  /** The place up to which all are of before, while the index is built anew. */
  #rebuiltFrom(): number | null {
    return this.#sql.builtAfter.first()?.place ?? null;
  }

  /** A free place between its neighbours; null when there is none. */
  #freePlace(row: InOrder): number | null {
    const newest = this.#sql.last.first();
    if (newest === undefined) return GAP;
    if (isBehind(row, newest)) return newest.place + GAP;
    const below = this.#sql.before.first({ ...row })?.place;
    const above = this.#sql.above.first({ place: below ?? Number.MIN_SAFE_INTEGER })?.place ?? 0;
    const place = Math.floor(((below ?? above - 2 * GAP) + above) / 2);
    return place === below ? null : place;
  }

  /** Nothing else stands between it and the one that comes before it. */
  #standsRight(row: InOrder): boolean {
    if (this.#rebuiltFrom() !== null) return false;
    const below = this.#sql.before.first({ ...row })?.place ?? Number.MIN_SAFE_INTEGER;
    return this.#sql.above.first({ place: below })?.number === row.number;
  }

  /** Puts in the oldest that are missing: each run of them that has the same neighbours at once. */
  #fillIn(isOver: () => boolean): void {
    let rest = this.#sql.missing.all({ limit: AT_ONCE });
    for (let [first] = rest; first !== undefined && !isOver(); [first] = rest) {
      const below = this.#sql.before.first({ ...first })?.place ?? null;
      const above = this.#sql.above.first({ place: below ?? Number.MIN_SAFE_INTEGER });
      const run = above === undefined ? rest : rest.filter((row) => isBehind(above, row));
      // Places that are out of order leave it no place, now or later.
      if (run.length === 0) return this.#buildAnew();
      this.#spread(run, below, above);
      rest = rest.slice(run.length);
    }
  }

  /** Puts a run in evenly between its neighbours; where they stand too close, some move upwards. */
  #spread(run: readonly Placed[], below: number | null, next: Standing | undefined): void {
    let above = next;
    const from = below ?? (above?.place ?? 0) - GAP * (run.length + 1);
    const moving: Placed[] = [];
    while (above !== undefined && above.place - from <= 2 * (run.length + moving.length)) {
      moving.push(above);
      above = this.#sql.above.first({ place: above.place });
    }
    for (const one of moving) this.leaveOut(one.number, one.place);
    const rows = [...run, ...moving];
    const apart = above === undefined ? GAP : (above.place - from) / (rows.length + 1);
    for (const [index, { number }] of rows.entries()) {
      this.#write(number, from + Math.floor(apart * (index + 1)));
    }
  }

  /** Begins from nothing where most is missing. */
  #beginRebuild(): void {
    const all = this.#sql.countAll.only().total;
    const limit = Math.max(FEW, Math.ceil(all / REBUILD_SHARE));
    if (this.#sql.countMissing.only({ limit }).total >= limit) this.#buildAnew();
  }

  #buildAnew(): void {
    this.#sql.clear();
    this.#sql.setBuiltAfter({ place: this.#sql.last.first()?.place ?? 0 });
  }

  /** In order of time, each place is the next one. */
  #rebuild(after: number, isOver: () => boolean): void {
    const newest = this.#sql.last.first();
    const isBegun = newest !== undefined && newest.place > after;
    const from = isBegun ? newest : { updated: -1, number: -1, place: after };
    let at = from.place;
    const behind = { updated: from.updated, number: from.number };
    const rows = this.#sql.following.all({ ...behind, limit: AT_ONCE });
    for (const { number } of rows) {
      if (isOver()) return;
      at += GAP;
      this.#write(number, at);
    }
    if (rows.length < AT_ONCE) this.#sql.setBuiltAfter({ place: null });
  }

  /** Merges a little of the index; true when it had nothing to merge (FTS5, "merge": by changes). */
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

export const createAgreementIndex = (database: Database): AgreementIndex => new Index(database);

function prepare(database: Database) {
  return {
    isMissing: database.query(sql.isMissing, z.object({ found: z.number() })),
    missing: database.query(sql.missing, Placed),
    countMissing: database.query(sql.countMissing, Total),
    countAll: database.query(sql.countAll, Total),
    following: database.query(sql.following, Placed),
    last: database.query(sql.last, Standing),
    above: database.query(sql.above, Standing),
    before: database.query(sql.before, Standing),
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

function isBehind(row: InOrder, other: InOrder): boolean {
  return (
    row.updated > other.updated || (row.updated === other.updated && row.number > other.number)
  );
}
