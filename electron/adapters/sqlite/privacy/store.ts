import * as z from 'zod';
import { BatchId, DraftId, TemplateId } from '../../../../shared/model/ids.ts';
import type { PrivacyStore, StoredKind } from '../../../core/privacy/ports.ts';
import type { Database } from '../database/database.ts';

/**
 * SQL for drafts in the trash. A draft that is being sent is locked, so it is never in the trash.
 */
const trashSql = {
  rows: `
    SELECT 'draft' AS kind, id, trashed_at AS at, 0 AS unsettled,
      length(content) + (SELECT coalesce(sum(bytes), 0) FROM draft_file WHERE draft_id = draft.id)
        AS bytes
    FROM draft WHERE trashed_at IS NOT NULL AND sending IS NULL
    UNION ALL
    SELECT 'template', id, trashed_at, 0, length(content) + coalesce(
      (SELECT length(data) FROM template_pdf WHERE template_id = template.id), 0)
    FROM template WHERE trashed_at IS NOT NULL`,
};

const sentSql = {
  rows: `
    SELECT 'draft' AS kind, id, sent_at AS at,
      EXISTS (SELECT 1 FROM outbox WHERE ref = draft.sent_as AND is_open = 1) AS unsettled,
      length(content) + (SELECT coalesce(sum(bytes), 0) FROM draft_file WHERE draft_id = draft.id)
        AS bytes
    FROM draft WHERE sent_as IS NOT NULL`,
};

/**
 * SQL for sent batches that still have their spreadsheet or cells. Their rows are kept, with
 * outcome and fingerprint, so that no row is sent twice.
 */
const sheetsSql = {
  rows: `
    SELECT 'batch' AS kind, batch.id, max(batch.updated_at, coalesce(
        (SELECT max(updated_at) FROM outbox WHERE batch_id = batch.id), 0)) AS at,
      batch.stage <> 'armed' OR EXISTS (
        SELECT 1 FROM outbox WHERE batch_id = batch.id AND is_open = 1) AS unsettled,
      length(batch.data) + (SELECT coalesce(sum(length(cells) + coalesce(length(original), 0)), 0)
        FROM batch_row WHERE batch_id = batch.id) AS bytes
    FROM batch
    WHERE batch.data <> x'' OR EXISTS (
      SELECT 1 FROM batch_row AS r, json_each(r.cells) AS c
      WHERE r.batch_id = batch.id AND c.value <> '')`,
};

const rowsSqlByKind = {
  trash: trashSql,
  sent: sentSql,
  sheets: sheetsSql,
} as const satisfies Record<StoredKind, { rows: string }>;

const sql = {
  old: (kind: StoredKind) => `
    SELECT count(*) FILTER (WHERE at < @before AND NOT unsettled) AS number,
      coalesce(sum(bytes) FILTER (WHERE at < @before AND NOT unsettled), 0) AS bytes,
      min(at) FILTER (WHERE at < @before AND NOT unsettled) AS oldest,
      count(*) FILTER (WHERE at >= @before AND NOT unsettled) AS younger,
      count(*) FILTER (WHERE unsettled) AS unsettled
    FROM (${rowsSqlByKind[kind].rows})`,
  due: (kind: StoredKind) => `
    SELECT kind, id FROM (${rowsSqlByKind[kind].rows})
    WHERE at < @before AND NOT unsettled ORDER BY at, id LIMIT @limit`,
  draft: 'DELETE FROM draft WHERE id = @id',
  template: 'DELETE FROM template WHERE id = @id',
  batch: `UPDATE batch SET data = x'' WHERE id = @id`,
  cells: `
    UPDATE batch_row SET original = NULL, marks = '[]', failure = NULL,
      cells = (SELECT json_group_array('') FROM json_each(batch_row.cells))
    WHERE batch_id = @id`,
  removed: `
    SELECT forgotten_at AS forgottenAt FROM removed_item WHERE kind = @kind AND id = @id`,
};

const OldRows = z.object({
  number: z.number(),
  bytes: z.number(),
  oldest: z.number().nullable(),
  younger: z.number(),
  unsettled: z.number(),
});
const DueRows = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('draft'), id: DraftId }),
  z.object({ kind: z.literal('template'), id: TemplateId }),
  z.object({ kind: z.literal('batch'), id: BatchId }),
]);

/** Finds and removes data whose retention period has ended. */
export function createPrivacyStore(database: Database): PrivacyStore {
  const old = {
    trash: database.query(sql.old('trash'), OldRows),
    sent: database.query(sql.old('sent'), OldRows),
    sheets: database.query(sql.old('sheets'), OldRows),
  };
  const due = {
    trash: database.query(sql.due('trash'), DueRows),
    sent: database.query(sql.due('sent'), DueRows),
    sheets: database.query(sql.due('sheets'), DueRows),
  };
  const remove = {
    draft: database.command(sql.draft),
    template: database.command(sql.template),
    batch: database.command(sql.batch),
  };
  const emptyCells = database.command(sql.cells);
  const removed = database.query(sql.removed, z.object({ forgottenAt: z.number().nullable() }));
  return {
    old: (kind, before) => old[kind].only({ before }),
    drop: (kind, before, limit) =>
      database.transaction(() => {
        const found = due[kind].all({ before, limit });
        for (const one of found) {
          remove[one.kind]({ id: one.id });
          if (one.kind === 'batch') emptyCells({ id: one.id });
        }
        return {
          drafts: found.flatMap((one) => (one.kind === 'draft' ? [one.id] : [])),
          templates: found.flatMap((one) => (one.kind === 'template' ? [one.id] : [])),
          batches: found.flatMap((one) => (one.kind === 'batch' ? [one.id] : [])),
        };
      }),
    wasRemoved: (kind, id) => removed.first({ kind, id }) !== undefined,
    forgottenAt: (kind, id) => removed.first({ kind, id })?.forgottenAt ?? null,
  };
}
