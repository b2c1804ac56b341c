import { describe, expect, it } from 'vitest';
import { OutboxRef } from '../../../../shared/model/ids.ts';
import { idOf, listRow, newConnection, outboxEntry, party, query, remote } from '../samples.ts';
import { NOW, tempDatabase } from '../temp-database.ts';

function withConnection() {
  const place = tempDatabase();
  const connection = newConnection();
  place.stores.connections.save(connection);
  const { agreements } = place.stores;
  const keyOf = ({ id }: { readonly id: string }) => ({
    connectionId: connection.id,
    id: idOf(id),
  });
  return Object.assign(place, { connection, agreements, keyOf });
}

describe('agreement data from the service', () => {
  it('is read back complete, with its time', () => {
    using place = withConnection();
    const received = remote({ closedAt: NOW, state: 'signed', nativeState: 'SIGNED' });
    place.agreements.put(place.connection.id, 'v1', [received], NOW + 7);
    const { id, etag: _, ...rest } = received;
    expect(place.agreements.details(place.keyOf({ id }))).toEqual({
      ...rest,
      id,
      connectionId: place.connection.id,
      api: 'v1',
      signedCount: 0,
      partyCount: 1,
      perhapsExpired: false,
      myTurn: false,
      archivedAt: null,
      archiveDamage: null,
      archivedFile: null,
      gone: null,
      readAt: NOW + 7,
    });
  });

  it('counts as changed only when a value changed', () => {
    using place = withConnection();
    const [one, two] = [remote(), remote()];
    const put = (...received: (typeof one)[]) =>
      place.agreements.put(place.connection.id, 'v1', received, NOW);
    expect(put(one, two)).toBe(2);
    expect(put(one, two)).toBe(0);
    expect(put(one, { ...two, title: 'Renamed' })).toBe(1);
    expect(place.agreements.details(place.keyOf(two)).title).toBe('Renamed');
  });

  it('has unknown parties, not an empty list, after a list row without parties (T1-18)', () => {
    using place = withConnection();
    const received = listRow(remote());
    place.agreements.put(place.connection.id, 'v1', [received], NOW);
    expect(place.agreements.list(query(), NOW).items).toMatchObject([
      { parties: null, partyCount: null, signedCount: null, updatedAt: null },
    ]);
    expect(place.agreements.details(place.keyOf(received))).toMatchObject({
      parties: null,
      documents: null,
      tags: null,
    });
  });

  it('keeps known data that a later list row omits (T1-18)', () => {
    using place = withConnection();
    const whole = remote({ tags: { 'desk.key': '1' }, documents: [] });
    place.agreements.put(place.connection.id, 'v1', [whole], NOW);
    const closed = { at: NOW + 5, what: 'closed' as const, party: null };
    const row = listRow(whole, { state: 'signed', closedAt: NOW + 5, timeline: [closed] });
    expect(place.agreements.put(place.connection.id, 'v1', [row], NOW + 9)).toBe(1);
    expect(place.agreements.details(place.keyOf(whole))).toMatchObject({
      state: 'signed',
      closedAt: NOW + 5,
      updatedAt: whole.updatedAt,
      parties: whole.parties,
      tags: whole.tags,
      timeline: [...whole.timeline, closed],
      native: whole.native,
    });
  });

  it('keeps its known times after an answer without times', () => {
    using place = withConnection();
    const times = { sentAt: NOW + 1, closedAt: NOW + 2, expiresAt: NOW + 3, deletesAt: NOW + 4 };
    const whole = remote({ ...times, createdAt: NOW, updatedAt: NOW + 5, state: 'signed' });
    place.agreements.put(place.connection.id, 'v1', [whole], NOW);
    const none = { sentAt: null, closedAt: null, expiresAt: null, deletesAt: null };
    const bare = remote({ ...whole, ...none, createdAt: null, updatedAt: null, title: 'New' });
    place.agreements.put(place.connection.id, 'v1', [bare], NOW + 9);
    expect(place.agreements.details(place.keyOf(whole))).toMatchObject({
      ...times,
      title: 'New',
      createdAt: NOW,
      updatedAt: NOW + 5,
    });
  });

  it('has the timeline and the original answer of its last single read', () => {
    using place = withConnection();
    const at = (what: 'created' | 'closed') => ({ at: NOW, what, party: null });
    const before = remote({ timeline: [at('created')], native: 'old' });
    place.agreements.put(place.connection.id, 'v1', [before], NOW);
    const after = remote({ ...before, timeline: [at('closed')], native: 'new' });
    place.agreements.put(place.connection.id, 'v1', [after], NOW + 9);
    expect(place.agreements.details(place.keyOf(before))).toMatchObject({
      timeline: [at('closed')],
      native: 'new',
    });
  });

  it('keeps unknown statuses, parties and methods unchanged (T1-26)', () => {
    using place = withConnection();
    const received = remote({
      state: 'unknown',
      nativeState: 'HELD_BY_NOTARY',
      parties: [party({ state: 'unknown', nativeState: 'AT_COURT', methods: ['RUNE_STONE'] })],
    });
    place.agreements.put(place.connection.id, 'v1', [received], NOW);
    const { items } = place.agreements.list(query({ states: ['unknown'] }), NOW);
    expect(items).toMatchObject([{ nativeState: 'HELD_BY_NOTARY' }]);
    expect(place.agreements.details(place.keyOf(received)).parties).toEqual(received.parties);
    expect(place.agreements.counts(undefined, NOW).byState.unknown).toBe(1);
  });

  it('is stored as two agreements if two connections have the same ID (TX-04)', () => {
    using place = withConnection();
    const other = newConnection({ name: 'The same account again' });
    place.stores.connections.save(other);
    const received = remote();
    place.agreements.put(place.connection.id, 'v1', [received], NOW);
    place.agreements.put(other.id, 'v1', [{ ...received, title: 'Other' }], NOW);
    place.agreements.markGone({ connectionId: other.id, id: idOf(received.id) }, 'deleted');
    expect(place.agreements.details(place.keyOf(received))).toMatchObject({
      title: received.title,
      gone: null,
    });
    expect(place.agreements.find(idOf(received.id))).toHaveLength(2);
    expect(place.agreements.list(query({ connectionId: other.id }), NOW).items).toMatchObject([
      { title: 'Other', gone: 'deleted' },
    ]);
  });
});

describe('an agreement read singly', () => {
  it('keeps its sending time, which v1 gives in lists only (T1-28)', () => {
    using place = withConnection();
    const received = remote({
      timeline: [
        { at: NOW - 9, what: 'created', party: null },
        { at: NOW - 5, what: 'sent', party: null },
      ],
    });
    place.agreements.put(place.connection.id, 'v1', [received], NOW);
    const [created] = received.timeline;
    if (created === undefined) throw new Error('no timeline');
    const signed = { at: NOW - 1, what: 'signed', party: null } as const;
    const alone = { ...received, sentAt: null, timeline: [created, signed] };
    place.agreements.put(place.connection.id, 'v1', [alone], NOW + 1);
    const { timeline, sentAt } = place.agreements.details(place.keyOf(received));
    expect(timeline.map(({ what }) => what)).toEqual(['created', 'sent', 'signed']);
    expect(sentAt).toBe(received.sentAt);
  });

  it('keeps its owner and rights when a later answer omits them', () => {
    using place = withConnection();
    const access = { sharedWith: 'ALL', owner: { id: 'u', name: 'Karin' }, rights: [] };
    const received = remote({ access });
    place.agreements.put(place.connection.id, 'v1', [received], NOW);
    place.agreements.put(place.connection.id, 'v1', [remote({ id: received.id })], NOW + 1);
    expect(place.agreements.details(place.keyOf(received)).access).toEqual(access);
  });
});

describe('the user of an API key', () => {
  const access = (id: string, sharedWith: string) => ({
    access: { sharedWith, owner: { id, name: '' }, rights: [] },
  });

  it('owns unshared agreements; for other agreements the owner is unknown (T1-22)', () => {
    using place = withConnection();
    const { id } = place.connection;
    place.agreements.put(id, 'v1', [remote(access('jonas', 'CUSTOM'))], NOW);
    expect(place.stores.ownUsers.find(id)).toBeNull();
    const unshared = remote(access('karin', 'NONE'));
    place.agreements.put(id, 'v1', [unshared], NOW);
    expect(place.stores.ownUsers.find(id)).toBe('karin');
    // The API key of another user no longer sees the agreement.
    place.agreements.markGone(place.keyOf(unshared), 'no-access');
    expect(place.stores.ownUsers.find(id)).toBeNull();
  });

  it('owns agreements sent from this program, even if other users see them (T1-22)', () => {
    using place = withConnection();
    const { id } = place.connection;
    const sent = remote(access('karin', 'ALL'));
    place.agreements.put(id, 'v1', [sent, remote(access('jonas', 'ALL'))], NOW);
    const entry = outboxEntry(place.connection);
    const { ref } = entry.item;
    const { outbox } = place.stores;
    outbox.insert(entry, NOW);
    outbox.claim(ref, { at: NOW, floor: NOW, credential: 'k' });
    const done = { to: 'sent', cause: 'answer', remoteId: idOf(sent.id) } as const;
    expect(outbox.move(ref, ['sending'], done, NOW)).toBe(true);
    expect(place.stores.ownUsers.find(id)).toBe('karin');
  });

  it('is stored for one connection only (TX-04)', () => {
    using place = withConnection();
    const other = newConnection({ name: 'Another' });
    place.stores.connections.save(other);
    place.agreements.put(place.connection.id, 'v1', [remote(access('karin', 'NONE'))], NOW);
    expect(place.stores.ownUsers.find(other.id)).toBeNull();
  });
});

describe('agreements missing from the service’s answers', () => {
  it('keep their data (T1-20)', () => {
    using place = withConnection();
    const [received, missing] = [remote(), remote()];
    place.agreements.put(place.connection.id, 'v1', [received, missing], NOW);
    place.agreements.put(place.connection.id, 'v1', [received], NOW + 1);
    expect(place.agreements.details(place.keyOf(missing)).gone).toBeNull();
  });

  it('can be marked as deleted or out of reach, stay stored, and lose this mark when they are received again (T1-20)', () => {
    using place = withConnection();
    const [deleted, hidden] = [remote(), remote()];
    const { agreements, connection, keyOf } = place;
    agreements.put(connection.id, 'v1', [deleted, hidden], NOW);
    agreements.markGone(keyOf(deleted), 'deleted');
    agreements.markGone(keyOf(hidden), 'no-access');
    expect(agreements.details(keyOf(deleted)).gone).toBe('deleted');
    expect(agreements.details(keyOf(hidden)).gone).toBe('no-access');
    expect(agreements.put(connection.id, 'v1', [hidden], NOW + 1)).toBe(1);
    expect(agreements.details(keyOf(hidden)).gone).toBeNull();
  });
});

it('agreements are found by the reference of their outbox row', () => {
  using place = withConnection();
  const ref = OutboxRef.parse('8c9a3c0e-6c43-4b8e-9d0a-0d7b6a4f3d11');
  const received = remote({ tags: { 'desk.ref': ref } });
  place.agreements.put(place.connection.id, 'v1', [received, remote()], NOW);
  expect(place.agreements.withRef(place.connection.id, ref)).toEqual([received.id]);
});

it('the signing queue has agreements that our party can sign through the API, now or later', () => {
  using place = withConnection();
  const mine = (state: 'turn' | 'waiting' | 'signed') =>
    party({ kind: 'my-company', apiSigning: 'c1', state });
  const received = [
    remote({ title: 'later', parties: [party(), mine('waiting')] }),
    remote({ title: 'now', parties: [mine('turn')] }),
    remote({ title: 'done', parties: [mine('signed')] }),
    remote({ title: 'by hand', parties: [party({ kind: 'my-company' })] }),
    remote({ title: 'revoked', state: 'revoked', parties: [mine('turn')] }),
  ];
  place.agreements.put(place.connection.id, 'v1', received, NOW);
  expect(place.agreements.signable(place.connection.id).map(({ title }) => title)).toEqual([
    'now',
    'later',
  ]);
  expect(place.agreements.counts(undefined, NOW).myTurn).toBe(1);
});
