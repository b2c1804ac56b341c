import * as z from 'zod';
import { passesFacetTest } from './facets.ts';
import {
  type ListPosition,
  chooseSource,
  rowConditions,
  isStreaming,
  matchingRowsSql,
  MAX_SORTED,
  type ListOrder,
  orderingSql,
  reverseOrder,
  type MatchSource,
  timeConditions,
  whereSql,
} from './plan.ts';
import type { Narrowing } from './query.ts';
import type { Database, SqlValue } from '../database/database.ts';
import { createStatements } from '../database/statements.ts';

/** Distance between the known points of an order that is read in parts (number of agreements). */
const POINT_DISTANCE = 500;

/** Indexes below this one are read from the start, without counting the total. */
const MAX_NEAR_PLACE = 2 * POINT_DISTANCE;

/** Size of each sample: one at the start of an order, and one spread evenly over all agreements. */
const SAMPLE_ROW_COUNT = 32;
/**
 * Number of matches in a sample from which nearly all agreements match: a walk then soon fills a
 * page.
 */
const MIN_COMMON_MATCHES = 24;

/** Numbers of agreements spread evenly over all of them. */
const SPREAD_SAMPLE_SQL = `
  SELECT last - last * value / ${String(SAMPLE_ROW_COUNT)}
  FROM (SELECT max(number) AS last FROM agreement),
    json_each('${JSON.stringify(Array.from({ length: SAMPLE_ROW_COUNT }, (_, part) => part))}')`;

const FoundRow = z.object({
  key: z.union([z.string(), z.number()]).nullable(),
  number: z.number(),
});
const Count = z.object({ number: z.number() });
const Place = z.object({ place: z.number() });

export function createListingSql(database: Database) {
  return {
    found: createStatements(database, FoundRow),
    count: createStatements(database, Count),
    place: createStatements(database, Place),
  };
}
type ListingSql = ReturnType<typeof createListingSql>;

/** Total, and whether it is the number of all matches. */
export interface CountedTotal {
  readonly total: number;
  readonly isCounted: boolean;
}

/** All matches of one filter in one order, valid until any data changes. */
export interface Listing {
  readonly source: MatchSource;
  total(): number;
  /**
   * Counts at most `most` matches. If there are more, the total is `most` + 1 and not counted,
   * unless it is already known.
   */
  totalUpTo(most: number): CountedTotal;
  slice(from: number, limit: number): readonly ListPosition[];
  /** Returns the agreements after `behind`, or from the start if it is null. */
  after(behind: ListPosition | null, limit: number): readonly ListPosition[];
  indexOf(number: number): number | null;
  /** SQL that `after` runs from the start; tests examine its query plan. */
  readonly statement: string;
  readonly parameters: Readonly<Record<string, SqlValue>>;
}

interface BoundConditions {
  readonly conditions: readonly string[];
  readonly parameters: Readonly<Record<string, SqlValue>>;
}

/**
 * Points from which an order can be read; `known[i]` is the agreement before index
 * i · `POINT_DISTANCE`.
 */
interface KnownPoints {
  readonly order: ListOrder;
  readonly known: (ListPosition | null)[];
}

const noBoundConditions: BoundConditions = { conditions: [], parameters: {} };

export interface ListingBasis {
  readonly order: ListOrder;
  readonly narrowing: Narrowing;
  /** Number of agreements for each combination of facets; the key is the combination as a number. */
  readonly tally: ReadonlyMap<number, number>;
  /** Whether the search index has every agreement. */
  readonly isIndexed: boolean;
}

/** Reads one listing from the best source, and records points on the way. */
export class StoredListing implements Listing {
  readonly #sql: ListingSql;
  readonly #basis: ListingBasis;
  readonly #matching: ReturnType<typeof matchingRowsSql>;
  readonly #down: KnownPoints;
  readonly #up: KnownPoints;
  readonly source: MatchSource;
  #total: number | null;

  constructor(sql: ListingSql, { order, narrowing, tally: all, isIndexed }: ListingBasis) {
    const tally = new Map([...all].filter(([facets]) => passesFacetTest(narrowing.facets, facets)));
    this.#sql = sql;
    this.#basis = { order, narrowing, tally, isIndexed };
    this.source = chooseSource(order, narrowing, {
      isIndexed,
      tally,
      countUpTo: (source) => this.#countUpTo(source, MAX_SORTED),
      isCommon: () => this.#isCommon(),
    });
    this.#matching = matchingRowsSql(order, narrowing, this.source);
    this.#down = { order, known: [null] };
    this.#up = { order: reverseOrder(order), known: [null] };
    this.#total = totalByTally(this.#basis);
  }

  get statement(): string {
    return this.#statement(this.#basis.order, noBoundConditions);
  }

  get parameters(): Listing['parameters'] {
    return { ...this.#matching.parameters, limit: 1, offset: 0 };
  }

  total(): number {
    this.#total ??= this.#countUpTo(this.#countedFrom(), Number.MAX_SAFE_INTEGER - 1);
    return this.#total;
  }

  totalUpTo(most: number): CountedTotal {
    if (this.#total !== null) return { total: this.#total, isCounted: true };
    const total = this.#countUpTo(this.#countedFrom(), most);
    if (total <= most) this.#total = total;
    return { total, isCounted: total <= most };
  }

  slice(place: number, limit: number): readonly ListPosition[] {
    if (!isStreaming(this.source)) return this.#read(this.#basis.order, null, limit, place);
    // If the index is near the start, the total is not needed to find the nearer end.
    if (this.#total === null && place < MAX_NEAR_PLACE)
      return this.#readAt(this.#down, place, limit);
    const length = Math.min(limit, this.total() - place);
    if (length <= 0) return [];
    const fromEnd = this.total() - place - length;
    const isNearEnd = unknownPointsUntil(this.#up, fromEnd) < unknownPointsUntil(this.#down, place);
    return isNearEnd
      ? this.#readAt(this.#up, fromEnd, length).toReversed()
      : this.#readAt(this.#down, place, length);
  }

  after(behind: ListPosition | null, limit: number): readonly ListPosition[] {
    return this.#read(this.#basis.order, behind, limit, 0);
  }

  indexOf(number: number): number | null {
    const { order, narrowing } = this.#basis;
    const { key } = orderingSql(order, this.source);
    const own = this.#sql
      .found(
        `SELECT ${key} AS key, a.number FROM agreement a
         ${whereSql(['a.number = @number', ...rowConditions(order, narrowing)])}`,
      )
      .first({ ...narrowing.parameters, number });
    if (own === undefined) return null;
    const start = isStreaming(this.source) ? this.#pointBefore(own) : 0;
    return start * POINT_DISTANCE + this.#countBetween(this.#down.known[start] ?? null, own);
  }

  #countUpTo(source: MatchSource, most: number): number {
    const { order, narrowing } = this.#basis;
    const { from, conditions, parameters } = matchingRowsSql(order, narrowing, source, 'count');
    return this.#count(`SELECT 1 FROM ${from} ${whereSql(conditions)} LIMIT @most`, {
      ...parameters,
      most: most + 1,
    });
  }

  #isCommon(): boolean {
    const { order } = this.#basis;
    const { by } = orderingSql(order, { kind: 'walk' });
    const first = `SELECT a.number FROM agreement a INDEXED BY agreement_by_${order.sort}
      ${whereSql(timeConditions(order))} ORDER BY ${by} LIMIT ${String(SAMPLE_ROW_COUNT)}`;
    return (
      this.#matchAmong(first) >= MIN_COMMON_MATCHES &&
      this.#matchAmong(SPREAD_SAMPLE_SQL) >= MIN_COMMON_MATCHES
    );
  }

  #matchAmong(numbers: string): number {
    const { order, narrowing } = this.#basis;
    const conditions = [`a.number IN (${numbers})`, ...rowConditions(order, narrowing)];
    return this.#count(`SELECT 1 FROM agreement a ${whereSql(conditions)}`, narrowing.parameters);
  }

  #countedFrom(): MatchSource {
    const { narrowing, isIndexed } = this.#basis;
    if (narrowing.match !== null && isIndexed) return { kind: 'words', isSorted: false };
    const [range] = narrowing.ranges;
    return this.source.kind === 'walk' && range !== undefined
      ? { kind: 'range', range }
      : this.source;
  }

  #countBetween(behind: ListPosition | null, before: ListPosition): number {
    const after = this.#boundBehind(this.#down.order, behind, 'behind');
    const until = this.#boundBehind(this.#up.order, before, 'before');
    if (after === null || until === null) return 0;
    const { from, conditions, parameters } = this.#matching;
    return this.#count(
      `SELECT 1 FROM ${from} ${whereSql([...conditions, ...after.conditions, ...until.conditions])}`,
      { ...parameters, ...after.parameters, ...until.parameters },
    );
  }

  #count(rows: string, parameters: Listing['parameters']): number {
    return this.#sql.count(`SELECT count(*) AS number FROM (${rows})`).only(parameters).number;
  }

  /**
   * Returns the condition for agreements after `behind`; null if there are none. `name`
   * distinguishes the parameters of two bounds.
   */
  #boundBehind(way: ListOrder, behind: ListPosition | null, name: string): BoundConditions | null {
    if (behind === null) return noBoundConditions;
    const { key, sign } = orderingSql(way, this.source);
    if (isByPlace(this.source)) return this.#placeBehind(way, behind, name);
    const parameters = { [`${name}Number`]: behind.number };
    // If this time is unknown, all times of the listing are, and only the number orders the
    // agreements.
    if (behind.key === null) return { conditions: [`a.number ${sign} @${name}Number`], parameters };
    return {
      conditions: [`(${key}, a.number) ${sign} (@${name}Key, @${name}Number)`],
      parameters: { ...parameters, [`${name}Key`]: behind.key },
    };
  }

  #placeBehind(
    way: ListOrder,
    { key, number }: ListPosition,
    name: string,
  ): BoundConditions | null {
    const { sign } = orderingSql(way, this.source);
    const end = way.direction === 'descending' ? 'DESC' : 'ASC';
    const found = this.#sql
      .place(
        `SELECT place FROM agreement INDEXED BY agreement_by_updated
         WHERE (updated_key, number) ${sign} (@key, @number) AND place IS NOT NULL
         ORDER BY updated_key ${end}, number ${end} LIMIT 1`,
      )
      .first({ key, number });
    if (found === undefined) return null;
    return {
      conditions: [`w.rowid ${sign}= @${name}Place`],
      parameters: { [`${name}Place`]: found.place },
    };
  }

  #statement(way: ListOrder, bound: BoundConditions): string {
    const { from, conditions } = this.#matching;
    const { key, by } = orderingSql(way, this.source);
    return `
      SELECT ${key} AS key, a.number FROM ${from} ${whereSql([...conditions, ...bound.conditions])}
      ORDER BY ${by} LIMIT @limit OFFSET @offset`;
  }

  #read(
    way: ListOrder,
    behind: ListPosition | null,
    limit: number,
    offset: number,
  ): readonly ListPosition[] {
    const bound = this.#boundBehind(way, behind, 'behind');
    if (bound === null) return [];
    const { parameters } = this.#matching;
    return this.#sql
      .found(this.#statement(way, bound))
      .all({ ...parameters, ...bound.parameters, limit, offset });
  }

  /** Records points up to the one before `place`, and reads from that point on. */
  #readAt({ order, known }: KnownPoints, place: number, limit: number): readonly ListPosition[] {
    const nearest = Math.floor(place / POINT_DISTANCE);
    while (known.length <= nearest) {
      const [next] = this.#read(order, known.at(-1) ?? null, 1, POINT_DISTANCE - 1);
      if (next === undefined) return [];
      known.push(next);
    }
    return this.#read(order, known[nearest] ?? null, limit, place - nearest * POINT_DISTANCE);
  }

  /** Returns the index of the last point before an agreement, or of the start. */
  #pointBefore(own: ListPosition): number {
    const { order, known } = this.#down;
    for (let point = 1; ; point += 1) {
      if (point >= known.length) this.#readAt(this.#down, point * POINT_DISTANCE, 0);
      const found = known[point];
      if (found === undefined || found === null || !isBefore(found, own, order)) return point - 1;
    }
  }
}

const isByPlace = (source: MatchSource) => source.kind === 'words' && !source.isSorted;

const unknownPointsUntil = ({ known }: KnownPoints, place: number) =>
  Math.max(0, Math.floor(place / POINT_DISTANCE) + 1 - known.length);

/** Returns the total that follows from the tally; null if it does not follow from the tally. */
function totalByTally({ order, narrowing, tally }: ListingBasis): number | null {
  const isTimed = order.times !== 'any' && order.sort !== 'title';
  if (narrowing.inRow.length > 0 || narrowing.ranges.length > 0 || isTimed) return null;
  return [...tally.values()].reduce((sum, number) => sum + number, 0);
}

function isBefore(one: ListPosition, other: ListPosition, { direction }: ListOrder): boolean {
  if (one.number === other.number) return false;
  const isLess =
    one.key === other.key || one.key === null || other.key === null
      ? one.number < other.number
      : one.key < other.key;
  return isLess === (direction === 'ascending');
}
