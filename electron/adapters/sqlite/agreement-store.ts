import * as z from 'zod';
import {
  Agreement,
  type AgreementCounts,
  type AgreementDetails,
  type AgreementPage,
  type AgreementQuery,
} from '../../../shared/contract/agreements.ts';
import {
  AgreementId,
  AgreementKey,
  type ApiName,
  type ConnectionId,
} from '../../../shared/contract/ids.ts';
import { AppError } from '../../../shared/errors.ts';
import { AgreementState, RemoteAgreement } from '../../../shared/model/agreement.ts';
import type { AgreementStore } from '../../core/ports.ts';
import { listColumns, mergeRemote } from './agreement-content.ts';
import { agreementSql, counterSql, counterTimes, writeCursor } from './agreement-query.ts';
import { flagColumn, jsonColumn } from './columns.ts';
import type { Database } from './database.ts';

const columns = `a.connection_id AS connectionId, a.id, a.api, a.title, a.state,
  a.native_state AS nativeState, a.party_names AS parties, a.signed_count AS signedCount,
  a.party_count AS partyCount, a.my_turn AS myTurn, a.updated_at AS updatedAt,
  a.closed_at AS closedAt, a.expires_at AS expiresAt, a.deletes_at AS deletesAt, a.gone,
  (SELECT f.saved_at FROM archive f WHERE f.connection_id = a.connection_id AND f.id = a.id)
    AS archivedAt`;

const detailColumns = `${columns}, c.remote, a.seen_at AS readAt,
  (SELECT f.file FROM archive f WHERE f.connection_id = a.connection_id AND f.id = a.id)
    AS archivedFile`;

const withContent = `agreement a
  JOIN agreement_content c ON c.connection_id = a.connection_id AND c.id = a.id`;

const thisConnection = '(@connectionId IS NULL OR a.connection_id = @connectionId)';

const sql = {
  isLive: 'SELECT 1 AS found FROM connection WHERE id = @connectionId AND is_removed = 0',
  stored: `
    SELECT c.remote AS text, c.remote AS known, a.gone FROM ${withContent} WHERE a.connection_id = @connectionId AND a.id = @id`,
  put: `
    INSERT INTO agreement (connection_id, id, api, title, state, native_state, party_names,
      signed_count, party_count, my_turn, updated_at, closed_at, expires_at, deletes_at, seen_at, ref,
      search_text, title_key)
    VALUES (@connectionId, @id, @api, @title, @state, @nativeState, @partyNames, @signedCount,
      @partyCount, @myTurn, @updatedAt, @closedAt, @expiresAt, @deletesAt, @readAt, @ref,
      @searchText, @titleKey)
    ON CONFLICT (connection_id, id) DO UPDATE SET title = excluded.title, state = excluded.state,
      native_state = excluded.native_state, party_names = excluded.party_names,
      signed_count = excluded.signed_count, party_count = excluded.party_count,
      my_turn = excluded.my_turn, updated_at = excluded.updated_at, closed_at = excluded.closed_at,
      expires_at = excluded.expires_at, deletes_at = excluded.deletes_at,
      seen_at = excluded.seen_at, ref = excluded.ref, search_text = excluded.search_text,
      title_key = excluded.title_key, gone = NULL`,
  putContent: `
    INSERT INTO agreement_content (connection_id, id, remote) VALUES (@connectionId, @id, @remote)
    ON CONFLICT (connection_id, id) DO UPDATE SET remote = excluded.remote`,
  seen: `
    UPDATE agreement SET seen_at = @readAt WHERE connection_id = @connectionId AND id = @id`,
  details: `
    SELECT ${detailColumns} FROM ${withContent}
    WHERE a.connection_id = @connectionId AND a.id = @id`,
  find: `
    SELECT connection_id AS connectionId, id FROM agreement
    WHERE id = @id ORDER BY is_live DESC, connection_id`,
  unseenOpen: `
    SELECT id FROM (
      SELECT id, seen_at, expires_at < @expiredBy AND seen_at < expires_at AS is_expiry_untold
      FROM agreement WHERE connection_id = @connectionId AND is_open = 1 AND gone IS NULL)
    WHERE is_expiry_untold OR seen_at < @before
    ORDER BY is_expiry_untold IS TRUE DESC, seen_at, id`,
  withRef:
    'SELECT id FROM agreement WHERE connection_id = @connectionId AND ref = @ref ORDER BY id',
  markGone: `
    UPDATE agreement SET gone = @gone, my_turn = 0 WHERE connection_id = @connectionId AND id = @id`,
  concluded: `
    SELECT ${columns} FROM agreement a
    WHERE state = 'signed' AND is_live = 1 AND gone IS NULL AND ${thisConnection}
      AND (@since IS NULL OR closed_at >= @since) AND (@until IS NULL OR closed_at < @until)
    ORDER BY closed_key, a.rowid`,
  signable: `
    SELECT ${detailColumns} FROM ${withContent}
    WHERE a.is_open = 1 AND a.is_live = 1 AND a.gone IS NULL AND ${thisConnection}
      AND EXISTS (SELECT 1 FROM json_each(c.remote, '$.parties') p
        WHERE p.value ->> 'apiSigning' IS NOT NULL
          AND p.value ->> 'state' IN ('waiting', 'turn'))
    ORDER BY a.my_turn DESC, a.expires_at IS NULL, a.expires_at, a.rowid`,
  states: `
    SELECT state, count(*) AS number FROM agreement a WHERE ${thisConnection} GROUP BY state`,
  count: (condition: string) =>
    `SELECT count(*) AS total FROM agreement a WHERE ${thisConnection} AND ${condition}`,
};

const Row = Agreement.extend({
  parties: jsonColumn(z.array(z.string())).nullable(),
  myTurn: flagColumn,
});
const PageRow = Row.extend({ sortKey: z.union([z.string(), z.number()]), row: z.number() });
const DetailsRow = Row.omit({ parties: true }).extend({
  remote: jsonColumn(RemoteAgreement),
  archivedFile: z.string().nullable(),
  readAt: z.number(),
});
const StoredRow = z.object({
  text: z.string(),
  known: jsonColumn(RemoteAgreement),
  gone: z.string().nullable(),
});
const StateRow = z.object({ state: AgreementState, number: z.number() });
const TotalRow = z.object({ total: z.number() });
const IdRow = z.object({ id: AgreementId });

export function createAgreementStore(database: Database): AgreementStore {
  const details = database.query(sql.details, DetailsRow);
  const find = database.query(sql.find, AgreementKey);
  const unseenOpen = database.query(sql.unseenOpen, IdRow);
  const withRef = database.query(sql.withRef, IdRow);
  const concluded = database.query(sql.concluded, Row);
  const signable = database.query(sql.signable, DetailsRow);
  const markGone = database.command(sql.markGone);

  return {
    put: createPut(database),
    list: (query, now) => listPage(database, query, now),
    counts: createCounts(database),
    details: (key) => detailsOf(details.first(key) ?? missing(key)),
    find: (id) => find.all({ id }),
    unseenOpen: (connectionId, before, expiredBy) =>
      unseenOpen.all({ connectionId, before, expiredBy }).map(({ id }) => id),
    withRef: (connectionId, ref) => withRef.all({ connectionId, ref }).map(({ id }) => id),
    markGone: (key, gone) => {
      if (markGone({ ...key, gone }) === 0) missing(key);
    },
    concluded: (connectionId, since, until) =>
      concluded.all({
        connectionId: connectionId ?? null,
        since: since ?? null,
        until: until ?? null,
      }),
    signable: (connectionId) => signable.all({ connectionId: connectionId ?? null }).map(detailsOf),
  };
}

function createPut(database: Database): AgreementStore['put'] {
  const isLive = database.query(sql.isLive, z.object({ found: z.literal(1) }));
  const stored = database.query(sql.stored, StoredRow);
  const put = database.command(sql.put);
  const putContent = database.command(sql.putContent);
  const seen = database.command(sql.seen);

  /** True when anything but the time of reading is new. */
  function putOne(key: AgreementKey, api: ApiName, told: RemoteAgreement, readAt: number): boolean {
    const found = stored.first(key);
    const merged = found === undefined ? told : mergeRemote(found.known, told);
    const remote = JSON.stringify(RemoteAgreement.parse(merged));
    if (found?.gone === null && found.text === remote) {
      seen({ ...key, readAt });
      return false;
    }
    put({ ...listColumns(merged), ...key, api, readAt });
    putContent({ ...key, remote });
    return true;
  }

  return (connectionId, api, remote, readAt) =>
    database.transaction(() => {
      if (isLive.first({ connectionId }) === undefined) {
        throw new AppError('not-found', `There is no connection ${connectionId}`);
      }
      return remote.filter((told) =>
        putOne({ connectionId, id: AgreementId.parse(told.id) }, api, told, readAt),
      ).length;
    });
}

function listPage(database: Database, query: AgreementQuery, now: number): AgreementPage {
  const { page, total, parameters } = agreementSql(query, columns, now);
  const rows = database.query(page, PageRow).all(parameters);
  const shown = rows.slice(0, query.limit);
  const last = shown.at(-1);
  const hasMore = rows.length > shown.length && last !== undefined;
  return {
    items: shown.map(({ sortKey: _key, row: _row, ...item }) => item),
    total: database.query(total, TotalRow).first(parameters)?.total ?? 0,
    next: hasMore ? writeCursor(last.sortKey, last.row) : null,
  };
}

function createCounts(database: Database): AgreementStore['counts'] {
  const states = database.query(sql.states, StateRow);
  const counter = (name: keyof typeof counterSql) =>
    database.query(sql.count(counterSql[name]), TotalRow);
  const attention = counter('attention');
  const expiring = counter('expiring');
  const myTurn = counter('my-turn');
  const notArchived = counter('not-archived');

  return (connectionId: ConnectionId | undefined, now: number): AgreementCounts => {
    const parameters = { connectionId: connectionId ?? null, ...counterTimes(now) };
    const found = new Map(states.all(parameters).map(({ state, number }) => [state, number]));
    const inState = (state: AgreementState) => found.get(state) ?? 0;
    return {
      all: AgreementState.options.reduce((sum, state) => sum + inState(state), 0),
      byState: {
        draft: inState('draft'),
        waiting: inState('waiting'),
        'part-signed': inState('part-signed'),
        signed: inState('signed'),
        rejected: inState('rejected'),
        revoked: inState('revoked'),
        expired: inState('expired'),
        unknown: inState('unknown'),
      },
      attention: attention.first(parameters)?.total ?? 0,
      expiring: expiring.first(parameters)?.total ?? 0,
      myTurn: myTurn.first(parameters)?.total ?? 0,
      notArchived: notArchived.first(parameters)?.total ?? 0,
    };
  };
}

function detailsOf({ remote, ...row }: z.infer<typeof DetailsRow>): AgreementDetails {
  const { createdAt, sentAt, parties, documents, tags, timeline, native } = remote;
  return { ...row, createdAt, sentAt, parties, documents, tags, timeline, native };
}

function missing(key: AgreementKey): never {
  throw new AppError('not-found', `Agreement ${key.id} is not cached`);
}
