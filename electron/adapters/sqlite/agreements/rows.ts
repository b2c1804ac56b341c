import * as z from 'zod';
import { Agreement, type AgreementDetails } from '../../../../shared/contract/agreements.ts';
import { RemoteAgreement } from '../../../../shared/model/agreement.ts';
import { flagColumn, jsonColumn } from '../database/columns.ts';

/** What a list shows of `agreement a`. */
export const listColumns = `a.connection_id AS connectionId, a.id, a.api, a.title, a.state,
  a.native_state AS nativeState, a.party_names AS parties, a.signed_count AS signedCount,
  a.party_count AS partyCount, a.my_turn AS myTurn, a.updated_at AS updatedAt,
  a.closed_at AS closedAt, a.expires_at AS expiresAt, a.deletes_at AS deletesAt, a.gone,
  CASE a.archived WHEN 1 THEN
    (SELECT f.saved_at FROM archive f WHERE f.connection_id = a.connection_id AND f.id = a.id)
  END AS archivedAt, a.perhaps_expired AS perhapsExpired`;

export const detailColumns = `${listColumns}, c.remote, a.seen_at AS readAt,
  (SELECT f.file FROM archive f WHERE f.connection_id = a.connection_id AND f.id = a.id)
    AS archivedFile`;

export const withContent = `agreement a
  JOIN agreement_content c ON c.number = a.number`;

export const ListRow = Agreement.extend({
  parties: jsonColumn(z.array(z.string())).nullable(),
  myTurn: flagColumn,
  perhapsExpired: flagColumn,
});

export const DetailsRow = ListRow.omit({ parties: true }).extend({
  remote: jsonColumn(RemoteAgreement),
  archivedFile: z.string().nullable(),
  readAt: z.number(),
});

export function detailsOf({ remote, ...row }: z.infer<typeof DetailsRow>): AgreementDetails {
  const { createdAt, sentAt, parties, documents, tags, timeline, access, native } = remote;
  return { ...row, createdAt, sentAt, parties, documents, tags, timeline, access, native };
}
