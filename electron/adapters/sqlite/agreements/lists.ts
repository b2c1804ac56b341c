import * as z from 'zod';
import type { OptionalRowPart } from '../../../../shared/contract/agreement-query.ts';
import type { Agreement } from '../../../../shared/contract/agreements.ts';
import { AgreementKey } from '../../../../shared/model/ids.ts';
import type { AgreementLists } from '../../../core/agreements/ports.ts';
import { createAgreementCounts } from './counts.ts';
import type { AgreementIndex } from './search-index.ts';
import { createListings } from './listings.ts';
import { createRetirable } from './removal.ts';
import { listColumns, ListRow, MoreRow, moreRowsSql } from './rows.ts';
import { AgreementViews } from './views.ts';
import type { Database } from '../database/database.ts';
import { createStatements } from '../database/statements.ts';

/** Limit for reading all rows: above any number of agreements, yet small enough for additions. */
const MAX_ROW_COUNT = 2 ** 40;

const fromNumbersSql = `json_each(@numbers) n
  CROSS JOIN agreement a INDEXED BY agreement_number ON a.number = n.value`;
const agreementsByKeySql = `json_each(@keys) n
  CROSS JOIN agreement a ON a.connection_id = n.value ->> 'connectionId' AND a.id = n.value ->> 'id'`;
const inKeyOrderSql = 'ORDER BY n.key';

const sql = {
  rows: `SELECT ${listColumns} FROM ${fromNumbersSql} ${inKeyOrderSql}`,
  keys: `SELECT a.connection_id AS connectionId, a.id FROM ${fromNumbersSql} ${inKeyOrderSql}`,
  number: 'SELECT number FROM agreement WHERE connection_id = @connectionId AND id = @id',
};

export function createLists(database: Database, index: AgreementIndex): AgreementLists {
  const listings = createListings(database, index);
  const views = new AgreementViews(database, listings);
  const rows = database.query(sql.rows, ListRow);
  const keys = database.query(sql.keys, AgreementKey);
  const number = database.query(sql.number, z.object({ number: z.number() }));
  const withMore = createStatements(database, MoreRow);
  const read = (numbers: readonly number[], more: readonly OptionalRowPart[] = []): Agreement[] => {
    const asked = { numbers: JSON.stringify(numbers) };
    const query =
      more.length === 0 ? rows : withMore(moreRowsSql(more, fromNumbersSql, inKeyOrderSql));
    return [...query.all(asked)];
  };

  // Another thread writes agreements: a snapshot makes rows, positions and totals consistent.
  const atOnce =
    <Question extends readonly unknown[], Answer>(ask: (...question: Question) => Answer) =>
    (...question: Question): Answer =>
      database.snapshot(() => ask(...question));

  return {
    list: atOnce(({ more, ...query }, now) => {
      const { numbers, next } = views.page(query, now);
      return { items: read(numbers, more), total: views.count(query, now), next };
    }),
    window: atOnce(({ from, limit, countUpTo, more, ...view }, now) => {
      const items = read(views.slice(view, from, limit, now), more);
      const counted =
        countUpTo === undefined
          ? { total: views.count(view, now), isCounted: true }
          : views.countUpTo(view, countUpTo, now);
      return { items, from, ...counted };
    }),
    groups: atOnce(({ more: _, ...view }, now) => views.groups(view, now)),
    position: atOnce(({ more: _, ...view }, key, now) => {
      const found = number.first(key)?.number;
      return found === undefined ? null : views.indexOf(view, found, now);
    }),
    keys: atOnce(({ from, limit, more: _, ...view }, now) => {
      const numbers = views.slice(view, from, limit, now);
      const found = keys.all({ numbers: JSON.stringify(numbers) });
      return { keys: [...found], total: views.count(view, now) };
    }),
    numbers: atOnce(({ more: _, ...view }, now) =>
      Uint32Array.from(views.slice(view, 0, MAX_ROW_COUNT, now)),
    ),
    rows: (numbers, more) => read([...numbers], more),
    named: (keys, more) => [
      ...withMore(moreRowsSql(more, agreementsByKeySql, inKeyOrderSql)).all({
        keys: JSON.stringify(keys),
      }),
    ],
    count: atOnce((filter, now) => views.count(filter, now)),
    counts: atOnce(createAgreementCounts(listings, views)),
    retirable: createRetirable(database),
  };
}
