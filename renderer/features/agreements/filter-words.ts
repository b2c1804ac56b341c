import type { ListFilter } from '../../../shared/contract/agreement-views.ts';
import { stateWord } from '../../ui/agreement-words.ts';
import { rangeText } from '../../ui/day-words.ts';
import { formatNames } from '../../ui/format.ts';
import { m } from '../../ui/language.svelte.ts';
import { joinFacts } from '../../ui/join-facts.ts';

/** One filter of the list as a text, and the list's filter without it. */
export interface FilterToken {
  readonly id: string;
  readonly label: string;
  readonly without: ListFilter;
}

type FilterName = keyof ListFilter;

function withoutFilters(filter: ListFilter, ...names: readonly FilterName[]): ListFilter {
  const kept = Object.entries(filter).filter(([name]) => !names.some((one) => one === name));
  return Object.fromEntries(kept);
}

/** Active filters except search, counters and a single state, which have their own controls. */
export function filterTokens(
  filter: ListFilter,
  connectionName: (id: string) => string,
): readonly FilterToken[] {
  const tokens: FilterToken[] = [];
  const add = (label: string, ...names: readonly [FilterName, ...FilterName[]]): void => {
    if (names.every((name) => filter[name] === undefined)) return;
    tokens.push({ id: names[0], label, without: withoutFilters(filter, ...names) });
  };
  const { states = [], connectionId, tag, templateId, archived, gone } = filter;
  if (states.length > 1) {
    add(formatNames(states.map((state) => stateWord(state))), 'states');
  }
  add(connectionName(connectionId ?? ''), 'connectionId');
  add(
    m.filter_token_expires({ range: rangeText(filter.expiresFrom, filter.expiresTo) }),
    ...(['expiresFrom', 'expiresTo'] as const),
  );
  add(
    m.filter_token_updated({ range: rangeText(filter.updatedFrom, filter.updatedTo) }),
    ...(['updatedFrom', 'updatedTo'] as const),
  );
  add(
    m.filter_token_closed({ range: rangeText(filter.closedFrom, filter.closedTo) }),
    ...(['closedFrom', 'closedTo'] as const),
  );
  add(m.filter_token_tag({ tag: tag ?? '' }), 'tag');
  add(m.filter_token_template({ id: templateId ?? '' }), 'templateId');
  add(archived === true ? m.filter_archived_yes() : m.filter_archived_no(), 'archived');
  add(m.filter_my_turn(), 'myTurn');
  // Agreements of a removed connection are not read from the service any more.
  add(
    gone === true ? m.filter_gone_yes() : m.filter_gone_no(),
    ...(['gone', 'connected'] as const),
  );
  return tokens;
}

/** The filter of a list of `count` agreements in one line, for paper; empty without filters. */
export function filterLine(
  filter: ListFilter,
  count: number,
  connectionName: (id: string) => string,
): string {
  const { states = [], counter, search } = filter;
  const [only] = states;
  const counters = {
    attention: m.agreements_counter_attention,
    expiring: m.agreements_counter_expiring,
    'my-turn': m.agreements_counter_my_turn,
    'not-archived': m.agreements_counter_not_archived,
  } as const;
  return joinFacts([
    search === undefined ? '' : m.filter_token_search({ text: search }),
    counter === undefined ? '' : counters[counter]({ count }),
    states.length === 1 && only !== undefined ? stateWord(only) : '',
    ...filterTokens(filter, connectionName).map(({ label }) => label),
  ]);
}
