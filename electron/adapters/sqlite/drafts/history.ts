import * as z from 'zod';
import type { Draft } from '../../../../shared/contract/drafts.ts';
import { AgreementId, DraftId, Instant, OutboxRef } from '../../../../shared/model/ids.ts';
import { AppError } from '../../../../shared/errors.ts';
import type { DraftHistory } from '../../../core/drafts/ports.ts';
import type { Database } from '../database/database.ts';

const sql = {
  trash: 'UPDATE draft SET trashed_at = @at WHERE id = @id',
  trashed: `
    SELECT id, trashed_at AS at FROM draft
    WHERE trashed_at IS NOT NULL ORDER BY trashed_at DESC, id`,
  restore: 'UPDATE draft SET trashed_at = NULL WHERE id = @id AND trashed_at IS NOT NULL',
  destroy: 'DELETE FROM draft WHERE id = @id AND trashed_at IS NOT NULL',
  keepSent: `
    UPDATE draft SET sending = NULL, sent_as = @ref, sent_at = @at, agreement_id = @elsewhere
    WHERE id = @id`,
  dropSteps: 'DELETE FROM draft_step WHERE draft_id = @id',
  dropUnlisted: 'DELETE FROM draft_file WHERE draft_id = @id AND is_listed = 0',
  holds: 'SELECT id FROM draft WHERE id = @id',
  sentAs: 'SELECT id FROM draft WHERE sent_as = @ref',
  sent: `
    SELECT draft.id, sent_as AS ref, sent_at AS at,
      coalesce(outbox.remote_id, draft.agreement_id) AS agreement
    FROM draft LEFT JOIN outbox ON outbox.ref = draft.sent_as
    WHERE sent_as IS NOT NULL ORDER BY sent_at, draft.id`,
  sentElsewhere: `
    SELECT id FROM draft WHERE agreement_id = @id AND content ->> '$.api' = @api
    ORDER BY sent_at DESC, id LIMIT 1`,
  groupNames: `
    SELECT DISTINCT json_extract(granted.value, '$.actorName') AS name
    FROM draft, json_each(draft.content, '$.body.accessRights') AS granted
    WHERE sent_as IS NOT NULL AND json_extract(granted.value, '$.type') = 'GRANT_BY_NAME'
      AND name IS NOT NULL
    ORDER BY name`,
  copyFiles: `
    INSERT INTO draft_file (draft_id, id, name, mime_type, bytes, sha256, pages, field_count,
      notices, modified_at, data)
    SELECT @to, id, name, mime_type, bytes, sha256, pages, field_count, notices, modified_at, data
    FROM draft_file WHERE draft_id = @from AND is_listed = 1 ORDER BY number`,
};

const DraftIdRow = z.object({ id: DraftId });
const SentDraftRow = DraftIdRow.extend({
  ref: OutboxRef,
  at: Instant,
  agreement: AgreementId.nullable(),
});

interface HistoryReadMethods {
  /** Returns a draft, also one in the trash or a sent one. Throws 'not-found'. */
  read(id: DraftId): Draft;
  /** Returns a draft that can be changed. Throws 'not-found' or 'draft-locked'. */
  unlocked(id: DraftId): Draft;
}

/** Reads and restores drafts that are not being edited: those in the trash and sent ones. */
export function createDraftHistory(
  database: Database,
  { read, unlocked }: HistoryReadMethods,
): Omit<DraftHistory, 'reach' | 'step'> {
  const { trashed, holds, sent, sentAs, sentElsewhere, groupNames, ...statements } =
    prepare(database);

  return {
    trash: (id, at) => {
      database.transaction(() => {
        unlocked(id);
        statements.trash({ id, at });
      });
    },
    trashed: () => trashed.all().map(({ id, at }) => ({ draft: read(id), at })),
    restore: (id) => {
      if (statements.restore({ id }) === 0) throwNotInTrash(id);
    },
    destroy: (id) => {
      if (statements.destroy({ id }) === 0) throwNotInTrash(id);
    },
    holds: (id) => holds.first({ id }) !== undefined,
    keepSent: (id, ref, at, elsewhere = null) => {
      database.transaction(() => {
        statements.keepSent({ id, ref, at, elsewhere });
        statements.dropSteps({ id });
        statements.dropUnlisted({ id });
      });
    },
    sent: () => sent.all().map(({ id, ...rest }) => ({ ...rest, draft: read(id) })),
    sentAs: (ref) => {
      const found = sentAs.first({ ref });
      return found === undefined ? null : read(found.id);
    },
    sentElsewhere: (id, api) => {
      const found = sentElsewhere.first({ id, api });
      return found === undefined ? null : read(found.id);
    },
    groupNames: () => groupNames.all().map(({ name }) => name),
    copyFiles: (from, to) => {
      statements.copyFiles({ from, to });
    },
  };
}

const prepare = (database: Database) => ({
  trashed: database.query(sql.trashed, DraftIdRow.extend({ at: Instant })),
  holds: database.query(sql.holds, DraftIdRow),
  sent: database.query(sql.sent, SentDraftRow),
  sentAs: database.query(sql.sentAs, DraftIdRow),
  sentElsewhere: database.query(sql.sentElsewhere, DraftIdRow),
  groupNames: database.query(sql.groupNames, z.object({ name: z.string() })),
  trash: database.command(sql.trash),
  restore: database.command(sql.restore),
  destroy: database.command(sql.destroy),
  keepSent: database.command(sql.keepSent),
  dropSteps: database.command(sql.dropSteps),
  dropUnlisted: database.command(sql.dropUnlisted),
  copyFiles: database.command(sql.copyFiles),
});

function throwNotInTrash(id: DraftId): never {
  throw new AppError('not-found', `There is no draft ${id} in the trash`);
}
