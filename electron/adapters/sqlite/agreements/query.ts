import type {
  AgreementFilter,
  AgreementSort,
} from '../../../../shared/contract/agreement-query.ts';
import { ANY_STATE, type FacetTest, facetSql, facetTest, isOnServiceSql } from './facets.ts';
import { connectionMark, stateMark, tagMark, templateMark } from './marks.ts';
import { damagedNumbersSql } from '../database/archive-damage.ts';
import type { SqlValue } from '../database/database.ts';
import { wordsOf } from '../database/text-keys.ts';
import { DAY } from '../../../../shared/rules/time/units.ts';

/** Time for which a rejected or expired agreement needs attention. */
const ATTENTION_MS = 30 * DAY;
const EXPIRING_MS = 7 * DAY;

/** Maximum number of search words; more would not narrow the search further. */
const MAX_WORDS = 8;

/** Restriction by a time: any time, only known times, or only unknown times. */
export type TimeRestriction = 'any' | 'known' | 'unknown';

export const sortKeys: Readonly<Record<AgreementSort, string>> = {
  updated: 'updated_key',
  title: 'title_key',
  closed: 'closed_key',
  expires: 'expires_at',
};

/** Times by which a filter can narrow, each with an index. */
export type RangeKey = 'attention' | 'expires' | 'closed' | 'updated';

const rangeIndexes: Readonly<Record<RangeKey, string>> = {
  attention: 'agreement_by_attention',
  expires: 'agreement_by_expires',
  closed: 'agreement_by_closed',
  updated: 'agreement_by_updated',
};

const attentionSql = 'attention_at >= @attentionFrom';

/** Rows of `agreement` that can be in a range: its index, or for attention a list of numbers. */
export const rangeRowsSql = (range: RangeKey): string =>
  range === 'attention'
    ? `(SELECT number AS listed FROM agreement INDEXED BY ${rangeIndexes.attention}
        WHERE ${attentionSql} UNION ${damagedNumbersSql})
      CROSS JOIN agreement a INDEXED BY agreement_number ON a.number = listed`
    : `agreement a INDEXED BY ${rangeIndexes[range]}`;

/** A filter as conditions on `agreement a`. */
export interface Narrowing {
  readonly facets: FacetTest;
  /** Conditions without the search index; covered by the index of every order. */
  readonly conditions: readonly string[];
  /** Conditions equivalent to `match`, on the texts of the row. */
  readonly inRow: readonly string[];
  /** Query of the search index; null if the filter has no part that is indexed. */
  readonly match: string | null;
  /** Whether `match` and the time of the last update cover the whole filter. */
  readonly isMatchWhole: boolean;
  readonly ranges: readonly RangeKey[];
  readonly parameters: Readonly<Record<string, SqlValue>>;
}

/** Returns the conditions of a filter; null if nothing can match. */
export function narrowingOf(
  filter: AgreementFilter,
  connection: number | undefined,
  now: number,
): Narrowing | null {
  const facets = facetTest(filter, connection);
  const words = wordsOf(filter.search ?? '').slice(0, MAX_WORDS);
  const isWordless = words.length === 0 && (filter.search ?? '').trim() !== '';
  // A search that has only punctuation contains no word, and finds nothing.
  if (facets === null || isWordless) return null;
  const ranges = rangesOf(filter, now);
  const texts = textsOf(filter, words);
  const isNarrowed = facets.mask !== 0 || facets.states !== ANY_STATE;
  const match = matchOf(filter, words, facets, connection);
  const { mask, bits, states } = facets;
  return {
    facets,
    conditions: [...(isNarrowed ? [facetSql] : []), ...ranges.conditions],
    inRow: texts.conditions,
    match,
    isMatchWhole:
      hasOnlyMarkedFacets(facets, connection) && ranges.names.every((name) => name === 'updated'),
    ranges: ranges.names,
    parameters: {
      ...(isNarrowed ? { mask, bits, states } : {}),
      ...ranges.parameters,
      ...texts.parameters,
    },
  };
}

/** Whether the facets test only state and connection, which have marks. */
function hasOnlyMarkedFacets({ mask, bits }: FacetTest, connection: number | undefined): boolean {
  const alone = facetTest({}, connection);
  return alone?.mask === mask && alone.bits === bits;
}

function rangesOf(filter: AgreementFilter, now: number) {
  const conditions: string[] = [];
  const parameters: Record<string, SqlValue> = {};
  const names: RangeKey[] = [];
  const between = (name: RangeKey, column: string, from?: number, to?: number) => {
    if (from === undefined && to === undefined) return;
    names.push(name);
    // An unknown time is 0 or null, so it is in no range.
    conditions.push(`${column} >= @${name}From`);
    parameters[`${name}From`] = Math.max(from ?? 1, 1);
    if (to === undefined) return;
    conditions.push(`${column} < @${name}To`);
    parameters[`${name}To`] = to;
  };
  if (filter.counter === 'attention') {
    names.push('attention');
    conditions.push(
      `((${attentionSql} AND ${isOnServiceSql}) OR a.number IN (${damagedNumbersSql}))`,
    );
    parameters['attentionFrom'] = Math.max(now - ATTENTION_MS, 1);
  }
  const soon = filter.counter === 'expiring' ? { from: now, to: now + EXPIRING_MS + 1 } : {};
  between(
    'expires',
    'expires_at',
    latestTime(filter.expiresFrom, soon.from),
    earliestTime(filter.expiresTo, soon.to),
  );
  between('closed', 'closed_key', filter.closedFrom, filter.closedTo);
  between('updated', 'updated_key', filter.updatedFrom, filter.updatedTo);
  return { conditions, parameters, names };
}

function latestTime(...times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

function earliestTime(...times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

function textsOf({ tag, templateId }: AgreementFilter, words: readonly string[]) {
  const conditions = words.map((_, index) => `instr(search_text, @word${String(index)}) > 0`);
  const parameters: Record<string, SqlValue> = Object.fromEntries(
    words.map((word, index) => [`word${String(index)}`, ` ${word}`]),
  );
  if (tag !== undefined) {
    conditions.push(`instr(' ' || tag_marks || ' ', @tag) > 0`);
    parameters['tag'] = ` ${tagMark(tag)} `;
  }
  if (templateId !== undefined) {
    conditions.push('template_mark = @template');
    parameters['template'] = templateMark(templateId);
  }
  return { conditions, parameters };
}

/**
 * Returns the query of the search index in FTS5 syntax. Words are only letters and digits, so
 * nothing needs escaping.
 */
function matchOf(
  { tag, templateId }: AgreementFilter,
  words: readonly string[],
  facets: FacetTest,
  connection: number | undefined,
): string | null {
  const indexed = words.map((word) => `words : "${word}" *`);
  const marked = [
    ...(tag === undefined ? [] : [tagMark(tag)]),
    ...(templateId === undefined ? [] : [templateMark(templateId)]),
  ];
  if (indexed.length + marked.length === 0) return null;
  if (connection !== undefined) marked.push(connectionMark(connection));
  const terms = [...indexed, ...marked.map((mark) => `marks : "${mark}"`)];
  if (facets.states !== ANY_STATE) {
    const codes = Array.from({ length: 8 }, (_, code) => code);
    const within = codes.filter((code) => ((facets.states >> code) & 1) === 1);
    terms.push(`marks : (${within.map((code) => `"${stateMark(code)}"`).join(' OR ')})`);
  }
  return terms.join(' AND ');
}
