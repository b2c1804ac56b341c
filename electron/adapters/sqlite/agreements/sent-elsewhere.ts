import * as z from 'zod';
import { AgreementId } from '../../../../shared/model/ids.ts';
import { tidiedName } from '../../../../shared/rules/text/tidied-name.ts';
import type { AgreementStore } from '../../../core/agreements/ports.ts';
import { jsonColumn } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { titleKey } from '../database/text-keys.ts';

/**
 * Maximum length of a code and of the separator between it and the name, in any form that a service
 * may write.
 */
const MAX_CODED = 12;

const NamedRow = z.object({
  id: AgreementId,
  title: z.string(),
  parties: jsonColumn(z.array(z.string())).nullable(),
});

const similarAgreementsSql = `
  FROM agreement a INDEXED BY agreement_by_title
  WHERE a.connection_id = @connectionId
    AND coalesce(a.sent_at, a.updated_at, @since) >= @since
    AND coalesce(a.party_count, @partyCount) = @partyCount
    AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.ref = a.ref)
    AND NOT EXISTS (SELECT 1 FROM outbox o
      WHERE o.connection_id = a.connection_id AND o.remote_id = a.id AND o.kind = 'create')`;

const sql = {
  named: `SELECT a.id, a.title, a.party_names AS parties ${similarAgreementsSql} AND a.title_key = @key`,
  coded: `
    SELECT a.id, a.title, a.party_names AS parties ${similarAgreementsSql}
      AND a.title_key > @key || ' ' AND a.title_key < @key || '!'
      AND length(a.title_key) <= length(@key) + ${String(MAX_CODED)}`,
};

/**
 * Finds agreements that were sent outside the outbox, by title: equal sends have equal titles, and
 * titles are indexed.
 */
export function createSentElsewhere(database: Database): Pick<AgreementStore, 'sentElsewhere'> {
  const named = database.query(sql.named, NamedRow);
  const coded = database.query(sql.coded, NamedRow);
  return {
    sentElsewhere: ({ title, isCoded, ...query }) => {
      // Both the title as written and the title as a service may have normalized it are searched.
      const keys = new Set([title, tidiedName(title)].map(titleKey));
      const rows = [...keys].flatMap((key) => {
        const asked = { ...query, key };
        return isCoded ? [...named.all(asked), ...coded.all(asked)] : named.all(asked);
      });
      return [...new Map(rows.map((row) => [row.id, row])).values()];
    },
  };
}
