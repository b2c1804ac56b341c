import * as z from 'zod';
import type { PeopleView } from '../../../../shared/contract/people.ts';
import type { PeopleStore } from '../../../core/people/ports.ts';
import type { Database, Parameters } from '../database/database.ts';
import { wordsOf } from '../database/text-keys.ts';
import { personFields, PersonRow } from './rows.ts';

/**
 * Maximum number of matches that are looked up and sorted. If there are more, about every twentieth
 * entry matches, and walking the ordered index soon finds the first ones.
 */
const MAX_SORTED_HITS = 4000;
/**
 * Offset from which walking is slower than sorting, except in the order whose index contains the
 * words.
 */
const DEEP_OFFSET = 1000;
/** Maximum number of search words; each is a condition of the walk. */
const MAX_WORDS = 6;
/** Pattern of a number as people write it; its parts form one word. */
const NUMBER = /^[+\d][\d\s()./-]*$/;

const sortColumns = {
  name: 'title_key',
  used: 'used_at',
  changed: 'changed_at',
} as const satisfies Record<PeopleView['sort'], string>;
type PeopleOrder = `${PeopleView['sort']} ${PeopleView['direction']}`;

const wordConditionsSql = Array.from(
  { length: MAX_WORDS },
  (_, at) => `instr(p.words, @word${String(at)}) > 0`,
).join(' AND ');

const matchingPeopleSql = 'SELECT rowid FROM person_words WHERE person_words MATCH @match';

export function createPeopleWindow(database: Database): Pick<PeopleStore, 'search' | 'window'> {
  const statements = prepare(database);
  const read = (
    view: PeopleView,
    from: number,
    limit: number,
  ): ReturnType<PeopleStore['window']> => {
    const words = searchWordsOf(view.text);
    const order = `${view.sort} ${view.direction}` as const;
    const place: Parameters = { from, limit };
    if (view.group !== null) {
      const inGroup = { ...wordParameters(words), group: view.group };
      const items = statements.inGroup[order].all({ ...place, ...inGroup });
      return { items, total: statements.countGroup.only(inGroup).total };
    }
    if (words.length === 0) {
      return { items: statements.all[order].all(place), total: statements.countAll.only().total };
    }
    const match = matchOf(words);
    const { total } = statements.count.only({ match });
    const isSorted = total <= MAX_SORTED_HITS || (view.sort !== 'name' && from > DEEP_OFFSET);
    const items = isSorted
      ? statements.few[order].all({ ...place, match })
      : statements.walk[order].all({ ...place, ...wordParameters(words) });
    return { items, total };
  };
  return {
    window: read,
    search: (text, most) => {
      const words = searchWordsOf(text);
      const place = { from: 0, limit: most };
      const order = 'used descending';
      if (words.length === 0) return statements.all[order].all(place);
      const match = matchOf(words);
      const isFew =
        statements.countFew.only({ match, limit: MAX_SORTED_HITS + 1 }).total <= MAX_SORTED_HITS;
      return isFew
        ? statements.few[order].all({ ...place, match })
        : statements.walk[order].all({ ...place, ...wordParameters(words) });
    },
  };
}

function searchWordsOf(text: string): readonly string[] {
  const trimmed = text.trim();
  const whole = NUMBER.test(trimmed) ? trimmed.replaceAll(/\D/g, '') : trimmed;
  return wordsOf(whole).slice(0, MAX_WORDS);
}

const matchOf = (words: readonly string[]): string => words.map((word) => `"${word}"*`).join(' ');

/**
 * Returns the words with a leading space, to match word starts; unused parameters are empty, and
 * match every text.
 */
function wordParameters(words: readonly string[]): Parameters {
  return Object.fromEntries(
    Array.from({ length: MAX_WORDS }, (_, at) => {
      const word = words[at];
      return [`word${String(at)}`, word === undefined ? '' : ` ${word}`];
    }),
  );
}

function prepare(database: Database) {
  const Total = z.object({ total: z.number().int() });
  const members = `
    FROM (SELECT DISTINCT person_id FROM group_member WHERE group_id = @group) AS g
    CROSS JOIN person AS p ON p.id = g.person_id WHERE ${wordConditionsSql}`;
  const by = (rest: string) =>
    statementByOrder((order) =>
      database.query(
        `SELECT ${personFields('p')} ${rest} ORDER BY ${order} LIMIT @limit OFFSET @from`,
        PersonRow,
      ),
    );
  return {
    all: by('FROM person AS p'),
    few: by(
      `FROM (${matchingPeopleSql}) AS found CROSS JOIN person AS p ON p.number = found.rowid`,
    ),
    walk: statementByOrder((order) =>
      database.query(
        `SELECT ${personFields('p')} FROM (
          SELECT p.number FROM person AS p WHERE ${wordConditionsSql}
          ORDER BY ${order} LIMIT @limit OFFSET @from) AS found
        CROSS JOIN person AS p ON p.number = found.number ORDER BY ${order}`,
        PersonRow,
      ),
    ),
    inGroup: by(members),
    countAll: database.query('SELECT count(*) AS total FROM person', Total),
    count: database.query(
      'SELECT count(*) AS total FROM person_words WHERE person_words MATCH @match',
      Total,
    ),
    countFew: database.query(
      `SELECT count(*) AS total FROM (${matchingPeopleSql} LIMIT @limit)`,
      Total,
    ),
    countGroup: database.query(`SELECT count(*) AS total ${members}`, Total),
  };
}

function statementByOrder<Statement>(
  make: (order: string) => Statement,
): Record<PeopleOrder, Statement> {
  const one = (sort: PeopleView['sort'], direction: 'ASC' | 'DESC') =>
    make(`p.${sortColumns[sort]} ${direction}, p.number ${direction}`);
  return {
    'name ascending': one('name', 'ASC'),
    'name descending': one('name', 'DESC'),
    'used ascending': one('used', 'ASC'),
    'used descending': one('used', 'DESC'),
    'changed ascending': one('changed', 'ASC'),
    'changed descending': one('changed', 'DESC'),
  };
}
