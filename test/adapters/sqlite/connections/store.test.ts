import { describe, expect, it } from 'vitest';
import { ConnectionId } from '../../../../shared/model/ids.ts';
import { idOf, newConnection, newDraft, outboxEntry, party, query, remote } from '../samples.ts';
import { NOW, tempDatabase } from '../temp-database.ts';

const notFound = expect.objectContaining({
  failure: expect.objectContaining({ code: 'not-found' }),
});

it('a connection is listed, read and renamed', () => {
  using place = tempDatabase();
  const { connections } = place.stores;
  const connection = newConnection({ accountId: '17', api: 'v2' });
  connections.save(connection);
  connections.save({ ...connection, name: 'Berg TEST' });
  expect(connections.list()).toEqual([{ ...connection, name: 'Berg TEST' }]);
  expect(connections.get(connection.id).accountId).toBe('17');
});

it('an unknown connection is reported as not found', () => {
  using place = tempDatabase();
  const { id } = newConnection();
  expect(() => place.stores.connections.get(ConnectionId.parse(id))).toThrowError(notFound);
  expect(() => {
    place.stores.connections.remove(id, 'keep', 'keep');
  }).toThrowError(notFound);
});

it('a connection stores the server time up to which all changes were read, and the time of reading', () => {
  using place = tempDatabase();
  const { connections } = place.stores;
  const connection = newConnection();
  connections.save(connection);
  expect([connections.checkedUntil(connection.id), connections.checkedAt(connection.id)]).toEqual([
    null,
    null,
  ]);
  expect(connections.checkedUntil(newConnection().id)).toBeNull();
  expect(connections.checkedAt(newConnection().id)).toBeNull();
  connections.setCheckedUntil(connection.id, NOW - 5, NOW);
  expect([connections.checkedUntil(connection.id), connections.checkedAt(connection.id)]).toEqual([
    NOW - 5,
    NOW,
  ]);
});

describe('removing a connection', () => {
  function filled() {
    const place = tempDatabase();
    const connection = newConnection();
    const { connections, agreements, drafts, outbox, archive } = place.stores;
    connections.save(connection);
    const mine = party({ kind: 'my-company', apiSigning: 'c1', state: 'turn' });
    const waiting = remote({ title: 'Waiting', parties: [mine], expiresAt: NOW + 1000 });
    const signed = remote({ title: 'Signed', state: 'signed', closedAt: NOW });
    agreements.put(connection.id, 'v1', [waiting, signed], NOW);
    const key = { connectionId: connection.id, id: idOf(signed.id) };
    archive.record(key, { file: '/archive/signed.pdf', bytes: 9, sha256: 'ab' }, NOW);
    const draft = newDraft({ connectionId: connection.id });
    drafts.insert(draft);
    outbox.insert(outboxEntry(connection), NOW);
    return Object.assign(place, { connection, draft, key });
  }

  it('can keep agreements readable, without further requests (TX-05)', () => {
    using place = filled();
    const { connections, agreements } = place.stores;
    connections.remove(place.connection.id, 'keep', 'keep');
    expect(connections.list()).toEqual([]);
    expect(agreements.list(query(), NOW).items.map(({ title }) => title)).toEqual([
      'Signed',
      'Waiting',
    ]);
    expect(agreements.details(place.key).title).toBe('Signed');
    const { attention, expiring, myTurn, notArchived } = agreements.counts(undefined, NOW);
    expect({ attention, expiring, myTurn, notArchived }).toEqual({
      attention: 0,
      expiring: 0,
      myTurn: 0,
      notArchived: 0,
    });
    expect(agreements.signable(undefined)).toEqual([]);
  });

  it('can delete agreements, but keeps the archive and the outbox (TX-05)', () => {
    using place = filled();
    const { connections, agreements, archive, outbox } = place.stores;
    connections.remove(place.connection.id, 'delete', 'keep');
    expect(agreements.list(query(), NOW).total).toBe(0);
    expect(agreements.find(place.key.id)).toEqual([]);
    expect(archive.list(undefined)).toMatchObject([
      { title: 'Signed', state: 'archived', file: '/archive/signed.pdf' },
    ]);
    expect(outbox.list(0)).toHaveLength(1);
  });

  it('keeps drafts for another connection, or deletes them, as chosen (TX-05)', () => {
    using kept = filled();
    kept.stores.connections.remove(kept.connection.id, 'delete', 'keep');
    expect(kept.stores.drafts.get(kept.draft.id).connectionId).toBeNull();

    using deleted = filled();
    deleted.stores.connections.remove(deleted.connection.id, 'delete', 'delete');
    expect(deleted.stores.drafts.list()).toEqual([]);
  });

  it('leaves no agreements of a sync that is still in progress', () => {
    using place = filled();
    const { connections, agreements } = place.stores;
    connections.remove(place.connection.id, 'delete', 'keep');
    expect(() => agreements.put(place.connection.id, 'v1', [remote()], NOW)).toThrowError(notFound);
    expect(() => {
      connections.save(place.connection);
    }).toThrowError(notFound);
  });
});
