import * as z from 'zod';
import { passes } from './facets.ts';
import {
  type ListPosition,
  chooseSource,
  inRow,
  isStreaming,
  matching,
  MAX_SORTED,
  type Order,
  ordering,
  reverseOrder,
  type Source,
  timeConditions,
  where,
} from './plan.ts';
import type { Narrowing } from './query.ts';
import type { Database, SqlValue } from '../database/database.ts';
import { createStatements } from '../database/statements.ts';

/** Distance between the known points of an order that is read in parts (number of agreements). */
const STRIDE = 500;

/** Indexes below this one are read from the start, without counting the total. */
const MAX_NEAR_PLACE = 2 * STRIDE;

/** Size of each sample: one at the start of an order, and one spread evenly over all agreements. */
const SAMPLE = 32;
/**
 * Number of matches in a sample from which nearly all agreements match: a walk then soon fills a
 * page.
 */
const MIN_COMMON_MATCHES = 24;

/** Numbers of agreements spread evenly over all of them. */
const SPREAD = `
  SELECT last - last * value / ${String(SAMPLE)}
  FROM (SELECT max(number) AS last FROM agreement),
    json_each('${JSON.stringify(Array.from({ length: SAMPLE }, (_, part) => part))}')`;

const Found = z.object({
  key: z.union([z.string(), z.number()]).nullable(),
  number: z.number(),
});
const Count = z.object({ number: z.number() });
const Place = z.object({ place: z.number() });

export function createListingSql(database: Database) {
  return {
    found: createStatements(database, Found),
    count: createStatements(database, Count),
    place: createStatements(database, Place),
  };
}
type ListingSql = ReturnType<typeof createListingSql>;

/** Total, and whether it is the number of all matches. */
export interface Counted {
  readonly total: number;
  readonly isCounted: boolean;
}

/** All matches of one filter in one order, valid until any data changes. */
export interface Listing {
  readonly source: Source;
  total(): number;
  /**
   * Counts at most `most` matches. If there are more, the total is `most` + 1 and not counted,
   * unless it is already known.
   */
  totalUpTo(most: number): Counted;
  slice(from: number, limit: number): readonly ListPosition[];
  /** Returns the agreements after `behind`, or from the start if it is null. */
  after(behind: ListPosition | null, limit: number): readonly ListPosition[];
  indexOf(number: number): number | null;
  /** SQL that `after` runs from the start; tests examine its query plan. */
  readonly statement: string;
  readonly parameters: Readonly<Record<string, SqlValue>>;
}

interface Bound {
  readonly conditions: readonly string[];
  readonly parameters: Readonly<Record<string, SqlValue>>;
}

/** Points from which an order can be read; `known[i]` is the agreement before index i · STRIDE. */
interface Points {
  readonly order: Order;
  readonly known: (ListPosition | null)[];
}

const noConditions: Bound = { conditions: [], parameters: {} };

export interface ListingBasis {
  readonly order: Order;
  readonly narrowing: Narrowing;
  /** Number of agreements by facets. */
  readonly tally: ReadonlyMap<number, number>;
  /** Whether the search index has every agreement. */
  readonly isIndexed: boolean;
}

/** Reads one listing from the best source, and records points on the way. */
export class StoredListing implements Listing {
  readonly #sql: ListingSql;
  readonly #basis: ListingBasis;
  readonly #matching: ReturnType<typeof matching>;
  readonly #down: Points;
  readonly #up: Points;
  readonly source: Source;
  #total: number | null;

  constructor(sql: ListingSql, { order, narrowing, tally: all, isIndexed }: ListingBasis) {
    const tally = new Map([...all].filter(([facets]) => passes(narrowing.facets, facets)));
    this.#sql = sql;
    this.#basis = { order, narrowing, tally, isIndexed };
    this.source = chooseSource(order, narrowing, {
      isIndexed,
      tally,
      countUpTo: (source) => this.#countUpTo(source, MAX_SORTED),
      isCommon: () => this.#isCommon(),
    });
    this.#matching = matching(order, narrowing, this.source);
    this.#down = { order, known: [null] };
    this.#up = { order: reverseOrder(order), known: [null] };
    this.#total = totalByTally(this.#basis);
  }

  get statement(): string {
    return this.#statement(this.#basis.order, noConditions);
  }

  get parameters(): Listing['parameters'] {
    return { ...this.#matching.parameters, limit: 1, offset: 0 };
  }

  total(): number {
    this.#total ??= this.#countUpTo(this.#countedFrom(), Number.MAX_SAFE_INTEGER - 1);
    return this.#total;
  }

  totalUpTo(most: number): Counted {
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
    const { key } = ordering(order, this.source);
    const own = this.#sql
      .found(
        `SELECT ${key} AS key, a.number FROM agreement a
         ${where(['a.number = @number', ...inRow(order, narrowing)])}`,
      )
      .first({ ...narrowing.parameters, number });
    if (own === undefined) return null;
    const start = isStreaming(this.source) ? this.#pointBefore(own) : 0;
    return start * STRIDE + this.#countBetween(this.#down.known[start] ?? null, own);
  }

  #countUpTo(source: Source, most: number): number {
    const { order, narrowing } = this.#basis;
    const { from, conditions, parameters } = matching(order, narrowing, source, 'count');
    return this.#count(`SELECT 1 FROM ${from} ${where(conditions)} LIMIT @most`, {
      ...parameters,
      most: most + 1,
    });
  }

  #isCommon(): boolean {
    const { order } = this.#basis;
    const { by } = ordering(order, { kind: 'walk' });
    const first = `SELECT a.number FROM agreement a INDEXED BY agreement_by_${order.sort}
      ${where(timeConditions(order))} ORDER BY ${by} LIMIT ${String(SAMPLE)}`;
    return (
      this.#matchAmong(first) >= MIN_COMMON_MATCHES &&
      this.#matchAmong(SPREAD) >= MIN_COMMON_MATCHES
    );
  }

  #matchAmong(numbers: string): number {
    const { order, narrowing } = this.#basis;
    const conditions = [`a.number IN (${numbers})`, ...inRow(order, narrowing)];
    return this.#count(`SELECT 1 FROM agreement a ${where(conditions)}`, narrowing.parameters);
  }

  #countedFrom(): Source {
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
      `SELECT 1 FROM ${from} ${where([...conditions, ...after.conditions, ...until.conditions])}`,
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
  #boundBehind(way: Order, behind: ListPosition | null, name: string): Bound | null {
    if (behind === null) return noConditions;
    const { key, sign } = ordering(way, this.source);
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

  #placeBehind(way: Order, { key, number }: ListPosition, name: string): Bound | null {
    const { sign } = ordering(way, this.source);
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

  #statement(way: Order, bound: Bound): string {
    const { from, conditions } = this.#matching;
    const { key, by } = ordering(way, this.source);
    return `
      SELECT ${key} AS key, a.number FROM ${from} ${where([...conditions, ...bound.conditions])}
      ORDER BY ${by} LIMIT @limit OFFSET @offset`;
  }

  #read(
    way: Order,
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
  #readAt({ order, known }: Points, place: number, limit: number): readonly ListPosition[] {
    const nearest = Math.floor(place / STRIDE);
    while (known.length <= nearest) {
      const [next] = this.#read(order, known.at(-1) ?? null, 1, STRIDE - 1);
      if (next === undefined) return [];
      known.push(next);
    }
    return this.#read(order, known[nearest] ?? null, limit, place - nearest * STRIDE);
  }

  /** Returns the index of the last point before an agreement, or of the start. */
  #pointBefore(own: ListPosition): number {
    const { order, known } = this.#down;
    for (let point = 1; ; point += 1) {
      if (point >= known.length) this.#readAt(this.#down, point * STRIDE, 0);
      const found = known[point];
      if (found === undefined || found === null || !isBefore(found, own, order)) return point - 1;
    }
  }
}

const isByPlace = (source: Source) => source.kind === 'words' && !source.isSorted;

const unknownPointsUntil = ({ known }: Points, place: number) =>
  Math.max(0, Math.floor(place / STRIDE) + 1 - known.length);

/** Returns the total that follows from the tally; null if it does not follow from the tally. */
function totalByTally({ order, narrowing, tally }: ListingBasis): number | null {
  const isTimed = order.times !== 'any' && order.sort !== 'title';
  if (narrowing.inRow.length > 0 || narrowing.ranges.length > 0 || isTimed) return null;
  return [...tally.values()].reduce((sum, number) => sum + number, 0);
}

function isBefore(one: ListPosition, other: ListPosition, { direction }: Order): boolean {
  if (one.number === other.number) return false;
  const isLess =
    one.key === other.key || one.key === null || other.key === null
      ? one.number < other.number
      : one.key < other.key;
  return isLess === (direction === 'ascending');
}
