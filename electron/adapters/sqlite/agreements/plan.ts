import type {
  AgreementFilter,
  AgreementSort,
  SortDirection,
} from '../../../../shared/contract/agreement-query.ts';
import { type Narrowing, type Range, rangeIndexes, sortKeys, type Times } from './query.ts';
import type { SqlValue } from '../database/database.ts';

/** SQLite's largest rowid, which no agreement has. */
const LAST_PLACE = '9223372036854775807';

/** As many as are sorted faster than an order of all agreements is walked. */
export const MAX_SORTED = 3000;

/** One order of one filter; an agreement stands behind another by sort key, then by number. */
export interface Order {
  readonly filter: AgreementFilter;
  readonly sort: AgreementSort;
  readonly direction: SortDirection;
  /** Narrows to agreements with or without the time it is sorted by. */
  readonly times: Times;
}

/**
 * Where matches are read from. `words`: the index of words, newest first by itself. `facets` and
 * `range`: few enough to be sorted. `walk`: an index that has the order, until enough match.
 */
export type Source =
  | { readonly kind: 'words'; readonly isSorted: boolean }
  | { readonly kind: 'facets'; readonly facets: readonly number[] }
  | { readonly kind: 'range'; readonly range: Range }
  | { readonly kind: 'walk' };

/** What the decision for a source rests on. */
export interface Statistics {
  /** The index of words has every agreement. */
  readonly isIndexed: boolean;
  /** How many agreements of each kind there are, of those whose facets match. */
  readonly tally: ReadonlyMap<number, number>;
  /** How many match when read from `source`, but at most one more than `MAX_SORTED`. */
  readonly countUpTo: (source: Source) => number;
  /** Nearly all match, the first of the order and those throughout. */
  readonly isCommon: () => boolean;
}

export function chooseSource(order: Order, narrowing: Narrowing, known: Statistics): Source {
  const { match, ranges } = narrowing;
  if (match !== null && known.isIndexed) {
    // The index would gather every place of a word that nearly all have before it gives the first.
    if (known.isCommon()) return { kind: 'walk' };
    const source: Source = { kind: 'words', isSorted: order.sort !== 'updated' };
    const isFew = !source.isSorted || known.countUpTo(source) <= MAX_SORTED;
    return isFew ? source : { kind: 'walk' };
  }
  const total = [...known.tally.values()].reduce((sum, number) => sum + number, 0);
  if (total <= MAX_SORTED) return { kind: 'facets', facets: [...known.tally.keys()] };
  for (const range of ranges) {
    if (range === order.sort) continue;
    const source: Source = { kind: 'range', range };
    if (known.countUpTo(source) <= MAX_SORTED) return source;
  }
  return { kind: 'walk' };
}

/** Sorted sources are read whole each time; of the others a part, from any place on. */
export const isStreaming = (source: Source): boolean =>
  source.kind === 'walk' || (source.kind === 'words' && !source.isSorted);

export interface Sql {
  readonly from: string;
  readonly conditions: readonly string[];
  readonly parameters: Readonly<Record<string, SqlValue>>;
}

/** `FROM … WHERE …` of all that match; to count them, often less has to be looked at. */
export function matching(
  order: Order,
  narrowing: Narrowing,
  source: Source,
  purpose: 'read' | 'count' = 'read',
): Sql {
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
      const index =
        source.kind === 'range' ? rangeIndexes[source.range] : `agreement_by_${order.sort}`;
      return {
        from: `agreement a INDEXED BY ${index}`,
        conditions: [...conditions, ...narrowing.inRow],
        parameters,
      };
    }
  }
}

/** Places rise with the last update, so that a range of the one is a range of the other. */
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

/** The conditions by which an agreement itself is told to match, without any index. */
export const inRow = (order: Order, narrowing: Narrowing): readonly string[] => [
  ...timeConditions(order),
  ...narrowing.conditions,
  ...narrowing.inRow,
];

export const where = (conditions: readonly string[]): string =>
  conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;

export function timeConditions({ sort, times }: Order): readonly string[] {
  if (times === 'any' || sort === 'title') return [];
  const key = sortKeys[sort];
  if (sort === 'expires') return [`${key} IS ${times === 'known' ? 'NOT NULL' : 'NULL'}`];
  return [`${key} ${times === 'known' ? '>' : '='} 0`];
}

/** An agreement's place in an order. */
export interface Behind {
  readonly key: string | number | null;
  readonly number: number;
}

/** What is ordered by, and the sign that compares with what stands before. */
export function ordering({ sort, direction }: Order, source: Source) {
  const key = sortKeys[sort];
  const way = direction === 'descending' ? 'DESC' : 'ASC';
  const isByPlace = source.kind === 'words' && !source.isSorted;
  return {
    key,
    by: isByPlace ? `w.rowid ${way}` : `${key} ${way}, a.number ${way}`,
    sign: direction === 'descending' ? '<' : '>',
  };
}

export const reversed = (order: Order): Order => ({
  ...order,
  direction: order.direction === 'descending' ? 'ascending' : 'descending',
});
