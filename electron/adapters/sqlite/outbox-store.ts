import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { OutboxRef } from '../../../shared/contract/ids.ts';
import { OutboxItem } from '../../../shared/contract/outbox.ts';
import { AppError, Failure } from '../../../shared/errors.ts';
import type { FrozenRequest, NewOutboxItem, OutboxMove, OutboxStore } from '../../core/ports.ts';
import { blobColumn, flagColumn, jsonColumn } from './columns.ts';
import type { Database } from './database.ts';
import { damagedRow } from './storage-errors.ts';

const columns = `ref, kind, state, title, connection_id AS connectionId, remote_id AS remoteId,
  draft_id AS draftId, people, n_wire AS attempts, next_at AS nextAt, reason,
  created_at AS createdAt, updated_at AS updatedAt, version, is_whole AS isWhole,
  (SELECT count(*) FROM outbox_file AS file WHERE file.ref = outbox.ref) AS uploads,
  (SELECT count(token) FROM outbox_file AS file WHERE file.ref = outbox.ref) AS uploaded`;

const sql = {
  list: `
    SELECT ${columns} FROM outbox WHERE is_open = 1 OR (is_open = 0 AND updated_at >= @since)
    ORDER BY is_open DESC, created_at DESC, rowid DESC`,
  get: `SELECT ${columns} FROM outbox WHERE ref = @ref`,
  inState: `SELECT ${columns} FROM outbox WHERE state = @state ORDER BY created_at, rowid`,
  request: `
    SELECT body, body_sha256 AS sha256, target, signed_at AS signedAt
    FROM outbox WHERE ref = @ref`,
  insert: `
    INSERT INTO outbox (ref, kind, state, title, connection_id, remote_id, draft_id, people, n_wire,
      next_at, reason, body, body_sha256, target, signed_at, is_whole, created_at, updated_at)
    VALUES (@ref, @kind, @state, @title, @connectionId, @remoteId, @draftId, @people, @attempts,
      @nextAt, @reason, @body, @sha256, @target, @signedAt, @isWhole, @createdAt, @updatedAt)`,
  insertFile: `
    INSERT INTO outbox_file (ref, place, name, data) VALUES (@ref, @place, @name, @data)`,
  uploads: 'SELECT place, name, token FROM outbox_file WHERE ref = @ref ORDER BY place',
  uploadData: `
    SELECT data FROM outbox_file WHERE ref = @ref AND place = @place AND data IS NOT NULL`,
  setToken: 'UPDATE outbox_file SET token = @token WHERE ref = @ref AND place = @place',
  dropFiles: 'UPDATE outbox_file SET data = NULL WHERE ref = @ref AND data IS NOT NULL',
  complete: `
    UPDATE outbox SET body = @body, body_sha256 = @sha256, is_whole = 1, version = version + 1
    WHERE ref = @ref AND state = 'queued' AND is_whole = 0`,
  claim: `
    UPDATE outbox SET state = 'sending', version = version + 1, n_wire = n_wire + 1,
      next_at = NULL, reason = NULL, updated_at = @at
    WHERE ref = @ref AND state = 'queued' AND is_whole = 1`,
  beginAttempt: 'INSERT INTO attempt (ref, started_at) VALUES (@ref, @at)',
  endAttempt: `
    UPDATE attempt SET ended_at = @at, outcome = @to, headers_sent = @headersSent
    WHERE ref = @ref AND ended_at IS NULL`,
  move: `
    UPDATE outbox SET state = @to, version = version + 1, remote_id = @remoteId,
      next_at = @nextAt, reason = @reason, n_wire = n_wire - @uncounted, updated_at = @at
    WHERE ref = @ref AND version = @version`,
  write: `
    INSERT INTO journal (at, ref, from_state, to_state, cause)
    VALUES (@at, @ref, @from, @to, @cause)`,
};

const Row = OutboxItem.extend({
  people: jsonColumn(OutboxItem.shape.people),
  reason: jsonColumn(Failure).nullable(),
  version: z.number().int(),
  isWhole: flagColumn,
  uploads: z.number().int(),
  uploaded: z.number().int(),
});
type Row = z.infer<typeof Row>;

const UploadRow = z.object({
  place: z.number().int(),
  name: z.string(),
  token: z.string().nullable(),
});

const RequestRow = z.object({
  body: blobColumn,
  sha256: z.string(),
  target: jsonColumn(
    z.object({
      agreementId: OutboxItem.shape.remoteId.unwrap(),
      partyId: z.string(),
      configurationId: z.string(),
    }),
  ).nullable(),
  signedAt: z.number().nullable(),
});

export function createOutboxStore(database: Database): OutboxStore {
  const statements = prepare(database);
  const row = (ref: OutboxRef): Row => statements.one.first({ ref }) ?? missing(ref);

  return {
    list: (since) => statements.list.all({ since }).map(itemOf),
    get: (ref) => itemOf(row(ref)),
    inState: (state) => statements.inState.all({ state }).map(itemOf),
    request: (ref) => thaw(statements.request.first({ ref }) ?? missing(ref)),
    insert: (entry, at) => {
      database.transaction(() => {
        const { ref, state } = entry.item;
        statements.insert(newRow(entry));
        for (const [place, { name, data }] of entry.uploads.entries()) {
          statements.insertFile({ ref, place, name, data });
        }
        statements.write({ at, ref, from: null, to: state, cause: 'person' });
      });
    },
    uploads: (ref) => statements.uploads.all({ ref }),
    uploadData: (ref, place) => statements.uploadData.first({ ref, place })?.data ?? missing(ref),
    setToken: (ref, place, token) => {
      statements.setToken({ ref, place, token });
    },
    complete: (ref, body) => statements.complete({ ref, body, sha256: sha256(body) }) > 0,
    claim: (ref, at) =>
      database.transaction(() => {
        if (statements.claim({ ref, at }) === 0) return false;
        statements.beginAttempt({ ref, at });
        statements.write({ at, ref, from: 'queued', to: 'sending', cause: 'claim' });
        return true;
      }),
    unclaim: (ref, at, change) => {
      database.transaction(() => {
        const found = row(ref);
        if (found.state !== 'sending') {
          throw new AppError('conflict', `Outbox row ${ref} is ${found.state}, not sending`);
        }
        moveRow(statements, found, change, at, 1);
      });
    },
    move: (ref, from, change, at) =>
      database.transaction(() => {
        const found = row(ref);
        if (!from.includes(found.state)) return false;
        moveRow(statements, found, change, at, 0);
        return true;
      }),
  };
}

const prepare = (database: Database) => ({
  list: database.query(sql.list, Row),
  one: database.query(sql.get, Row),
  inState: database.query(sql.inState, Row),
  request: database.query(sql.request, RequestRow),
  insert: database.command(sql.insert),
  insertFile: database.command(sql.insertFile),
  uploads: database.query(sql.uploads, UploadRow),
  uploadData: database.query(sql.uploadData, z.object({ data: blobColumn })),
  setToken: database.command(sql.setToken),
  dropFiles: database.command(sql.dropFiles),
  complete: database.command(sql.complete),
  claim: database.command(sql.claim),
  beginAttempt: database.command(sql.beginAttempt),
  endAttempt: database.command(sql.endAttempt),
  move: database.command(sql.move),
  write: database.command(sql.write),
});

/** `uncounted` is 1 when the attempt that ends here never left this computer. */
function moveRow(
  statements: ReturnType<typeof prepare>,
  found: Row,
  change: OutboxMove,
  at: number,
  uncounted: 0 | 1,
): void {
  const { ref, version, state: from } = found;
  const { to, cause, remoteId = found.remoteId, nextAt = found.nextAt } = change;
  const { reason = found.reason } = change;
  const written = { remoteId, nextAt, reason: jsonOrNull(reason) };
  statements.move({ ref, version, to, at, uncounted, ...written });
  statements.endAttempt({ ref, to, at, headersSent: 1 - uncounted });
  statements.write({ at, ref, from, to, cause });
  if (to !== 'queued') statements.dropFiles({ ref });
}

function newRow({ item, request, uploads }: NewOutboxItem) {
  const { people, reason, progress: _, ...rest } = item;
  const { body, target, signedAt } = request;
  return {
    ...rest,
    people: JSON.stringify(people),
    reason: jsonOrNull(reason),
    body,
    sha256: sha256(body),
    target: jsonOrNull(target),
    signedAt,
    isWhole: uploads.length === 0 ? 1 : 0,
  };
}

function itemOf({ version: _, isWhole, uploads: total, uploaded: done, ...item }: Row): OutboxItem {
  return isWhole ? item : { ...item, progress: { done, total } };
}

function thaw({ sha256: expected, ...frozen }: z.infer<typeof RequestRow>): FrozenRequest {
  if (sha256(frozen.body) !== expected) throw damagedRow('a request');
  return frozen;
}

const sha256 = (body: Uint8Array) => createHash('sha256').update(body).digest('hex');
const jsonOrNull = (value: unknown) => (value === null ? null : JSON.stringify(value));

function missing(ref: OutboxRef): never {
  throw new AppError('not-found', `There is no outbox row ${ref}`);
}
