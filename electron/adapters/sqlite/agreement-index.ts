import * as z from 'zod';
import { marksSql } from './agreement-marks.ts';
import type { Database } from './database.ts';

/** Between places lie some free ones, so that what comes late can stand where its time belongs. */
const GAP = 16;

/** Agreements of one step of building: a few milliseconds' work. */
const STEP = 64;

/** When more than this share of all is missing, building anew is cheaper than putting in between. */
const REBUILD_SHARE = 4;
const FEW = 1000;

/** Pages the index may tidy up in a step; small, so that no step takes long. */
const TIDY_PAGES = 8;

const sql = {
  isMissing: 'SELECT 1 AS found FROM agreement WHERE place IS NULL LIMIT 1',
  missing: `
    SELECT number, updated_key AS updated, place FROM agreement
    WHERE place IS NULL ORDER BY updated_key, number LIMIT @limit`,
  countMissing: `
    SELECT count(*) AS total FROM (SELECT 1 FROM agreement WHERE place IS NULL LIMIT @limit)`,
  countAll: 'SELECT coalesce(sum(number), 0) AS total FROM agreement_tally',
  last: `
    SELECT number, updated_key AS updated, place FROM agreement
    WHERE place IS NOT NULL ORDER BY place DESC LIMIT 1`,
  next: `
    SELECT number, updated_key AS updated, place FROM agreement INDEXED BY agreement_by_updated
    WHERE (updated_key, number) > (@updated, @number) AND place IS NOT NULL
    ORDER BY updated_key, number LIMIT 1`,
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
  tidy: `
    INSERT INTO agreement_words (agreement_words, rank) VALUES ('merge', ${String(TIDY_PAGES)})`,
  builtAfter: 'SELECT built_after AS place FROM search_state',
  setBuiltAfter: 'UPDATE search_state SET built_after = @place',
};

const Placed = z.object({ number: z.number(), updated: z.number(), place: z.number().nullable() });
type Placed = z.infer<typeof Placed>;
const Total = z.object({ total: z.number() });

/** Where an agreement stands in the order of last updates. */
export type InOrder = Pick<Placed, 'number' | 'updated'>;

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
  /** Does a few milliseconds of what is left to do; true once the index is whole. */
  build(): boolean;
}

class Index implements AgreementIndex {
  readonly #database: Database;
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#database = database;
    this.#sql = prepare(database);
  }

  isWhole(): boolean {
    return this.#rebuiltFrom() === null && this.#sql.isMissing.first() === undefined;
  }

  place(row: InOrder, { from, isReworded }: Change): void {
    // What is half built finds it missing, and puts it in where it belongs.
    if (this.#rebuiltFrom() !== null) {
      this.leaveOut(row.number, from);
      return;
    }
    this.#place(row, from, isReworded);
  }

  leaveOut(number: number, from: number | null): void {
    if (from === null) return;
    this.#sql.remove({ place: from });
    this.#sql.setPlace({ number, place: null });
  }

  build(): boolean {
    // Lost with a power cut, it is done again.
    return this.#database.quickTransaction(() => {
      if (this.#rebuiltFrom() === null) this.#beginRebuild();
      const after = this.#rebuiltFrom();
      if (after !== null) this.#rebuild(after);
      else for (const row of this.#sql.missing.all({ limit: STEP })) this.#place(row, null, true);
      this.#sql.tidy();
      return this.isWhole();
    });
  }

  #place(row: InOrder, from: number | null, isReworded: boolean): void {
    if (from !== null && this.#standsRight(row, from)) {
      if (!isReworded) return;
      this.#sql.remove({ place: from });
      this.#sql.add({ number: row.number });
      return;
    }
    this.leaveOut(row.number, from);
    this.#write(row.number, this.#freePlace(row) ?? this.#makeRoom(row));
  }

  #write(number: number, place: number): void {
    this.#sql.setPlace({ number, place });
    this.#sql.add({ number });
  }

  /** The place up to which all are of before, while the index is built anew. */
  #rebuiltFrom(): number | null {
    return this.#sql.builtAfter.first()?.place ?? null;
  }

  /** A free place between its neighbours; null when there is none. */
  #freePlace(row: InOrder): number | null {
    const newest = this.#sql.last.first();
    if (newest === undefined) return GAP;
    if (isBehind(row, newest)) return (newest.place ?? 0) + GAP;
    const above = this.#sql.next.first({ ...row })?.place ?? 0;
    const below = this.#sql.before.first({ ...row })?.place ?? above - 2 * GAP;
    const place = Math.floor((below + above) / 2);
    return place > below && place < above ? place : null;
  }

  #standsRight(row: InOrder, from: number): boolean {
    const above = this.#sql.next.first({ ...row })?.place ?? Infinity;
    const below = this.#sql.before.first({ ...row })?.place ?? -Infinity;
    return below < from && from < above;
  }

  /** Moves those above apart, as few as it takes, and gives the place that became free. */
  #makeRoom(row: InOrder): number {
    const below = this.#sql.before.first({ ...row })?.place ?? null;
    const moving: Placed[] = [];
    let above = this.#sql.next.first({ ...row });
    const from = below ?? (above?.place ?? 0) - 1;
    while (above !== undefined && (above.place ?? 0) - from <= 2 * (moving.length + 1)) {
      moving.push(above);
      above = this.#sql.next.first({ updated: above.updated, number: above.number });
    }
    for (const one of moving) this.leaveOut(one.number, one.place);
    const end = above?.place ?? from + GAP * (moving.length + 2);
    const apart = (end - from) / (moving.length + 2);
    for (const [index, one] of moving.entries()) {
      this.#write(one.number, Math.floor(from + apart * (index + 2)));
    }
    return Math.floor(from + apart);
  }

  /** Begins from nothing where most is missing: in order of time, each place is the next one. */
  #beginRebuild(): void {
    const all = this.#sql.countAll.first()?.total ?? 0;
    const limit = Math.max(FEW, Math.ceil(all / REBUILD_SHARE));
    if ((this.#sql.countMissing.first({ limit })?.total ?? 0) < limit) return;
    this.#sql.clear();
    this.#sql.setBuiltAfter({ place: this.#sql.last.first()?.place ?? 0 });
  }

  #rebuild(after: number): void {
    const newest = this.#sql.last.first();
    const isBegun = newest !== undefined && (newest.place ?? 0) > after;
    const from = isBegun ? newest : { updated: -1, number: -1, place: after };
    let at = from.place ?? after;
    const behind = { updated: from.updated, number: from.number };
    const rows = this.#sql.following.all({ ...behind, limit: STEP });
    for (const { number } of rows) {
      at += GAP;
      this.#write(number, at);
    }
    if (rows.length < STEP) this.#sql.setBuiltAfter({ place: null });
  }
}

export const createAgreementIndex = (database: Database): AgreementIndex => new Index(database);

function prepare(database: Database) {
  return {
    isMissing: database.query(sql.isMissing, z.object({ found: z.number() })),
    missing: database.query(sql.missing, Placed),
    countMissing: database.query(sql.countMissing, Total),
    countAll: database.query(sql.countAll, Total),
    following: database.query(sql.following, Placed),
    last: database.query(sql.last, Placed),
    next: database.query(sql.next, Placed),
    before: database.query(sql.before, Placed),
    builtAfter: database.query(sql.builtAfter, z.object({ place: z.number().nullable() })),
    setBuiltAfter: database.command(sql.setBuiltAfter),
    setPlace: database.command(sql.setPlace),
    add: database.command(sql.add),
    remove: database.command(sql.remove),
    clear: database.command(sql.clear),
    tidy: database.command(sql.tidy),
  };
}

function isBehind(row: InOrder, other: InOrder): boolean {
  return (
    row.updated > other.updated || (row.updated === other.updated && row.number > other.number)
  );
}
