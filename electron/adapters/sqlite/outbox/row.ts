import * as z from 'zod';
import { SendMark, OutboxItem } from '../../../../shared/contract/outbox.ts';
import type { NewOutboxItem, StoredItem } from '../../../core/outbox/ports.ts';
import { failureColumn, flagColumn, jsonColumn } from '../database/columns.ts';
import { type Query, type Database, type Parameters } from '../database/database.ts';
import { sha256 } from '../database/sha256.ts';

/** @internal */
export const columns = `ref, kind, state, title, connection_id AS connectionId,
  remote_id AS remoteId, draft_id AS draftId, batch_id AS batchId, row_no AS rowNo, policy, mark,
  people, n_wire AS attempts, next_at AS nextAt, is_scheduled AS isScheduled, chosen_at AS chosenAt, verify, supersedes,
  fingerprint, coalesce(former_fingerprint, '') AS formerFingerprints, coalesce(once, '[]') AS once, parties, reason, created_at AS createdAt, updated_at AS updatedAt, version,
  ended_at AS endedAt, clean_passes AS cleanPasses, clean_at AS cleanAt,
  vain_passes AS inconclusiveScans, vain_since AS inconclusiveSince, looks, look_at AS lookAt,
  is_whole AS isWhole,
  (SELECT count(*) FROM outbox_file AS file WHERE file.ref = outbox.ref) AS uploads,
  (SELECT count(token) FROM outbox_file AS file WHERE file.ref = outbox.ref) AS uploaded`;

const Track = z.object({
  endedAt: z.number().nullable(),
  cleanPasses: z.number().int(),
  cleanAt: z.number().nullable(),
  inconclusiveScans: z.number().int(),
  inconclusiveSince: z.number().nullable(),
  looks: z.number().int(),
  lookAt: z.number().nullable(),
});

/** Splits hashes separated by spaces. */
const wordsOf = (text: string): readonly string[] => (text === '' ? [] : text.split(' '));

const Row = OutboxItem.omit({ doubt: true, progress: true }).extend({
  people: jsonColumn(OutboxItem.shape.people),
  mark: jsonColumn(SendMark),
  reason: failureColumn.nullable(),
  isScheduled: flagColumn,
  verify: flagColumn,
  fingerprint: z.string().nullable(),
  formerFingerprints: z.string().transform(wordsOf),
  once: jsonColumn(z.array(z.array(z.string()))),
  parties: z.string().nullable(),
  ...Track.shape,
  version: z.number().int(),
  isWhole: flagColumn,
  uploads: z.number().int(),
  uploaded: z.number().int(),
});
type Row = z.infer<typeof Row>;

export function rowQuery(
  database: Database,
  where: string,
): Pick<Query<StoredItem>, 'all' | 'first'> {
  const found = database.query(`SELECT ${columns} FROM outbox ${where}`, Row);
  return {
    all: (parameters?: Parameters) => found.all(parameters).map(itemOf),
    first: (parameters?: Parameters) => {
      const row = found.first(parameters);
      return row === undefined ? undefined : itemOf(row);
    },
  };
}

function itemOf(row: Row): StoredItem {
  const { isWhole, uploads: total, uploaded: done, endedAt, cleanPasses, cleanAt, ...rest } = row;
  const { inconclusiveScans, inconclusiveSince, looks, lookAt, ...item } = rest;
  const track = {
    endedAt,
    cleanPasses,
    cleanAt,
    inconclusiveScans,
    inconclusiveSince,
    looks,
    lookAt,
  };
  return isWhole ? { ...item, track } : { ...item, track, progress: { done, total } };
}

export const insertRow = `
  INSERT INTO outbox (ref, kind, state, title, connection_id, batch_id, row_no, policy, mark,
    fingerprint, former_fingerprint, once, parties, supersedes, remote_id, draft_id, people, next_at, is_scheduled, chosen_at, body,
    body_sha256, is_whole, target, signed_at, created_at, updated_at, template_id)
  VALUES (@ref, @kind, @state, @title, @connectionId, @batchId, @rowNo, @policy, @mark,
    @fingerprint, @formerFingerprints, @once, @parties, @supersedes, @remoteId, @draftId, @people, @nextAt, @isScheduled, @chosenAt,
    @body, @sha256, @isWhole, @target, @signedAt, @at, @at,
    coalesce((SELECT template_id FROM draft WHERE id = @draftId),
      (SELECT template_id FROM batch WHERE id = @batchId)))`;

interface RowContext {
  readonly state: 'staged' | 'queued';
  readonly batchId: string | null;
  readonly policy: 'ask' | 'auto';
  readonly at: number;
}

export function newRow({ item, request, uploads }: NewOutboxItem, context: RowContext): Parameters {
  const { ref, kind, title, connectionId, people, mark, nextAt } = item;
  const { body, target, signedAt } = request;
  return {
    ref,
    kind,
    title,
    connectionId,
    nextAt,
    ...context,
    rowNo: item.rowNo ?? null,
    mark: JSON.stringify(mark),
    people: JSON.stringify(people),
    fingerprint: item.fingerprint ?? null,
    formerFingerprints: item.formerFingerprints?.join(' ') || null,
    once: JSON.stringify(item.once ?? []),
    parties: item.parties ?? null,
    supersedes: item.supersedes ?? null,
    remoteId: item.remoteId ?? null,
    draftId: item.draftId ?? null,
    isScheduled: item.isScheduled === true ? 1 : 0,
    chosenAt: item.isScheduled === true ? nextAt : null,
    body,
    sha256: sha256(body),
    signedAt,
    isWhole: uploads.length === 0 ? 1 : 0,
    target: jsonOrNull(target),
  };
}

export const jsonOrNull = (value: unknown) => (value === null ? null : JSON.stringify(value));
