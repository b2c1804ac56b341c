import * as z from 'zod';
import type { AgreementQuery } from '../../../shared/contract/agreements.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Parameters, SqlValue } from './database.ts';
import { foldText } from './text-keys.ts';

const DAY_MS = 86_400_000;
/** How long a rejected or expired agreement asks for attention. */
const ATTENTION_MS = 30 * DAY_MS;
const EXPIRING_MS = 7 * DAY_MS;

/** More words than this narrow nothing further. */
const MAX_WORDS = 8;

export type Counter = NonNullable<AgreementQuery['counter']>;

/** What each counter counts; the list narrowed by one uses the very same words. */
export const counterSql: Readonly<Record<Counter, string>> = {
  attention: `is_live = 1 AND gone IS NULL AND (state = 'unknown' OR state IN ('rejected', 'expired')
    AND coalesce(updated_at, closed_at, expires_at) BETWEEN @attentionFrom AND @now)`,
  expiring: `is_open = 1 AND is_live = 1 AND gone IS NULL AND state <> 'draft'
    AND expires_at BETWEEN @now AND @expiringTo`,
  'my-turn': 'my_turn = 1 AND is_live = 1 AND gone IS NULL',
  'not-archived': `state = 'signed' AND is_live = 1 AND gone IS NULL AND NOT EXISTS
    (SELECT 1 FROM archive f WHERE f.connection_id = a.connection_id AND f.id = a.id)`,
};

export const counterTimes = (now: number): Parameters => ({
  now,
  attentionFrom: now - ATTENTION_MS,
  expiringTo: now + EXPIRING_MS,
});

const sorts: Readonly<Record<AgreementQuery['sort'], { key: string; order: 'ASC' | 'DESC' }>> = {
  updated: { key: 'updated_key', order: 'DESC' },
  title: { key: 'title_key', order: 'ASC' },
  closed: { key: 'closed_key', order: 'DESC' },
};

export interface AgreementSql {
  readonly page: string;
  readonly total: string;
  readonly parameters: Parameters;
}

/** The statements for one page and for the number of all that match. */
export function agreementSql(query: AgreementQuery, columns: string, now: number): AgreementSql {
  const { conditions, parameters } = narrowing(query, now);
  const { key, order } = sorts[query.sort];
  const paged = [...conditions];
  const paging: Record<string, SqlValue> = { limit: query.limit + 1 };
  if (query.after !== undefined) {
    const [sortKey, row] = readCursor(query.after);
    paged.push(`(${key}, a.rowid) ${order === 'ASC' ? '>' : '<'} (@sortKey, @row)`);
    Object.assign(paging, { sortKey, row });
  }
  return {
    page: `
      SELECT ${columns}, ${key} AS sortKey, a.rowid AS row FROM agreement a ${where(paged)}
      ORDER BY ${key} ${order}, a.rowid ${order} LIMIT @limit`,
    total: `SELECT count(*) AS total FROM agreement a ${where(conditions)}`,
    parameters: { ...parameters, ...paging },
  };
}

function narrowing(query: AgreementQuery, now: number) {
  const conditions: string[] = [];
  const parameters: Record<string, SqlValue> = { ...counterTimes(now) };
  const narrow = (condition: string, name: string, value: SqlValue | undefined) => {
    if (value === undefined) return;
    conditions.push(condition);
    parameters[name] = value;
  };
  narrow('connection_id = @connectionId', 'connectionId', query.connectionId);
  narrow('state = @state', 'state', query.state);
  narrow('closed_at >= @closedFrom', 'closedFrom', query.closedFrom);
  narrow('closed_at < @closedTo', 'closedTo', query.closedTo);
  for (const [index, word] of words(query.search ?? '').entries()) {
    narrow(`instr(search_text, @word${index}) > 0`, `word${index}`, word);
  }
  if (query.counter !== undefined) conditions.push(`(${counterSql[query.counter]})`);
  return { conditions, parameters };
}

const words = (search: string) =>
  foldText(search)
    .split(/\s+/u)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS);

const where = (conditions: readonly string[]) =>
  conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;

const Cursor = z.tuple([z.union([z.string(), z.number()]), z.number().int()]);

export const writeCursor = (sortKey: string | number, row: number): string =>
  Buffer.from(JSON.stringify([sortKey, row])).toString('base64url');

function readCursor(cursor: string): z.infer<typeof Cursor> {
  try {
    return Cursor.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch (cause) {
    throw new AppError('invalid', 'This is not a place in the list', { cause });
  }
}
