import * as z from 'zod';
import { AllowedRecipients, Connection } from '../../../../shared/contract/connections.ts';
import type { ConnectionId } from '../../../../shared/model/ids.ts';
import { AppError } from '../../../../shared/errors.ts';
import type { ConnectionStore } from '../../../core/ports.ts';
import { jsonColumn } from '../database/columns.ts';
import type { Database } from '../database/database.ts';

const columns = `id, name, api, url, environment, account_id AS accountId, org_no AS orgNo, allowed, created_at AS createdAt`;

const sql = {
  list: `SELECT ${columns} FROM connection WHERE is_removed = 0 ORDER BY created_at, name`,
  ever: 'SELECT id, name, api, url, environment FROM connection ORDER BY created_at, id',
  get: `SELECT ${columns} FROM connection WHERE id = @id AND is_removed = 0`,
  save: `
    INSERT INTO connection (id, name, api, url, environment, account_id, org_no, allowed, created_at)
    VALUES (@id, @name, @api, @url, @environment, @accountId, @orgNo, @allowed, @createdAt)
    ON CONFLICT (id) DO UPDATE SET name = excluded.name, url = excluded.url,
      environment = excluded.environment, account_id = excluded.account_id, org_no = excluded.org_no,
      allowed = excluded.allowed
    WHERE is_removed = 0`,
  remove: 'UPDATE connection SET is_removed = 1 WHERE id = @id AND is_removed = 0',
  keepAgreements: `
    UPDATE agreement SET is_live = 0, my_turn = 0 WHERE connection_id = @id`,
  deleteAgreements: 'DELETE FROM agreement WHERE connection_id = @id',
  keepDrafts: 'UPDATE draft SET connection_id = NULL WHERE connection_id = @id',
  deleteDrafts: 'DELETE FROM draft WHERE connection_id = @id',
  checked: 'SELECT checked_until AS until, checked_at AS at FROM connection WHERE id = @id',
  setChecked: `
    UPDATE connection SET checked_until = @until, checked_at = @at WHERE id = @id`,
  forgetCheckedAt: 'UPDATE connection SET checked_at = NULL',
};

const Row = Connection.extend({ allowed: jsonColumn(AllowedRecipients.unwrap()).nullable() });
const CheckedTimes = z.object({ until: z.number().nullable(), at: z.number().nullable() });

export function createConnectionStore(database: Database): ConnectionStore {
  const list = database.query(sql.list, Row);
  const lasting = { id: true, name: true, api: true, url: true, environment: true } as const;
  const ever = database.query(sql.ever, Row.pick(lasting));
  const get = database.query(sql.get, Row);
  const save = database.command(sql.save);
  const checked = database.query(sql.checked, CheckedTimes);
  const setChecked = database.command(sql.setChecked);
  const forgetCheckedAt = database.command(sql.forgetCheckedAt);
  const remove = database.command(sql.remove);
  const agreements = {
    keep: database.command(sql.keepAgreements),
    delete: database.command(sql.deleteAgreements),
  };
  const drafts = {
    keep: database.command(sql.keepDrafts),
    delete: database.command(sql.deleteDrafts),
  };

  return {
    list: () => list.all(),
    ever: () => ever.all(),
    get: (id) => get.first({ id }) ?? throwMissingConnection(id),
    save: (connection) => {
      const allowed = connection.allowed === null ? null : JSON.stringify(connection.allowed);
      if (save({ ...connection, allowed }) === 0) throwMissingConnection(connection.id);
    },
    remove: (id, agreementChoice, draftChoice) => {
      database.transaction(() => {
        if (remove({ id }) === 0) throwMissingConnection(id);
        agreements[agreementChoice]({ id });
        drafts[draftChoice]({ id });
      });
    },
    checkedUntil: (id) => checked.first({ id })?.until ?? null,
    checkedAt: (id) => checked.first({ id })?.at ?? null,
    setCheckedUntil: (id, until, at) => {
      setChecked({ id, until, at });
    },
    forgetCheckedAt: () => void forgetCheckedAt(),
  };
}

function throwMissingConnection(id: ConnectionId): never {
  throw new AppError('not-found', `There is no connection ${id}`);
}
