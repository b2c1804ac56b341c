import path from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { connect } from '../../../../electron/adapters/sqlite/database/cipher.ts';
import { migrate } from '../../../../electron/adapters/sqlite/database/migrate.ts';
import { migrations } from '../../../../electron/adapters/sqlite/migrations/index.ts';
import { openDatabase } from '../../../../electron/adapters/sqlite/open/open.ts';
import { createStores } from '../../../../electron/adapters/sqlite/stores.ts';
import type { StoredAction } from '../../../../electron/core/actions/ports.ts';
import type { Connection } from '../../../../shared/contract/connections.ts';
import { ActionId } from '../../../../shared/model/ids.ts';
import type { Failure } from '../../../../shared/errors.ts';
import { idOf, newConnection } from '../samples.ts';
import { NOW, tempDatabase, tempFolder } from '../temp-database.ts';

const lost: Failure = { code: 'offline', message: 'Reset', reason: 'outcome-unknown' };
let count = 0;

function actionOf(connection: Connection, change: Partial<StoredAction> = {}): StoredAction {
  count += 1;
  return {
    actionId: ActionId.parse(`00000000-0000-4000-8000-${String(count).padStart(12, '0')}`),
    kind: 'revoke',
    state: 'queued',
    connectionId: connection.id,
    agreementId: idOf('0017'),
    title: 'Lease',
    partyId: null,
    notificationId: null,
    token: null,
    goal: null,
    failure: null,
    rule: null,
    revokedAt: null,
    createdAt: NOW,
    updatedAt: NOW,
    ...change,
  };
}

function withConnection() {
  const place = tempDatabase();
  const connection = newConnection();
  place.stores.connections.save(connection);
  return Object.assign(place, { connection, actions: place.stores.actions });
}

const journal = ({ database }: ReturnType<typeof withConnection>) =>
  database
    .query(
      'SELECT from_state, to_state, cause FROM action_journal ORDER BY number',
      z.object({ from_state: z.string().nullable(), to_state: z.string(), cause: z.string() }),
    )
    .all()
    .map(({ from_state, to_state, cause }) => [from_state, to_state, cause]);

it('a stored action is read back unchanged, with its intended effect', () => {
  using place = withConnection();
  const recipients = [{ medium: 'EMAIL' as const, address: 'åsa@example.com' }];
  const action = actionOf(place.connection, {
    kind: 'replace-recipients',
    partyId: 'p',
    notificationId: 'n',
    token: 't',
    goal: { recipients, expiresAt: 5 },
  });
  place.actions.insert(action);
  expect(place.actions.get(action.actionId)).toEqual(action);
});

it('each status change of an action is logged, and a change from another status is rejected', () => {
  using place = withConnection();
  const { actionId } = actionOf(place.connection);
  place.actions.insert(actionOf(place.connection, { actionId }));
  const claim = { to: 'sending', cause: 'request' } as const;
  expect(place.actions.move(actionId, ['queued'], claim, NOW + 1)).toBe(true);
  expect(place.actions.move(actionId, ['queued'], claim, NOW + 2)).toBe(false);
  const unknown = { to: 'unknown', cause: 'answer', failure: lost } as const;
  place.actions.move(actionId, ['sending'], unknown, NOW + 3);
  const done = { to: 'done', cause: 'read-back', failure: null, revokedAt: 77 } as const;
  place.actions.move(actionId, ['unknown'], done, NOW + 4);
  expect(place.actions.lastCause(actionId)).toBe('read-back');
  expect(place.actions.get(actionId)).toMatchObject({
    state: 'done',
    failure: null,
    revokedAt: 77,
    updatedAt: NOW + 4,
  });
  expect(journal(place)).toEqual([
    [null, 'queued', 'person'],
    ['queued', 'sending', 'request'],
    ['sending', 'unknown', 'answer'],
    ['unknown', 'done', 'read-back'],
  ]);
});

it('an ended action cannot be changed, and entries of its journal cannot be changed or removed', () => {
  using place = withConnection();
  const action = actionOf(place.connection, { state: 'done' });
  place.actions.insert(action);
  const again = { to: 'queued', cause: 'mistake' } as const;
  expect(() => place.actions.move(action.actionId, ['done'], again, NOW)).toThrow('stays so');
  for (const sql of ["UPDATE action_journal SET cause = 'x'", 'DELETE FROM action_journal']) {
    expect(() => place.database.command(sql)()).toThrow('only grows');
  }
  expect(place.actions.get(action.actionId).state).toBe('done');
});

it('actions are listed if they are open, however old, or recently ended, or requested', () => {
  using place = withConnection();
  const other = newConnection();
  place.stores.connections.save(other);
  const open = actionOf(place.connection, { state: 'unknown', updatedAt: 1, createdAt: 1 });
  const old = actionOf(place.connection, { state: 'done', updatedAt: 1 });
  const late = actionOf(place.connection, { state: 'done', agreementId: idOf('0018') });
  const foreign = actionOf(other, { state: 'refused', failure: lost });
  for (const one of [open, old, late, foreign]) place.actions.insert(one);
  const list = (filter: object) =>
    place.actions.list(filter, NOW - 1).map(({ actionId }) => actionId);
  expect(list({})).toEqual([foreign.actionId, late.actionId, open.actionId]);
  expect(list({ connectionId: other.id })).toEqual([foreign.actionId]);
  expect(list({ agreementId: idOf('0018') })).toEqual([late.actionId]);
  expect(place.actions.inState('unknown')).toEqual([open]);
});

it('an unknown action is reported as not found', () => {
  using place = withConnection();
  const { actionId } = actionOf(place.connection);
  expect(() => place.actions.get(actionId)).toThrow('no action');
});

it('action data of the first version is upgraded, and keeps its content', () => {
  using place = tempFolder();
  const file = path.join(place.folder, 'desk.db');
  const raw = connect(file, place.key, 'write');
  raw.pragma('journal_mode = WAL');
  migrate(raw, migrations.slice(0, 1), `${file}.before`);
  const at = String(NOW);
  raw.exec(`INSERT INTO connection (id, name, api, url, environment, created_at)
    VALUES ('6f0c9f0e-6d0a-4b0e-9f43-0c2f5d6a7b81', 'Office', 'v1', 'https://a.example', 'test', ${at})`);
  raw.close();
  const database = openDatabase({ file, key: place.key, now: NOW });
  const { actions, connections } = createStores(database);
  const [connection] = connections.list();
  if (connection === undefined) throw new Error('the connection is gone');
  const action = actionOf(connection);
  actions.insert(action);
  expect(actions.get(action.actionId)).toEqual(action);
  expect(
    database.query('PRAGMA user_version', z.object({ user_version: z.number() })).first(),
  ).toEqual({ user_version: migrations.length });
  database.close();
});
