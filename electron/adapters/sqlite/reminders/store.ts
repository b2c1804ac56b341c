import * as z from 'zod';
import { ReminderHoldReason } from '../../../../shared/contract/reminders.ts';
import { AgreementAccess, AgreementState, Party } from '../../../../shared/model/agreement.ts';
import { AgreementId, ConnectionId, TemplateId } from '../../../../shared/model/ids.ts';
import type { ReminderStore } from '../../../core/reminders/ports.ts';
import { flagColumn, jsonColumn } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { createReminderRuleStore } from './rule-store.ts';

const isOpenSql = `a.api = 'v1' AND a.is_open = 1 AND a.is_live = 1 AND a.gone IS NULL
  AND a.state IN ('waiting', 'part-signed')`;
const isOneAgreementSql = 'connection_id = @connectionId AND agreement_id = @id';
/**
 * Returns SQL for whether the agreement is open in any connection: reminders through another
 * connection count too.
 */
const isOfOpenSql = (table: string) => `EXISTS (SELECT 1 FROM agreement a
  WHERE a.connection_id IN (SELECT id FROM connection) AND a.id = ${table}.agreement_id AND ${isOpenSql})`;

const remindedSql = `
  SELECT connection_id AS connectionId, agreement_id AS agreementId, party_id AS partyId,
    created_at AS at
  FROM action INDEXED BY action_reminded
  WHERE kind = 'remind' AND state <> 'refused' AND party_id IS NOT NULL`;
const remindedElsewhereSql = `
  SELECT connection_id AS connectionId, agreement_id AS agreementId, party_id AS partyId, at
  FROM office_reminder WHERE`;
const notesSql = `
  SELECT connection_id AS connectionId, agreement_id AS agreementId, party_id AS partyId, hold,
    address_hash AS addressHash, tried_at AS triedAt, tries, service_times AS serviceTimes
  FROM reminder_party`;
const sql = {
  /** Reads only the fields that rules use: the service's own object is most of the content. */
  open: `
    SELECT a.number, a.connection_id AS connectionId, a.id, a.title, a.state,
      a.expires_at AS expiresAt, c.remote ->> '$.createdAt' AS createdAt,
      c.remote ->> '$.sentAt' AS sentAt,
      (SELECT max(t.value ->> '$.at') FROM json_each(c.remote, '$.timeline') t
        WHERE t.value ->> '$.what' = 'signed') AS lastSignedAt,
      c.remote -> '$.parties' AS parties,
      c.remote -> '$.tags' AS tags, c.remote -> '$.access' AS access,
      (SELECT b.template_id FROM batch_row r JOIN batch b ON b.id = r.batch_id
        WHERE r.ref = a.ref) AS templateId,
      EXISTS (SELECT 1 FROM outbox o WHERE o.ref = a.ref) AS isOwn
    FROM agreement a JOIN agreement_content c ON c.number = a.number
    WHERE a.number > @after AND ${isOpenSql}
    ORDER BY a.number LIMIT @limit`,
  openOfV2: `
    SELECT connection_id AS connectionId, count(*) AS agreements
    FROM agreement INDEXED BY agreement_open_told
    WHERE api = 'v2' AND is_open = 1 AND is_live = 1 AND gone IS NULL
      AND state IN ('waiting', 'part-signed')
    GROUP BY connection_id ORDER BY connection_id`,
  reminded: `${remindedSql} AND ${isOfOpenSql('action')}
    UNION ALL ${remindedElsewhereSql} ${isOfOpenSql('office_reminder')} ORDER BY at`,
  remindedOfOne: `${remindedSql} AND ${isOneAgreementSql} UNION ALL ${remindedElsewhereSql} ${isOneAgreementSql} ORDER BY at`,
  notes: `${notesSql} WHERE ${isOfOpenSql('reminder_party')}`,
  notesOfOne: `${notesSql} WHERE ${isOneAgreementSql}`,
  setHold: `
    INSERT INTO reminder_party (connection_id, agreement_id, party_id, hold, address_hash)
    VALUES (@connectionId, @id, @partyId, @hold, @addressHash)
    ON CONFLICT (connection_id, agreement_id, party_id)
      DO UPDATE SET hold = excluded.hold, address_hash = excluded.address_hash`,
  tried: `
    INSERT INTO reminder_party (connection_id, agreement_id, party_id, tried_at, tries)
    VALUES (@connectionId, @id, @partyId, @at, 1)
    ON CONFLICT (connection_id, agreement_id, party_id)
      DO UPDATE SET tried_at = excluded.tried_at, tries = tries + 1`,
  done: `
    UPDATE reminder_party SET tried_at = NULL, tries = 0
    WHERE ${isOneAgreementSql} AND party_id = @partyId`,
  setServiceTimes: `
    INSERT INTO reminder_party (connection_id, agreement_id, party_id, service_times)
    VALUES (@connectionId, @id, @partyId, @times)
    ON CONFLICT (connection_id, agreement_id, party_id)
      DO UPDATE SET service_times = excluded.service_times`,
};

const OpenRow = z.object({
  number: z.number(),
  connectionId: ConnectionId,
  id: AgreementId,
  title: z.string(),
  state: AgreementState,
  createdAt: z.number().nullable(),
  sentAt: z.number().nullable(),
  lastSignedAt: z.number().nullable(),
  expiresAt: z.number().nullable(),
  parties: jsonColumn(z.array(Party).nullable()),
  tags: jsonColumn(z.record(z.string(), z.string()).nullable()),
  access: jsonColumn(AgreementAccess.nullable()).nullable(),
  templateId: TemplateId.nullable(),
  isOwn: flagColumn,
});
const V2Row = z.object({ connectionId: ConnectionId, agreements: z.number() });
const PartyKey = z.object({
  connectionId: ConnectionId,
  agreementId: AgreementId,
  partyId: z.string(),
});
const PastRow = PartyKey.extend({ at: z.number() });
const NoteRow = PartyKey.extend({
  hold: ReminderHoldReason.nullable(),
  addressHash: z.string().nullable(),
  triedAt: z.number().nullable(),
  tries: z.number(),
  serviceTimes: jsonColumn(z.array(z.number())).nullable(),
});

/** Reads agreements for reminder rules, with past reminders and notes per party. */
export function createReminderStore(database: Database): ReminderStore {
  const openAfter = database.query(sql.open, OpenRow);
  const openOfV2 = database.query(sql.openOfV2, V2Row);
  const allReminded = database.query(sql.reminded, PastRow);
  const remindedOfOne = database.query(sql.remindedOfOne, PastRow);
  const allNotes = database.query(sql.notes, NoteRow);
  const notesOfOne = database.query(sql.notesOfOne, NoteRow);
  const setHold = database.command(sql.setHold);
  const tried = database.command(sql.tried);
  const done = database.command(sql.done);
  const setServiceTimes = database.command(sql.setServiceTimes);
  return {
    rules: createReminderRuleStore(database),
    open: (after, limit) => openAfter.all({ after, limit }),
    openOfV2: () => openOfV2.all(),
    reminded: (key) => (key === undefined ? allReminded.all() : remindedOfOne.all({ ...key })),
    notes: (key) => (key === undefined ? allNotes.all() : notesOfOne.all({ ...key })),
    setHold: (key, partyId, hold, addressHash) =>
      void setHold({ ...key, partyId, hold, addressHash }),
    setTried: (key, partyId, at) =>
      void (at === null ? done({ ...key, partyId }) : tried({ ...key, partyId, at })),
    setServiceTimes: (key, partyId, times) =>
      void setServiceTimes({ ...key, partyId, times: JSON.stringify(times) }),
  };
}
