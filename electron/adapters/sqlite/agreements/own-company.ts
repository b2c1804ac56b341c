import * as z from 'zod';
import { Party, RemoteAgreement } from '../../../../shared/model/agreement.ts';
import { isSameOrganisation } from '../../../../shared/rules/identifiers/organisation-number.ts';
import { withOwnCompany } from '../../../../shared/rules/agreements/own-company.ts';
import type { AgreementStore } from '../../../core/ports.ts';
import { jsonColumn } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { columnsOf } from './content.ts';

/**
 * Maximum number of closed agreements that are searched for our number: each text is read, and the
 * signing queue asks after every change.
 */
const MAX_CLOSED = 2000;

const openSql = `agreement a JOIN agreement_content c ON c.number = a.number
  WHERE a.connection_id = @connectionId AND a.is_open = 1 AND a.api = 'v2'`;

const sql = {
  open: `SELECT a.number, c.remote FROM ${openSql}`,
  write: `
    UPDATE agreement SET signable = @signable, bytes = @bytes,
      my_turn = CASE WHEN gone IS NULL AND is_live = 1 THEN @myTurn ELSE 0 END
    WHERE number = @number`,
  writeContent: 'UPDATE agreement_content SET remote = @remote WHERE number = @number',
  hasOffered: `
    SELECT 1 AS found FROM agreement INDEXED BY agreement_signable
    WHERE connection_id = @connectionId AND signable = 1 AND is_open = 1 LIMIT 1`,
  // Agreements that this program sent may be between other companies.
  received: `
    SELECT json_extract(c.remote, '$.parties') AS parties FROM ${openSql}
      AND a.is_live = 1 AND a.gone IS NULL AND NOT EXISTS (SELECT 1 FROM outbox o
        WHERE o.connection_id = a.connection_id AND o.remote_id = a.id AND o.kind = 'create')`,
  closed: `
    SELECT json_extract(c.remote, '$.parties') AS parties FROM (
      SELECT number FROM agreement WHERE connection_id = @connectionId AND is_open = 0
      LIMIT ${String(MAX_CLOSED)}) a
    JOIN agreement_content c ON c.number = a.number`,
};

const OpenRow = z.object({ number: z.number(), remote: jsonColumn(RemoteAgreement) });
const PartiesRow = z.object({
  parties: jsonColumn(z.array(Party.pick({ orgNo: true }))).nullable(),
});

/** Which of the companies in agreements of API v2 is the user's own one. */
export function createOwnCompany(
  database: Database,
): Pick<AgreementStore, 'recogniseCompany' | 'otherCompanies'> {
  const open = database.query(sql.open, OpenRow);
  const write = database.command(sql.write);
  const writeContent = database.command(sql.writeContent);
  const hasOffered = database.query(sql.hasOffered, z.object({ found: z.number() }));
  const received = database.query(sql.received, PartiesRow);
  const closed = database.query(sql.closed, PartiesRow);

  return {
    recogniseCompany: (connectionId, orgNo) =>
      database.transaction(() => {
        const rows = [...open.all({ connectionId })];
        for (const { number, remote: known } of rows) {
          if (known.parties === null) continue;
          const changed = { ...known, parties: withOwnCompany(known.parties, orgNo) };
          const remote = JSON.stringify(changed);
          const { myTurn, signable } = columnsOf(changed, 'v2');
          write({ number, myTurn, signable, bytes: Buffer.byteLength(remote) });
          writeContent({ number, remote });
        }
        return rows.length;
      }),
    otherCompanies: (connectionId, orgNo) => {
      if (hasOffered.first({ connectionId }) !== undefined) return { count: 0, orgNos: [] };
      const named = [...received.all({ connectionId })]
        .map((row) => numbersIn(row))
        .filter((numbers) => numbers.length > 0);
      const isOurs = (one: string): boolean => isSameOrganisation(one, orgNo);
      if (named.length === 0 || named.flat().some(isOurs)) return { count: 0, orgNos: [] };
      for (const row of closed.all({ connectionId })) {
        if (numbersIn(row).some(isOurs)) return { count: 0, orgNos: [] };
      }
      return { count: named.length, orgNos: byFrequency(named.flat()) };
    },
  };
}

const numbersIn = ({ parties }: z.infer<typeof PartiesRow>): string[] =>
  (parties ?? []).flatMap(({ orgNo }) => orgNo ?? []);

/** Returns the distinct texts, the most frequent first. */
function byFrequency(texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([text]) => text);
}
