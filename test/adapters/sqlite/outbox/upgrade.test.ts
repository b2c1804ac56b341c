import { createHash, randomUUID } from 'node:crypto';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { connect } from '../../../../electron/adapters/sqlite/database/cipher.ts';
import type { Database } from '../../../../electron/adapters/sqlite/database/database.ts';
import { migrate } from '../../../../electron/adapters/sqlite/database/migrate.ts';
import { migrations } from '../../../../electron/adapters/sqlite/migrations/index.ts';
import { openDatabase } from '../../../../electron/adapters/sqlite/open/open.ts';
import { createStores } from '../../../../electron/adapters/sqlite/stores.ts';
import type { OutboxStore } from '../../../../electron/core/outbox/ports.ts';
import type { Connection } from '../../../../shared/contract/connections.ts';
import { OutboxRef } from '../../../../shared/model/ids.ts';
import type { Failure } from '../../../../shared/errors.ts';
import { claimAt, idOf, newConnection } from '../samples.ts';
import { NOW, type TempFolder, tempFolder } from '../temp-database.ts';
import { HOUR } from '../../../../shared/rules/time/units.ts';

/** The last version without batches, passes and gates. */
const BEFORE_OUTBOX = 7;
const BODY = '{"title":"Lease"}';
const refused: Failure = { code: 'invalid', message: 'No such country' };

const newRef = () => OutboxRef.parse(randomUUID());
const refs = {
  queued: newRef(),
  later: newRef(),
  sending: newRef(),
  unknown: newRef(),
  rejected: newRef(),
  sent: newRef(),
  abandoned: newRef(),
  withFiles: newRef(),
  signature: newRef(),
};
const v1 = newConnection({ api: 'v1' });
const v2 = newConnection({ api: 'v2', name: 'Berg v2' });

let place: TempFolder;
let database: Database;
let outbox: OutboxStore;

beforeEach(() => {
  place = tempFolder();
  const own = { ...place, file: path.join(place.folder, 'desk.db') };
  leaveBehind(own);
  database = openDatabase({ ...own, now: NOW });
  outbox = createStores(database).outbox;
});
afterEach(() => {
  database.close();
  place[Symbol.dispose]();
});

/** Creates a data file as version `BEFORE_OUTBOX` left it, with unfinished sends. */
function leaveBehind({ file, key }: TempFolder): void {
  const raw = connect(file, key, 'write');
  raw.pragma('journal_mode = WAL');
  migrate(raw, migrations.slice(0, BEFORE_OUTBOX), `${file}.before`);
  const addConnection = raw.prepare(
    `INSERT INTO connection (id, name, api, url, environment, created_at)
     VALUES (@id, @name, @api, @url, @environment, @createdAt)`,
  );
  for (const { accountId: _account, orgNo: _number, ...connection } of [v1, v2]) {
    addConnection.run(connection);
  }
  const addRow = raw.prepare(
    `INSERT INTO outbox (ref, kind, state, version, title, connection_id, remote_id, people, n_wire,
       next_at, reason, body, body_sha256, is_whole, target, signed_at, created_at, updated_at)
     VALUES (@ref, @kind, @state, 4, 'Lease', @connectionId, @remoteId, '["Åsa Öberg"]', @attempts,
       @nextAt, @reason, @body, @sha256, @isWhole, @target, @signedAt, @createdAt, @updatedAt)`,
  );
  const addStep = raw.prepare(
    'INSERT INTO journal (at, ref, from_state, to_state, cause) VALUES (?, ?, ?, ?, ?)',
  );
  const addAttempt = raw.prepare(
    'INSERT INTO attempt (ref, started_at, headers_sent, ended_at, outcome) VALUES (?, ?, ?, ?, ?)',
  );
  for (const [index, row] of oldRows().entries()) {
    const createdAt = NOW - HOUR + index;
    addRow.run({ ...row, createdAt, updatedAt: createdAt + 5 });
    addStep.run(createdAt, row.ref, null, 'queued', 'person');
    if (row.attempts > 0) {
      addStep.run(createdAt + 1, row.ref, 'queued', 'sending', 'claim');
      const isOver = row.state !== 'sending';
      const [endedAt, outcome] = isOver ? [createdAt + 2, row.state] : [null, null];
      addAttempt.run(row.ref, createdAt + 1, 1, endedAt, outcome);
      if (isOver) addStep.run(createdAt + 2, row.ref, 'sending', row.state, 'answer');
    }
  }
  const addFile = raw.prepare(
    'INSERT INTO outbox_file (ref, place, name, data, token) VALUES (?, ?, ?, ?, ?)',
  );
  addFile.run(refs.withFiles, 0, 'lease.pdf', Buffer.from('%PDF-1'), 'token-of-the-first');
  addFile.run(refs.withFiles, 1, 'rules.pdf', Buffer.from('%PDF-2'), null);
  raw.close();
}

function oldRows() {
  const row = (ref: OutboxRef, state: string, change: object = {}) => ({
    ref,
    state,
    kind: 'create',
    connectionId: v1.id,
    remoteId: null,
    attempts: 0,
    nextAt: null,
    reason: null,
    isWhole: 1,
    target: null,
    signedAt: null,
    body: Buffer.from(BODY),
    sha256: createHash('sha256').update(BODY).digest('hex'),
    ...change,
  });
  const target = { agreementId: 'a-1', partyId: 'p-1', configurationId: 'c-1' };
  return [
    row(refs.queued, 'queued', { nextAt: NOW - 1 }),
    row(refs.later, 'queued', { nextAt: NOW + HOUR }),
    row(refs.sending, 'sending', { attempts: 1 }),
    row(refs.unknown, 'unknown', { attempts: 1, connectionId: v2.id }),
    row(refs.rejected, 'rejected', { attempts: 1, reason: JSON.stringify(refused) }),
    row(refs.sent, 'sent', { attempts: 1, remoteId: 'remote-7' }),
    row(refs.abandoned, 'abandoned', { attempts: 1 }),
    row(refs.withFiles, 'queued', { nextAt: NOW, isWhole: 0, connectionId: v2.id }),
    row(refs.signature, 'unknown', {
      kind: 'sign',
      attempts: 1,
      target: JSON.stringify(target),
      signedAt: NOW - HOUR,
    }),
  ];
}

const stateOf = (ref: OutboxRef) => outbox.get(ref).state;
const markOf = ({ id }: Connection) =>
  outbox.list(0).flatMap(({ connectionId, kind, mark }) => {
    return connectionId === id && kind === 'create' ? mark.by : [];
  });

it('an upgrade keeps every send from before batches existed, without a batch, and repeats none automatically', () => {
  const states = Object.fromEntries(
    Object.entries(refs).map(([name, ref]) => [name, stateOf(ref)]),
  );
  expect(states).toEqual({
    queued: 'queued',
    later: 'queued',
    sending: 'sending',
    unknown: 'unknown',
    rejected: 'rejected',
    sent: 'sent',
    abandoned: 'abandoned',
    withFiles: 'queued',
    signature: 'unknown',
  });
  for (const ref of Object.values(refs)) {
    expect(outbox.get(ref)).toMatchObject({
      batchId: null,
      rowNo: null,
      policy: 'ask',
      verify: false,
      isScheduled: false,
      version: 4,
      people: ['Åsa Öberg'],
      title: 'Lease',
    });
  }
  expect(outbox.get(refs.sent)).toMatchObject({ remoteId: idOf('remote-7'), attempts: 1 });
  expect(outbox.get(refs.rejected).reason).toEqual(refused);
  expect(outbox.batches(0)).toEqual([]);
  expect(outbox.gates()).toEqual([]);
});

it('after an upgrade, v1 sends stay identifiable by their tag, and v2 sends are not claimed', () => {
  expect(new Set(markOf(v1))).toEqual(new Set(['tag']));
  expect(new Set(markOf(v2))).toEqual(new Set(['nothing']));
  expect(outbox.get(refs.signature).mark).toEqual({ by: 'object' });
});

it('an upgrade keeps the bytes of requests, signatures with a time, and waiting files unchanged', () => {
  for (const ref of [refs.queued, refs.sent, refs.unknown]) {
    expect(Buffer.from(outbox.request(ref).body).toString()).toBe(BODY);
  }
  expect(outbox.request(refs.signature)).toMatchObject({
    target: { agreementId: 'a-1', partyId: 'p-1', configurationId: 'c-1' },
    signedAt: NOW - HOUR,
  });
  expect(outbox.uploads(refs.withFiles)).toEqual([
    { place: 0, name: 'lease.pdf', token: 'token-of-the-first' },
    { place: 1, name: 'rules.pdf', token: null },
  ]);
  expect(Buffer.from(outbox.uploadData(refs.withFiles, 1)).toString()).toBe('%PDF-2');
  expect(outbox.get(refs.withFiles).progress).toEqual({ done: 1, total: 2 });
  const edit = database.command("UPDATE outbox SET body = x'00' WHERE ref = @ref");
  expect(() => edit({ ref: refs.queued })).toThrow('frozen');
  const unsend = database.command("UPDATE outbox SET state = 'queued' WHERE ref = @ref");
  expect(() => unsend({ ref: refs.sent })).toThrow('stays sent');
});

it('after an upgrade, attempts keep their start and result, and the journal continues in one chain', () => {
  expect(outbox.attempts(refs.sent)).toMatchObject([{ number: 1, left: true, outcome: 'sent' }]);
  expect(outbox.attempts(refs.sending)).toMatchObject([{ endedAt: null, outcome: null }]);
  const steps = outbox.journal(refs.unknown).map(({ from, to, cause }) => [from, to, cause]);
  expect(steps).toEqual([
    [null, 'queued', 'person'],
    ['queued', 'sending', 'claim'],
    ['sending', 'unknown', 'answer'],
  ]);
  expect(outbox.journalBreak()).toBeNull();
  expect(outbox.claim(refs.queued, claimAt(NOW))).toBe(true);
  outbox.move(refs.queued, ['sending'], { to: 'unknown', cause: 'answer' }, NOW);
  expect(outbox.journalBreak()).toBeNull();
});

it('after an upgrade, sends of unknown outcome are looked for immediately, and due sends are still due', () => {
  expect([...outbox.scanTimes()]).toEqual(
    expect.arrayContaining([
      [v1.id, 0],
      [v2.id, 0],
    ]),
  );
  expect(outbox.inDoubt(v2.id).map(({ ref }) => ref)).toEqual([refs.unknown]);
  const due = outbox.due(NOW, 10).map(({ ref }) => ref);
  expect(due.toSorted()).toEqual([refs.queued, refs.withFiles].toSorted());
  expect(outbox.nextDue(NOW)).toBe(NOW + HOUR);
});
