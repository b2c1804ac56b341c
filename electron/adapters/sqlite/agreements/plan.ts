import type {
  AgreementFilter,
  AgreementSort,
  SortDirection,
} from '../../../../shared/contract/agreement-query.ts';
import {
  type Narrowing,
  type RangeKey,
  rangeRowsSql,
  sortKeys,
  type TimeRestriction,
} from './query.ts';
import type { SqlValue } from '../database/database.ts';

/** SQLite's largest rowid, which no agreement uses. */
const LAST_PLACE = '9223372036854775807';

/**
 * Maximum number of matches that are sorted; if there are more, walking the order of all agreements
 * is faster.
 */
export const MAX_SORTED = 3000;

/** Order of a filter's matches: by sort key, then by number. */
export interface ListOrder {
  readonly filter: AgreementFilter;
  readonly sort: AgreementSort;
  readonly direction: SortDirection;
  /** Restriction to agreements with or without the time of the sort. */
  readonly times: TimeRestriction;
}

/**
 * Source from which matches are read. `words`: the search index, in order of updates. `facets` and
 * `range`: few enough agreements to be sorted. `walk`: an index in the requested order, read until
 * enough agreements match.
 */
export type MatchSource =
  | { readonly kind: 'words'; readonly isSorted: boolean }
  | { readonly kind: 'facets'; readonly facets: readonly number[] }
  | { readonly kind: 'range'; readonly range: RangeKey }
  | { readonly kind: 'walk' };

export interface ListStatistics {
  /** Whether the search index has every agreement. */
  readonly isIndexed: boolean;
  /** Number of agreements by facets, for the facets that match. */
  readonly tally: ReadonlyMap<number, number>;
  /** Returns the number of matches when read from `source`, at most `MAX_SORTED` + 1. */
  readonly countUpTo: (source: MatchSource) => number;
  /** Whether nearly all agreements match, at the start of the order and throughout. */
  readonly isCommon: () => boolean;
}

export function chooseSource(
  order: ListOrder,
  narrowing: Narrowing,
  known: ListStatistics,
): MatchSource {
  const { match, ranges } = narrowing;
  if (match !== null && known.isIndexed) {
    // For a word that nearly all agreements contain, the search index would collect every rowid
    // before it returns the first.
    if (known.isCommon()) return { kind: 'walk' };
    const source: MatchSource = { kind: 'words', isSorted: order.sort !== 'updated' };
    const isFew = !source.isSorted || known.countUpTo(source) <= MAX_SORTED;
    return isFew ? source : { kind: 'walk' };
  }
  const total = [...known.tally.values()].reduce((sum, number) => sum + number, 0);
  if (total <= MAX_SORTED) return { kind: 'facets', facets: [...known.tally.keys()] };
  for (const range of ranges) {
    if (range === order.sort) continue;
    const source: MatchSource = { kind: 'range', range };
    if (known.countUpTo(source) <= MAX_SORTED) return source;
  }
  return { kind: 'walk' };
}

/**
 * Whether a source can be read in parts from any index; sorted sources are read as a whole each
 * time.
 */
export const isStreaming = (source: MatchSource): boolean =>
  source.kind === 'walk' || (source.kind === 'words' && !source.isSorted);

export interface ListSql {
  readonly from: string;
  readonly conditions: readonly string[];
  readonly parameters: Readonly<Record<string, SqlValue>>;
}

/** Returns `FROM … WHERE …` for all matches; counting often needs fewer tables. */
export function matchingRowsSql(
  order: ListOrder,
  narrowing: Narrowing,
  source: MatchSource,
  purpose: 'read' | 'count' = 'read',
): ListSql {
  const { match, isMatchWhole, parameters } = narrowing;
  const times = timeConditions(order);
  const conditions = [...times, ...narrowing.conditions];
  switch (source.kind) {
    case 'words': {
      const asked = { ...parameters, match };
      const matched = ['agreement_words MATCH @match', ...placeConditions(narrowing)];
      if (isMatchWhole && times.length === 0 && purpose === 'count') {
        return { from: 'agreement_words w', conditions: matched, parameters: asked };
      }
      return {
        from: 'agreement_words w CROSS JOIN agreement a INDEXED BY agreement_place ON a.place = w.rowid',
        conditions: [...matched, ...conditions],
        parameters: asked,
      };
    }
    case 'facets':
      return {
        from: 'agreement a INDEXED BY agreement_by_facets',
        conditions: [
          'facets IN (SELECT value FROM json_each(@facets))',
          ...conditions,
          ...narrowing.inRow,
        ],
        parameters: { ...parameters, facets: JSON.stringify(source.facets) },
      };
    case 'range':
    case 'walk': {
      const walked = `agreement a INDEXED BY agreement_by_${order.sort}`;
      return {
        from: source.kind === 'range' ? rangeRowsSql(source.range) : walked,
        conditions: [...conditions, ...narrowing.inRow],
        parameters,
      };
    }
  }
}

/**
 * Returns conditions on the rowids of the search index. They ascend with the last update, so a
 * range of rowids is a range of updates.
 */
function placeConditions({ parameters }: Narrowing): readonly string[] {
  const placeFrom = (name: string, none: string) => `coalesce((
    SELECT place FROM agreement INDEXED BY agreement_by_updated
    WHERE updated_key >= @${name} AND place IS NOT NULL
    ORDER BY updated_key, number LIMIT 1), ${none})`;
  return [
    ...('updatedFrom' in parameters ? [`w.rowid >= ${placeFrom('updatedFrom', LAST_PLACE)}`] : []),
    ...('updatedTo' in parameters ? [`w.rowid < ${placeFrom('updatedTo', LAST_PLACE)}`] : []),
  ];
}

/** Returns the conditions that test an agreement's row without any index. */
export const rowConditions = (order: ListOrder, narrowing: Narrowing): readonly string[] => [
  ...timeConditions(order),
  ...narrowing.conditions,
  ...narrowing.inRow,
];

export const whereSql = (conditions: readonly string[]): string =>
  conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;

export function timeConditions({ sort, times }: ListOrder): readonly string[] {
  if (times === 'any' || sort === 'title') return [];
  const key = sortKeys[sort];
  if (sort === 'expires') return [`${key} IS ${times === 'known' ? 'NOT NULL' : 'NULL'}`];
  return [`${key} ${times === 'known' ? '>' : '='} 0`];
}

/** Position of an agreement in an order. */
export interface ListPosition {
  readonly key: string | number | null;
  readonly number: number;
}

/**
 * Returns the sort key, the ORDER BY terms, and the sign of the comparison with the previous
 * position.
 */
export function orderingSql({ sort, direction }: ListOrder, source: MatchSource) {
  const key = sortKeys[sort];
  const way = direction === 'descending' ? 'DESC' : 'ASC';
  const isByPlace = source.kind === 'words' && !source.isSorted;
  return {
    key,
    by: isByPlace ? `w.rowid ${way}` : `${key} ${way}, a.number ${way}`,
    sign: direction === 'descending' ? '<' : '>',
  };
}

export const reverseOrder = (order: ListOrder): ListOrder => ({
  ...order,
  direction: order.direction === 'descending' ? 'ascending' : 'descending',
});
