import * as z from 'zod';
import {
  AgreementFilter,
  type AgreementGroup,
  type AgreementQuery,
  type AgreementView,
} from '../../../../shared/contract/agreement-query.ts';
import { AppError } from '../../../../shared/errors.ts';
import type { CountedTotal, Listing } from './listing.ts';
import type { AgreementListings } from './listings.ts';
import { type ListSegment, partsOf, type TimesOf } from './parts.ts';
import type { ListPosition } from './plan.ts';
import type { Database } from '../database/database.ts';

const timesSql = (key: string, index: string, least: string) => `
  SELECT (SELECT ${key} FROM agreement INDEXED BY ${index} WHERE ${least} ORDER BY ${key} LIMIT 1)
      AS first,
    (SELECT ${key} FROM agreement INDEXED BY ${index} WHERE ${least} ORDER BY ${key} DESC LIMIT 1)
      AS last`;

const sql = {
  updated_key: timesSql('updated_key', 'agreement_by_updated', 'updated_key > 0'),
  closed_key: timesSql('closed_key', 'agreement_by_closed', 'closed_key > 0'),
  expires_at: timesSql('expires_at', 'agreement_by_expires', 'expires_at IS NOT NULL'),
};

const Times = z.object({ first: z.number().nullable(), last: z.number().nullable() });

interface Interval {
  readonly part: ListSegment;
  readonly listing: Listing;
  readonly from: number;
  readonly count: number;
}

type View = Omit<AgreementView, 'from' | 'limit'>;

/** Views that consist of several listings, one after the other. */
export class AgreementViews {
  readonly #listings: AgreementListings;
  readonly #timesOf: TimesOf;

  constructor(database: Database, listings: AgreementListings) {
    this.#listings = listings;
    this.#timesOf = createTimesOf(database);
  }

  count(filter: AgreementFilter, now: number): number {
    return this.#all(filter, now).total();
  }

  countUpTo(filter: AgreementFilter, most: number, now: number): CountedTotal {
    return this.#all(filter, now).totalUpTo(most);
  }

  /** Returns the numbers of agreements, in order. */
  slice(view: View, from: number, limit: number, now: number): readonly number[] {
    const numbers: number[] = [];
    let start = 0;
    for (const part of this.#parts(view)) {
      if (numbers.length >= limit) break;
      const listing = this.#listings.of(part.order, now);
      const wanted = limit - numbers.length;
      const found = listing.slice(Math.max(0, from - start), wanted);
      // Numbers are pushed one by one: a call accepts a limited number of arguments, and reports
      // and rules read all agreements.
      for (const { number } of found) numbers.push(number);
      // The length of a listing is only needed to read beyond it.
      if (found.length < wanted) start += listing.total();
    }
    return numbers;
  }

  groups(view: View, now: number): AgreementGroup[] {
    return view.group === 'none' ? [] : groupsOf(this.#stretches(view, now));
  }

  /** Returns the index of an agreement in the view; null if the agreement does not match. */
  indexOf(view: View, number: number, now: number): number | null {
    for (const { listing, from } of this.#stretches(view, now)) {
      const index = listing.indexOf(number);
      if (index !== null) return from + index;
    }
    return null;
  }

  page(query: AgreementQuery, now: number) {
    const { limit, after, ...view } = query;
    const parts = this.#parts({ ...view, group: 'none' });
    const cursor = after === undefined ? null : readCursor(after);
    const found: { readonly part: number; readonly behind: ListPosition }[] = [];
    for (const [part, { order }] of parts.entries()) {
      if (part < (cursor?.part ?? 0) || found.length > limit) continue;
      const behind = cursor?.part === part ? cursor.behind : null;
      const more = this.#listings.of(order, now).after(behind, limit + 1 - found.length);
      found.push(...more.map((one) => ({ part, behind: one })));
    }
    const shown = found.slice(0, limit);
    const last = shown.at(-1);
    const hasMore = found.length > shown.length && last !== undefined;
    return {
      numbers: shown.map(({ behind: { number } }) => number),
      next: hasMore ? toCursor(last.part, last.behind) : null,
    };
  }

  /**
   * Returns the listing for the total. The total is equal in every order, so the most common order
   * is always used.
   */
  #all(view: AgreementFilter, now: number): Listing {
    const filter = AgreementFilter.parse(view);
    return this.#listings.of(
      { filter, sort: 'updated', direction: 'descending', times: 'any' },
      now,
    );
  }

  #parts(view: View): readonly ListSegment[] {
    return partsOf(view, this.#listings.snapshot(), this.#timesOf);
  }

  #stretches(view: View, now: number): readonly Interval[] {
    let from = 0;
    return this.#parts(view).map((part) => {
      const listing = this.#listings.of(part.order, now);
      const stretch = { part, listing, from, count: listing.total() };
      from += stretch.count;
      return stretch;
    });
  }
}

function createTimesOf(database: Database): TimesOf {
  const statements = {
    updated_key: database.query(sql.updated_key, Times),
    closed_key: database.query(sql.closed_key, Times),
    expires_at: database.query(sql.expires_at, Times),
  };
  return (key) => {
    const { first = null, last = null } = statements[key].first() ?? {};
    return first === null || last === null ? null : { first, last };
  };
}

/** Merges the listings of a group with and without a time, and drops empty groups. */
function groupsOf(stretches: readonly Interval[]): AgreementGroup[] {
  const groups: AgreementGroup[] = [];
  for (const { part, from, count } of stretches) {
    if (count === 0) continue;
    const key = part.group ?? null;
    const last = groups.at(-1);
    if (last?.key === key) last.count += count;
    else groups.push({ key, from, count });
  }
  return groups;
}

const Cursor = z.tuple([
  z.number().int().min(0),
  z.union([z.string(), z.number()]).nullable(),
  z.number().int(),
]);

const toCursor = (part: number, { key, number }: ListPosition): string =>
  Buffer.from(JSON.stringify([part, key, number])).toString('base64url');

function readCursor(cursor: string): { readonly part: number; readonly behind: ListPosition } {
  try {
    const text = Buffer.from(cursor, 'base64url').toString();
    const [part, key, number] = Cursor.parse(JSON.parse(text));
    return { part, behind: { key, number } };
  } catch (cause) {
    throw new AppError('invalid', 'The list cannot be continued from here. Open the list again', {
      cause,
    });
  }
}
