import * as z from 'zod';
import { Party } from '../../../../shared/model/agreement.ts';
import { AgreementId, ConnectionId } from '../../../../shared/model/ids.ts';
import type { CorrectionStore, SentParty } from '../../../core/corrections/ports.ts';
import { jsonColumn } from '../database/columns.ts';
import type { Database } from '../database/database.ts';

/**
 * SQL for open v2 agreements. Reads only the parties of a request, since documents are most of its
 * size.
 */
const openAgreementsV2Sql = `
  SELECT a.number, a.connection_id AS connectionId, a.id, a.title,
    c.remote -> '$.parties' AS parties,
    (SELECT CAST(o.body AS TEXT) -> '$.parties' FROM outbox o
      WHERE o.connection_id = a.connection_id AND o.remote_id = a.id AND o.kind = 'create'
      LIMIT 1) AS sent
  FROM agreement a JOIN agreement_content c ON c.number = a.number
  WHERE a.number > @after AND a.api = 'v2' AND a.is_open = 1 AND a.is_live = 1 AND a.gone IS NULL
    AND a.state IN ('waiting', 'part-signed')
  ORDER BY a.number LIMIT @limit`;

/**
 * Contact data in a sent request, without the personal number, which a request of API v2 may also
 * contain.
 */
const SentContact = z.object({
  firstName: z.string().default(''),
  lastName: z.string().default(''),
  email: z.string().default(''),
});
const SentParties = z
  .object({
    privates: z.array(SentContact).default([]),
    companies: z.array(SentContact).default([]),
  })
  .transform(({ privates, companies }): SentParty[] => [...privates, ...companies]);

const OpenRow = z.object({
  number: z.number(),
  connectionId: ConnectionId,
  id: AgreementId,
  title: z.string(),
  parties: jsonColumn(z.array(Party.pick({ kind: true, name: true, state: true })).nullable()),
  sent: jsonColumn(SentParties).nullable(),
});

/** Reads the parties of open v2 agreements, for comparison with corrected addresses. */
export function createCorrectionStore(database: Database): CorrectionStore {
  const query = database.query(openAgreementsV2Sql, OpenRow);
  return { openOfV2: (after, limit) => query.all({ after, limit }) };
}
