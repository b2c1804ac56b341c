import { createHash, randomUUID } from 'node:crypto';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { connect } from '../../../../electron/adapters/sqlite/database/cipher.ts';
import { migrate } from '../../../../electron/adapters/sqlite/database/migrate.ts';
import { migrations } from '../../../../electron/adapters/sqlite/migrations/index.ts';
import { openDatabase } from '../../../../electron/adapters/sqlite/open/open.ts';
import { createStores } from '../../../../electron/adapters/sqlite/stores.ts';
import { BatchId, OutboxRef } from '../../../../shared/model/ids.ts';
import { AppError, type Failure } from '../../../../shared/errors.ts';
import { claimAt, idOf, newConnection, outboxEntry, remote } from '../samples.ts';
import { NOW, tempDatabase, tempFolder } from '../temp-database.ts';

const lost: Failure = {
  code: 'offline',
  reason: 'connection-lost',
  message: 'The answer was lost',
};

function withRow(state: 'queued' | 'unknown' = 'queued') {
  const place = tempDatabase();
  const connection = newConnection();
  place.stores.connections.save(connection);
  const entry = outboxEntry(connection);
  const { ref } = entry.item;
  const { outbox } = place.stores;
  outbox.insert(entry, NOW);
  if (state === 'unknown') outbox.move(ref, ['queued'], { to: 'unknown', cause: 'restart' }, NOW);
  return Object.assign(place, { outbox, connection, entry, ref });
}
type Place = ReturnType<typeof withRow>;

const journal = ({ database }: Place) =>
  database
    .query(
      'SELECT from_state, to_state, cause FROM journal ORDER BY number',
      z.object({ from_state: z.string().nullable(), to_state: z.string(), cause: z.string() }),
    )
    .all()
    .map(({ from_state, to_state, cause }) => [from_state, to_state, cause]);

const attempts = ({ database }: Place) =>
  database
    .query(
      'SELECT headers_sent, ended_at, outcome FROM attempt ORDER BY number',
      z.object({
        headers_sent: z.number(),
        ended_at: z.number().nullable(),
        outcome: z.string().nullable(),
      }),
    )
    .all();

it('an unreadable reason does not hide its outbox row or other rows (SR-P1)', () => {
  using place = withRow();
  const { database, outbox, ref } = place;
  // `JSON.stringify` writes an infinite number as null.
  const broken = JSON.stringify({ code: 'limited', message: 'Later', retryAt: Infinity });
  database.command('UPDATE outbox SET reason = @broken')({ broken });
  expect(outbox.get(ref)).toMatchObject({ state: 'queued', reason: { code: 'unexpected' } });
  expect(outbox.list(NOW)).toHaveLength(1);
});

it('a possible duplicate of an outbox row is found only in the time range of its last change', () => {
  using place = withRow();
  const { outbox, ref, connection } = place;
  outbox.claim(ref, claimAt(NOW));
  outbox.move(ref, ['sending'], { to: 'sent', cause: 'answer', remoteId: idOf('own') }, NOW);
  const doubles = [10, 20].map((minute) =>
    remote({ id: idOf(`at ${minute}`), tags: { 'desk.ref': ref }, updatedAt: NOW + minute }),
  );
  place.stores.agreements.put(connection.id, 'v1', doubles, NOW);
  const changed = (from: number, until: number | null) =>
    outbox
      .suspects(connection.id, { sent: 0, abandoned: 0 }, { from: NOW + from, until })
      .map(({ remoteId }) => remoteId);
  expect(changed(10, NOW + 20)).toEqual(['at 10']);
  expect(changed(20, null)).toEqual(['at 20']);
});

it('an unknown batch is reported as missing', () => {
  using place = withRow();
  const none = BatchId.parse(randomUUID());
  const missing = expect.objectContaining({
    failure: expect.objectContaining({ code: 'not-found' }),
  });
  expect(() => place.outbox.batch(none)).toThrowError(missing);
  expect(() => place.outbox.batchGate(none)).toThrowError(missing);
  expect(() => place.outbox.setBatchGate(none, 'paused', null)).toThrowError(missing);
});

it('a request of the outbox is sent with exactly its stored bytes', () => {
  using place = withRow();
  expect(place.outbox.get(place.ref)).toMatchObject(place.entry.item);
  expect(Buffer.from(place.outbox.request(place.ref).body).toString()).toBe('{"title":"Lease"}');
  const edit = place.database.command("UPDATE outbox SET body = x'00' WHERE ref = @ref");
  expect(() => edit({ ref: place.ref })).toThrowError('frozen');
});

it('a request of the outbox is rejected if its stored bytes were changed (TE-Q02)', () => {
  using place = withRow();
  const raw = connect(place.file, place.key, 'write');
  const triggers = raw
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'outbox'")
    .pluck()
    .all()
    .map(String);
  // A writer with the key, or a failing disk, bypasses triggers.
  for (const name of triggers) raw.exec(`DROP TRIGGER "${name}"`);
  raw
    .prepare('UPDATE outbox SET body = ? WHERE ref = ?')
    .run(Buffer.from('{"title":"Loan"}'), place.ref);
  raw.close();
  expect(() => place.outbox.request(place.ref)).toThrowError(
    expect.objectContaining({ failure: expect.objectContaining({ reason: 'data-damaged' }) }),
  );
});

it('a signature in the outbox keeps its target and its time', () => {
  using place = withRow();
  const target = { agreementId: idOf('0017'), partyId: '556677-8899', configurationId: 'company' };
  const entry = outboxEntry(place.connection, { kind: 'sign' });
  place.outbox.insert({ ...entry, request: { ...entry.request, target, signedAt: NOW } }, NOW);
  expect(place.outbox.request(entry.item.ref)).toMatchObject({ target, signedAt: NOW });
});

describe('files uploaded before the request', () => {
  const PLAN = '{"attachments":[{"name":"a.pdf"},{"name":"b.pdf"}]}';
  const WHOLE = Buffer.from('{"attachments":[{"token":"1"},{"token":"2"}]}');

  function withFiles() {
    const place = withRow();
    const entry = outboxEntry(place.connection, {}, Buffer.from(PLAN));
    const uploads = ['a.pdf', 'b.pdf'].map((name) => ({ name, data: Buffer.from(name) }));
    place.outbox.insert({ ...entry, uploads }, NOW);
    return Object.assign(place, { ref: entry.item.ref });
  }

  it('are stored with their tokens, one by one (T2-43)', () => {
    using place = withFiles();
    expect(place.outbox.get(place.ref).progress).toEqual({ done: 0, total: 2 });
    place.outbox.setToken(place.ref, 0, 'token-1');
    const other = openDatabase({ ...place, now: NOW });
    const { outbox } = createStores(other);
    expect(outbox.get(place.ref).progress).toEqual({ done: 1, total: 2 });
    expect(outbox.uploads(place.ref)).toEqual([
      { place: 0, name: 'a.pdf', token: 'token-1' },
      { place: 1, name: 'b.pdf', token: null },
    ]);
    expect(Buffer.from(outbox.uploadData(place.ref, 1)).toString()).toBe('b.pdf');
    other.close();
  });

  it('block their row until its request is completed, which is possible once', () => {
    using place = withFiles();
    expect(place.outbox.claim(place.ref, claimAt(NOW))).toBe(false);
    const toWire = { to: 'sending', cause: 'claim' } as const;
    expect(() => place.outbox.move(place.ref, ['queued'], toWire, NOW)).toThrowError(
      /whole|written/,
    );
    expect(place.outbox.complete(place.ref, WHOLE)).toBe(true);
    expect(place.outbox.complete(place.ref, Buffer.from('{}'))).toBe(false);
    const edit = place.database.command("UPDATE outbox SET body = x'00' WHERE ref = @ref");
    expect(() => edit({ ref: place.ref })).toThrowError('frozen');
    expect(place.outbox.get(place.ref)).not.toHaveProperty('progress');
    expect(place.outbox.claim(place.ref, claimAt(NOW))).toBe(true);
    expect(Buffer.from(place.outbox.request(place.ref).body)).toEqual(WHOLE);
  });

  it('are removed when their row no longer waits, but their tokens stay', () => {
    using place = withFiles();
    place.outbox.setToken(place.ref, 0, 'token-1');
    place.outbox.move(place.ref, ['queued'], { to: 'abandoned', cause: 'person' }, NOW);
    expect(() => place.outbox.uploadData(place.ref, 0)).toThrowError(AppError);
    expect(place.outbox.uploads(place.ref)[0]).toMatchObject({ token: 'token-1' });
    expect(place.outbox.complete(place.ref, WHOLE)).toBe(false);
  });
});

describe('a claim on an outbox row', () => {
  it('is stored with its attempt before it is confirmed', () => {
    using place = withRow();
    expect(place.outbox.claim(place.ref, claimAt(NOW + 1))).toBe(true);
    const other = openDatabase({ ...place, now: NOW });
    expect(createStores(other).outbox.get(place.ref)).toMatchObject({
      state: 'sending',
      attempts: 1,
      nextAt: null,
      updatedAt: NOW + 1,
    });
    other.close();
    expect(attempts(place)).toEqual([{ headers_sent: 1, ended_at: null, outcome: null }]);
  });

  it('is granted once, and only for a queued row', () => {
    using place = withRow();
    const other = openDatabase({ ...place, now: NOW });
    expect(createStores(other).outbox.claim(place.ref, claimAt(NOW))).toBe(true);
    other.close();
    expect(place.outbox.claim(place.ref, claimAt(NOW))).toBe(false);
    using unknown = withRow('unknown');
    expect(unknown.outbox.claim(unknown.ref, claimAt(NOW))).toBe(false);
    expect(attempts(unknown)).toEqual([]);
  });

  it('is not counted as an attempt if its request was not sent', () => {
    using place = withRow();
    place.outbox.claim(place.ref, claimAt(NOW));
    const move = { to: 'queued', cause: 'not-sent', nextAt: NOW + 9, reason: lost } as const;
    place.outbox.move(place.ref, ['sending'], { ...move, isUncounted: true }, NOW + 1);
    expect(place.outbox.get(place.ref)).toMatchObject({
      state: 'queued',
      attempts: 0,
      nextAt: NOW + 9,
      reason: lost,
    });
    expect(attempts(place)).toEqual([{ headers_sent: 0, ended_at: NOW + 1, outcome: 'queued' }]);
    expect(place.outbox.move(place.ref, ['sending'], move, NOW + 2)).toBe(false);
  });
});

describe('a status change of an outbox row', () => {
  it('ends the attempt and is logged with its cause', () => {
    using place = withRow();
    place.outbox.claim(place.ref, claimAt(NOW));
    const unknown = { to: 'unknown', cause: 'answer', reason: lost } as const;
    expect(place.outbox.move(place.ref, ['sending'], unknown, NOW + 2)).toBe(true);
    expect(place.outbox.get(place.ref)).toMatchObject({
      state: 'unknown',
      attempts: 1,
      reason: lost,
    });
    expect(attempts(place)).toEqual([{ headers_sent: 1, ended_at: NOW + 2, outcome: 'unknown' }]);
    expect(journal(place)).toEqual([
      [null, 'queued', 'person'],
      ['queued', 'sending', 'claim'],
      ['sending', 'unknown', 'answer'],
    ]);
  });

  it('is ignored if the row no longer has the expected status', () => {
    using place = withRow();
    const move = { to: 'abandoned', cause: 'person' } as const;
    expect(place.outbox.move(place.ref, ['unknown', 'rejected'], move, NOW)).toBe(false);
    expect(place.outbox.get(place.ref).state).toBe('queued');
    expect(journal(place)).toHaveLength(1);
  });

  it('keeps values that it does not name, and clears values set to null', () => {
    using place = withRow('unknown');
    const found = { to: 'sent', cause: 'sync', remoteId: idOf('r-1'), reason: null } as const;
    place.outbox.move(place.ref, ['unknown'], found, NOW);
    expect(place.outbox.get(place.ref)).toMatchObject({
      remoteId: 'r-1',
      reason: null,
      nextAt: NOW,
    });
  });

  it('never changes the status "sent" (T1-60)', () => {
    using place = withRow('unknown');
    place.outbox.move(place.ref, ['unknown'], { to: 'sent', cause: 'sync' }, NOW);
    const back = { to: 'queued', cause: 'person' } as const;
    expect(() => place.outbox.move(place.ref, ['sent'], back, NOW)).toThrowError('stays sent');
    expect(place.outbox.get(place.ref).state).toBe('sent');
    expect(journal(place)).toHaveLength(3);
  });
});

it('outbox rows stored before separate uploads existed are complete, and their requests stay unchanged', () => {
  using place = tempFolder();
  const file = path.join(place.folder, 'desk.db');
  const raw = connect(file, place.key, 'write');
  raw.pragma('journal_mode = WAL');
  migrate(raw, migrations.slice(0, 2), `${file}.before`);
  const { id } = newConnection();
  const ref = OutboxRef.parse(randomUUID());
  const body = '{"title":"Lease"}';
  const sha256 = createHash('sha256').update(body).digest('hex');
  raw.exec(`
    INSERT INTO connection (id, name, api, url, environment, created_at)
    VALUES ('${id}', 'Office', 'v1', 'https://a.example', 'test', 1);
    INSERT INTO outbox (ref, kind, state, title, connection_id, people, body, body_sha256,
      created_at, updated_at)
    VALUES ('${ref}', 'create', 'queued', 'Lease', '${id}', '[]',
      x'${Buffer.from(body).toString('hex')}', '${sha256}', 1, 1)`);
  raw.close();
  const database = openDatabase({ file, key: place.key, now: NOW });
  const { outbox } = createStores(database);
  expect(outbox.get(ref)).not.toHaveProperty('progress');
  expect(outbox.complete(ref, Buffer.from('{}'))).toBe(false);
  expect(outbox.claim(ref, claimAt(NOW))).toBe(true);
  expect(Buffer.from(outbox.request(ref).body).toString()).toBe(body);
  database.close();
});

it('entries of the outbox journal cannot be changed or removed', () => {
  using place = withRow();
  const rewrite = place.database.command("UPDATE journal SET cause = 'other'");
  const shorten = place.database.command('DELETE FROM journal');
  expect(() => rewrite()).toThrowError('only grows');
  expect(() => shorten()).toThrowError('only grows');
});

it('open outbox rows are listed first, however old; settled rows only after a given time', () => {
  using place = withRow('unknown');
  const insert = (state: 'sent' | 'rejected', at: number): OutboxRef => {
    const entry = outboxEntry(place.connection);
    const { ref } = entry.item;
    place.outbox.insert(entry, at);
    place.outbox.move(ref, ['queued'], { to: state, cause: 'answer' }, at);
    return ref;
  };
  insert('sent', NOW - 1000);
  const settled = insert('sent', NOW + 5);
  const refused = insert('rejected', NOW - 2000);
  expect(place.outbox.list(NOW - 500).map(({ ref }) => ref)).toEqual([place.ref, refused, settled]);
  expect(place.outbox.inState('unknown').map(({ ref }) => ref)).toEqual([place.ref]);
});

it('a decision about an earlier state of an outbox row does not overwrite its current state (TE-Q04)', () => {
  using place = withRow();
  place.outbox.claim(place.ref, claimAt(NOW));
  const lostNow = { to: 'unknown', cause: 'answer', reason: lost } as const;
  place.outbox.move(place.ref, ['sending'], lostNow, NOW);
  const stale = place.outbox.get(place.ref);
  const other = openDatabase({ ...place, now: NOW });
  const elsewhere = createStores(other).outbox;
  const found = { to: 'sent', cause: 'sync', remoteId: idOf('r-1') } as const;
  expect(elsewhere.apply(elsewhere.get(place.ref), found, NOW + 1)).toBe(true);
  other.close();
  const before = journal(place);
  for (const to of ['human', 'queued', 'abandoned', 'sent'] as const) {
    const decided = { to, cause: 'look', remoteId: idOf('r-2'), nextAt: NOW } as const;
    expect(place.outbox.apply(stale, decided, NOW + 2)).toBe(false);
  }
  expect(place.outbox.get(place.ref)).toMatchObject({ state: 'sent', remoteId: 'r-1' });
  expect(journal(place)).toEqual(before);
});

it('a decision from an earlier time in the same status does not change an outbox row (TE-Q04)', () => {
  using place = withRow();
  const stale = place.outbox.get(place.ref);
  const later = { to: 'queued', cause: 'person', nextAt: NOW + 60_000 } as const;
  expect(place.outbox.apply(stale, later, NOW + 1)).toBe(true);
  expect(place.outbox.apply(stale, { to: 'cancelled', cause: 'restart' }, NOW + 2)).toBe(false);
  expect(place.outbox.get(place.ref)).toMatchObject({ state: 'queued', nextAt: NOW + 60_000 });
});

it('an earlier decision does not change a sent row that waits again', () => {
  using place = withRow();
  const before = place.outbox.get(place.ref);
  place.outbox.claim(place.ref, claimAt(NOW));
  const back = { to: 'queued', cause: 'answer', nextAt: NOW + 60_000 } as const;
  place.outbox.move(place.ref, ['sending'], back, NOW + 1);
  const cancel = { to: 'cancelled', cause: 'person' } as const;
  expect(place.outbox.apply(before, cancel, NOW + 2)).toBe(false);
  expect(place.outbox.get(place.ref)).toMatchObject({ state: 'queued', nextAt: NOW + 60_000 });
});

it('stopping a batch leaves rows in flight, whose outcome is looked up later (TE-Q11)', () => {
  using place = withRow();
  const { outbox, connection } = place;
  const batchId = BatchId.parse(randomUUID());
  const entries = [1, 2, 3].map((rowNo) => outboxEntry(connection, { rowNo }));
  const batch = { batchId, connectionId: connection.id, title: 'Leases', policy: 'ask' } as const;
  for (const entry of entries) outbox.stage(batchId, entry, NOW);
  outbox.arm({ ...batch, stopAfter: null }, NOW);
  const [turnedAway, onWire, fresh] = entries.map(({ item }) => item.ref);
  if (turnedAway === undefined || onWire === undefined || fresh === undefined) throw new Error();
  for (const ref of [turnedAway, onWire]) outbox.claim(ref, claimAt(NOW));
  const back = { to: 'queued', cause: 'answer', verify: true, nextAt: NOW + 9 } as const;
  outbox.move(turnedAway, ['sending'], { ...back, track: { lookAt: NOW } }, NOW + 1);
  expect(outbox.cancelBatch(batchId, NOW + 2, 'person')).toEqual([fresh]);
  expect(outbox.get(fresh)).toMatchObject({ state: 'cancelled', nextAt: null });
  expect(outbox.get(onWire).state).toBe('sending');
  expect(outbox.get(turnedAway)).toMatchObject({ state: 'queued', verify: true, attempts: 1 });
  expect(outbox.inDoubt(connection.id).map(({ ref }) => ref)).toEqual([turnedAway]);
  expect(outbox.scanTimes().get(connection.id)).toBe(NOW);
});
