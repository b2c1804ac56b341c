import * as z from 'zod';
import type { OptionalRowPart } from '../../../../shared/contract/agreement-query.ts';
import {
  Agreement,
  type AgreementDetails,
  AgreementExtraDetails,
} from '../../../../shared/contract/agreements.ts';
import { Party, RemoteAgreement } from '../../../../shared/model/agreement.ts';
import { awaitedNames, awaitingStates } from '../../../../shared/rules/agreements/awaited.ts';
import { withoutPersonNumbers } from '../../../../shared/rules/text/mask.ts';
import { isDamagedSql } from '../database/archive-damage.ts';
import { flagColumn, jsonColumn } from '../database/columns.ts';

export const listColumns = `a.connection_id AS connectionId, a.id, a.api, a.title, a.state,
  a.native_state AS nativeState, a.party_names AS parties, a.signed_count AS signedCount,
  a.party_count AS partyCount, a.my_turn AS myTurn, a.sent_at AS sentAt, a.updated_at AS updatedAt,
  a.closed_at AS closedAt, a.expires_at AS expiresAt, a.deletes_at AS deletesAt, a.gone,
  CASE a.archived WHEN 1 THEN
    (SELECT f.saved_at FROM archive f WHERE f.connection_id = a.connection_id AND f.id = a.id)
  END AS archivedAt,
  CASE a.state WHEN 'signed' THEN
    (SELECT f.finding FROM archive f WHERE f.connection_id = a.connection_id AND f.id = a.id
      AND ${isDamagedSql})
  END AS archiveDamage, a.perhaps_expired AS perhapsExpired`;

export const detailColumns = `${listColumns}, c.remote, a.seen_at AS readAt,
  (SELECT f.file FROM archive f WHERE f.connection_id = a.connection_id AND f.id = a.id)
    AS archivedFile`;

export const agreementWithContentSql = `agreement a
  JOIN agreement_content c ON c.number = a.number`;

export const ListRow = Agreement.extend({
  parties: jsonColumn(z.array(z.string())).nullable(),
  myTurn: flagColumn,
  perhapsExpired: flagColumn,
});

/** Prefix of this program's own tags, which every agreement that it sent has. */
const OUR_TAGS = 'desk.';

/** Optional columns with their tables; one lookup per page. */
const remote = {
  // All values are read in one call, since each call would parse the whole text again.
  columns: `json_extract(c.remote, '$.tags', '$.parties', '$.access.owner.name') AS remote`,
  none: 'NULL AS remote',
  from: 'LEFT JOIN agreement_content c ON c.number = a.number',
} as const;
const sending = {
  columns: `ob.title AS batch, o.row_no AS batchRow,
    coalesce(t.name, s.name, a.template_id) AS template`,
  none: 'NULL AS batch, NULL AS batchRow, NULL AS template',
  from: `
    LEFT JOIN outbox o ON o.ref = (SELECT made.ref FROM outbox made
      WHERE made.connection_id = a.connection_id AND made.remote_id = a.id
        AND made.kind = 'create' LIMIT 1)
    LEFT JOIN outbox_batch ob ON ob.batch_id = o.batch_id
    LEFT JOIN template t ON t.id = o.template_id
    LEFT JOIN service_template s ON s.id = a.template_id`,
} as const;
/** Parties of open agreements only: the texts of the other agreements are not read. */
const awaited = {
  columns: `CASE WHEN a.state IN (${awaitingStates.map((state) => `'${state}'`).join(', ')})
    THEN (SELECT json_extract(o.remote, '$.parties') FROM agreement_content o
      WHERE o.number = a.number) END AS openParties`,
  none: 'NULL AS openParties',
} as const;
/**
 * SQL for the local templates of the service's own templates, by the service's ID; the oldest if
 * there are several.
 */
const serviceTemplates = `WITH service_template AS MATERIALIZED (
  SELECT json_extract(source, '$.templateId') AS id, name, min(created_at) FROM template
  WHERE json_extract(source, '$.kind') = 'service' GROUP BY 1)`;

/** Returns `SELECT` and `FROM` of rows with optional columns; `from` must contain `agreement a`. */
export function moreRowsSql(more: readonly OptionalRowPart[], from: string, rest: string): string {
  const [hasRemote, hasSending] = [more.includes('remote'), more.includes('sending')];
  const hasAwaited = more.includes('awaited');
  return `${hasSending ? serviceTemplates : ''}
    SELECT ${listColumns}, ${hasRemote ? remote.columns : remote.none},
      ${hasSending ? sending.columns : sending.none}, ${hasAwaited ? awaited.columns : awaited.none}
    FROM ${from} ${hasRemote ? remote.from : ''} ${hasSending ? sending.from : ''} ${rest}`;
}

const { tags, people } = AgreementExtraDetails.shape;

export const MoreRow = ListRow.extend({
  remote: jsonColumn(z.tuple([tags, people, z.string().nullable()])).nullable(),
  batch: z.string().nullable(),
  batchRow: z.number().nullable(),
  template: z.string().nullable(),
  openParties: jsonColumn(z.array(Party.pick({ name: true, state: true }))).nullable(),
}).transform((whole): Agreement => {
  const { remote, batch, batchRow, template, openParties, ...row } = whole;
  const [marked, parties, sentBy] = remote ?? [null, null, null];
  const more = {
    tags: marked === null ? null : shownTags(marked),
    people: parties?.map((one) => ({ ...one, name: withoutPersonNumbers(one.name) })) ?? null,
    sentBy: maskPersonNumbers(sentBy),
    batch: maskPersonNumbers(batch),
    batchRow,
    template: maskPersonNumbers(template),
    awaited: awaitedNames({ ...row, parties: openParties }).map(withoutPersonNumbers),
  };
  return { ...row, more };
});

const maskPersonNumbers = (text: string | null): string | null =>
  text === null ? null : withoutPersonNumbers(text);

function shownTags(marked: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(marked)
      .filter(([key]) => !key.startsWith(OUR_TAGS))
      .map(([key, value]) => [withoutPersonNumbers(key), withoutPersonNumbers(value)]),
  );
}

export const DetailsRow = ListRow.omit({ parties: true, more: true }).extend({
  remote: jsonColumn(RemoteAgreement),
  archivedFile: z.string().nullable(),
  readAt: z.number(),
});

export function detailsOf({ remote, ...row }: z.infer<typeof DetailsRow>): AgreementDetails {
  const { createdAt, sentAt, parties, documents, tags, timeline, access, native } = remote;
  return { ...row, createdAt, sentAt, parties, documents, tags, timeline, access, native };
}
