import * as z from 'zod';
import {
  AgreementId,
  type AgreementKey,
  type ApiName,
  ConnectionId,
} from '../../../../shared/model/ids.ts';
import { AppError } from '../../../../shared/errors.ts';
import { RemoteAgreement } from '../../../../shared/model/agreement.ts';
import { withOwnCompany } from '../../../../shared/rules/agreements/own-company.ts';
import type { AgreementStore } from '../../../core/ports.ts';
import { columnsOf, mergeRemote } from './content.ts';
import { STATE_MASK } from './facets.ts';
import { createOneService } from '../connections/one-service.ts';
import type { AgreementIndex } from './search-index.ts';
import { isSafelyArchivedSql } from '../database/archive-damage.ts';
import { jsonColumn } from '../database/columns.ts';
import type { Database } from '../database/database.ts';

const sql = {
  connection: `
    SELECT number, org_no AS orgNo, environment = 'demo' AS isDemo FROM connection
    WHERE id = @connectionId AND is_removed = 0`,
  stored: `
    SELECT a.number, a.place, a.updated_key AS updated, a.facets, a.search_text AS searchText,
      a.tag_marks AS tagMarks, a.gone, c.remote AS text, c.remote AS known
    FROM agreement a
    JOIN agreement_content c ON c.number = a.number
    WHERE a.connection_id = @connectionId AND a.id = @id`,
  // An agreement removed in another connection to the same service also counts as removed in this
  // one.
  forgotten: `
    SELECT connection_id AS connectionId, native_state AS nativeState, updated_at AS updatedAt,
      closed_at AS closedAt
    FROM agreement_forgotten
    WHERE connection_id IN (SELECT value FROM json_each(@connections)) AND id = @id`,
  remember: 'DELETE FROM agreement_forgotten WHERE connection_id = @connectionId AND id = @id',
  sawForgotten: `
    INSERT INTO agreement_forgotten
      (connection_id, id, native_state, updated_at, closed_at, forgotten_at, seen_at)
    SELECT @connectionId, id, native_state, updated_at, closed_at, forgotten_at, @readAt
    FROM agreement_forgotten WHERE connection_id = @from AND id = @id
    ON CONFLICT (connection_id, id) DO UPDATE SET native_state = excluded.native_state,
      updated_at = excluded.updated_at, closed_at = excluded.closed_at, seen_at = excluded.seen_at`,
  put: `
    INSERT INTO agreement (connection_id, id, api, title, state, native_state, party_names,
      signed_count, party_count, my_turn, signable, perhaps_expired, sent_at,
      updated_at, closed_at, expires_at, deletes_at,
      seen_at, ref, search_text, title_key, tag_marks, bytes, number, connection_number, archived)
    VALUES (@connectionId, @id, @api, @title, @state, @nativeState, @partyNames, @signedCount,
      @partyCount, @myTurn, @signable, @perhapsExpired, @sentAt,
      @updatedAt, @closedAt, @expiresAt, @deletesAt, @readAt, @ref,
      @searchText, @titleKey, @tagMarks, @bytes,
      (SELECT coalesce(max(number), 0) + 1 FROM agreement), @connectionNumber,
      ${isSafelyArchivedSql})
    ON CONFLICT (connection_id, id) DO UPDATE SET title = excluded.title, state = excluded.state,
      native_state = excluded.native_state, party_names = excluded.party_names,
      signed_count = excluded.signed_count, party_count = excluded.party_count,
      my_turn = excluded.my_turn, signable = excluded.signable,
      perhaps_expired = excluded.perhaps_expired, sent_at = excluded.sent_at, updated_at = excluded.updated_at,
      closed_at = excluded.closed_at, expires_at = excluded.expires_at,
      deletes_at = excluded.deletes_at, seen_at = excluded.seen_at, ref = excluded.ref,
      search_text = excluded.search_text, title_key = excluded.title_key,
      tag_marks = excluded.tag_marks, bytes = excluded.bytes, gone = NULL
    RETURNING number, updated_key AS updated, facets`,
  putContent: `
    INSERT INTO agreement_content (number, remote) VALUES (@number, @remote)
    ON CONFLICT (number) DO UPDATE SET remote = excluded.remote`,
  seen: `
    UPDATE agreement SET seen_at = @readAt WHERE connection_id = @connectionId AND id = @id`,
};

const StoredCopyRow = z.object({
  number: z.number(),
  place: z.number().nullable(),
  updated: z.number(),
  facets: z.number(),
  searchText: z.string(),
  tagMarks: z.string(),
  gone: z.string().nullable(),
  text: z.string(),
  known: jsonColumn(RemoteAgreement),
});
const ConnectionRow = z.object({
  number: z.number(),
  orgNo: z.string().nullable(),
  isDemo: z.number(),
});
const WrittenRow = z.object({ number: z.number(), updated: z.number(), facets: z.number() });
const ForgottenCopy = RemoteAgreement.pick({
  nativeState: true,
  updatedAt: true,
  closedAt: true,
}).extend({ connectionId: ConnectionId });

export interface UpsertPorts {
  readonly index: AgreementIndex;
  readonly isBulk: () => boolean;
}

class AgreementUpsert {
  readonly #ports: UpsertPorts;
  readonly #sql: ReturnType<typeof prepareUpsert>;

  constructor(database: Database, ports: UpsertPorts) {
    this.#ports = ports;
    this.#sql = prepareUpsert(database);
  }

  /** Returns the row of a connection. Throws 'not-found' if it does not exist or was removed. */
  connection(connectionId: ConnectionId): z.infer<typeof ConnectionRow> {
    const found = this.#sql.connection.first({ connectionId });
    if (found === undefined) {
      throw new AppError('not-found', `There is no connection ${connectionId}`);
    }
    return found;
  }

  /** Stores an agreement. Returns true if anything but the time of reading has changed. */
  put(received: RemoteAgreement, written: UpsertContext): boolean {
    const { key, readAt, connections, ownCompany, ...rest } = written;
    const found = this.#sql.stored.first(key);
    if (found === undefined && this.#isKeptAway(received, written)) return false;
    const merged = ofOwnCompany(
      found === undefined ? received : mergeRemote(found.known, received),
      written,
    );
    const remote = JSON.stringify(RemoteAgreement.parse(merged));
    if (found?.gone === null && found.text === remote) {
      this.#sql.seen({ ...key, readAt });
      return false;
    }
    const columns = columnsOf(merged, written.api);
    const bytes = Buffer.byteLength(remote);
    const row = this.#sql.put.first({ ...columns, ...key, ...rest, readAt, bytes });
    if (row === undefined) throw new Error('A written row was not given back');
    this.#sql.putContent({ number: row.number, remote });
    this.#index(found, row, columns);
    return true;
  }

  #isKeptAway(received: RemoteAgreement, { key, readAt, connections }: UpsertContext): boolean {
    const forgotten = [...this.#sql.forgotten.all({ id: key.id, connections })];
    const was = forgotten.find((one) => isUnchanged(one, received));
    if (was !== undefined) {
      this.#sql.sawForgotten({ ...key, from: was.connectionId, readAt });
      return true;
    }
    if (forgotten.length > 0) this.#sql.remember(key);
    return false;
  }

  #index(
    found: z.infer<typeof StoredCopyRow> | undefined,
    row: z.infer<typeof WrittenRow>,
    { searchText, tagMarks }: ReturnType<typeof columnsOf>,
  ): void {
    const { index, isBulk } = this.#ports;
    // Of the facets, only the state has a mark in the search index.
    const isReworded =
      found?.searchText !== searchText ||
      found.tagMarks !== tagMarks ||
      ((found.facets ^ row.facets) & STATE_MASK) !== 0;
    const from = found?.place ?? null;
    if (from !== null && !isReworded && found?.updated === row.updated) return;
    if (isBulk()) index.leaveOut(row.number, from);
    else index.place(row, { from, isReworded });
  }
}

export function createUpsert(database: Database, ports: UpsertPorts): AgreementStore['put'] {
  const putting = new AgreementUpsert(database, ports);
  const reaching = createOneService(database);
  return (connectionId, api, remote, readAt) =>
    database.transaction(() => {
      const { number: connectionNumber, orgNo, isDemo } = putting.connection(connectionId);
      // The demo service has a number of its own, which is not stored in the connection.
      const ownCompany = isDemo === 1 ? null : { orgNo };
      const connections = reaching(connectionId);
      return remote.filter((received) => {
        const key = { connectionId, id: AgreementId.parse(received.id) };
        return putting.put(received, {
          key,
          api,
          connectionNumber,
          ownCompany,
          readAt,
          connections,
        });
      }).length;
    });
}

function prepareUpsert(database: Database) {
  return {
    connection: database.query(sql.connection, ConnectionRow),
    stored: database.query(sql.stored, StoredCopyRow),
    forgotten: database.query(sql.forgotten, ForgottenCopy),
    remember: database.command(sql.remember),
    sawForgotten: database.command(sql.sawForgotten),
    put: database.query(sql.put, WrittenRow),
    putContent: database.command(sql.putContent),
    seen: database.command(sql.seen),
  };
}

interface UpsertContext {
  readonly key: AgreementKey;
  readonly api: ApiName;
  readonly connectionNumber: number;
  /**
   * Number of our company, as the connection has it now; without a number, every company is
   * offered. Null for the demo, where the read has the number of the demo service.
   */
  readonly ownCompany: { readonly orgNo: string | null } | null;
  readonly readAt: number;
  /** IDs of all connections to the same service, as a JSON array. */
  readonly connections: string;
}

/**
 * A read that began before the number of our company was changed or removed still has the old
 * number.
 */
function ofOwnCompany(
  remote: RemoteAgreement,
  { api, ownCompany }: Pick<UpsertContext, 'api' | 'ownCompany'>,
): RemoteAgreement {
  if (api !== 'v2' || ownCompany === null || remote.parties === null) return remote;
  return { ...remote, parties: withOwnCompany(remote.parties, ownCompany.orgNo) };
}

/** Whether the fields that every answer has are unchanged; a missing time counts as unchanged. */
function isUnchanged(was: z.infer<typeof ForgottenCopy>, received: RemoteAgreement): boolean {
  const isSame = (before: number | null, now: number | null) => now === null || now === before;
  return (
    was.nativeState === received.nativeState &&
    isSame(was.updatedAt, received.updatedAt) &&
    isSame(was.closedAt, received.closedAt)
  );
}
