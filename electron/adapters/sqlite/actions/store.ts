import * as z from 'zod';
import { ActionRow, NewRecipient } from '../../../../shared/contract/actions.ts';
import type { ActionId } from '../../../../shared/model/ids.ts';
import { AppError } from '../../../../shared/errors.ts';
import type { ActionStateChange, ActionStore, StoredAction } from '../../../core/actions/ports.ts';
import { failureColumn, jsonColumn } from '../database/columns.ts';
import type { Database } from '../database/database.ts';

const actionColumns = `id AS actionId, kind, state, connection_id AS connectionId,
  agreement_id AS agreementId, title, party_id AS partyId, notification_id AS notificationId,
  token, rule, goal, failure, revoked_at AS revokedAt, created_at AS createdAt,
  updated_at AS updatedAt, version`;

const sql = {
  list: `
    SELECT ${actionColumns} FROM action
    WHERE (is_open = 1 OR (is_open = 0 AND updated_at >= @since))
      AND (@connectionId IS NULL OR connection_id = @connectionId)
      AND (@agreementId IS NULL OR agreement_id = @agreementId)
    ORDER BY created_at DESC, rowid DESC`,
  get: `SELECT ${actionColumns} FROM action WHERE id = @id`,
  inState: `SELECT ${actionColumns} FROM action WHERE state = @state ORDER BY created_at, rowid`,
  insert: `
    INSERT INTO action (id, kind, state, connection_id, agreement_id, title, party_id,
      notification_id, token, rule, goal, failure, revoked_at, created_at, updated_at)
    VALUES (@actionId, @kind, @state, @connectionId, @agreementId, @title, @partyId,
      @notificationId, @token, @rule, @goal, @failure, @revokedAt, @createdAt, @updatedAt)`,
  move: `
    UPDATE action SET state = @to, version = version + 1, failure = @failure,
      revoked_at = @revokedAt, updated_at = @at
    WHERE id = @id AND version = @version`,
  lastCause: `
    SELECT cause FROM action_journal WHERE action_id = @id ORDER BY number DESC LIMIT 1`,
  write: `
    INSERT INTO action_journal (at, action_id, from_state, to_state, cause)
    VALUES (@at, @id, @from, @to, @cause)`,
};

const Goal = z.object({
  expiresAt: z.number().optional(),
  deletesAt: z.number().optional(),
  address: z.string().optional(),
  recipients: z.array(NewRecipient).optional(),
  to: z.array(z.string()).optional(),
});

const Row = ActionRow.extend({
  goal: jsonColumn(Goal).nullable(),
  failure: failureColumn.nullable(),
  version: z.number().int(),
});
type Row = z.infer<typeof Row>;

export function createActionStore(database: Database): ActionStore {
  const list = database.query(sql.list, Row);
  const one = database.query(sql.get, Row);
  const inState = database.query(sql.inState, Row);
  const lastCause = database.query(sql.lastCause, z.object({ cause: z.string() }));
  const insert = database.command(sql.insert);
  const write = database.command(sql.write);
  const move = database.command(sql.move);
  const row = (id: ActionId): Row => one.first({ id }) ?? throwMissingAction(id);

  return {
    list: ({ connectionId = null, agreementId = null }, since) =>
      list.all({ connectionId, agreementId, since }).map(actionOf),
    has: (id) => one.first({ id }) !== undefined,
    get: (id) => actionOf(row(id)),
    inState: (state) => inState.all({ state }).map(actionOf),
    lastCause: (id) => (lastCause.first({ id }) ?? throwMissingAction(id)).cause,
    insert: (action) => {
      database.transaction(() => {
        insert(newRow(action));
        const { actionId: id, state: to, createdAt: at, rule } = action;
        write({ id, at, from: null, to, cause: rule === null ? 'person' : 'rule' });
      });
    },
    move: (id, from, change, at) =>
      database.transaction(() => {
        const found = row(id);
        if (!from.includes(found.state)) return false;
        move({ id, at, version: found.version, to: change.to, ...writtenAction(found, change) });
        write({ id, at, from: found.state, to: change.to, cause: change.cause });
        return true;
      }),
  };
}

function writtenAction(found: Row, { failure = found.failure, revokedAt }: ActionStateChange) {
  return { failure: jsonOrNull(failure), revokedAt: revokedAt ?? found.revokedAt };
}

function newRow({ goal, failure, ...rest }: StoredAction) {
  return { ...rest, goal: jsonOrNull(goal), failure: jsonOrNull(failure) };
}

function actionOf({ version: _, ...action }: Row): StoredAction {
  return action;
}

const jsonOrNull = (value: unknown) => (value === null ? null : JSON.stringify(value));

function throwMissingAction(id: ActionId): never {
  throw new AppError('not-found', `There is no action ${id}`);
}
