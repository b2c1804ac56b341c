import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createActionStore } from '../../../../electron/adapters/sqlite/actions/store.ts';
import type { RetirementPlace } from '../../../../electron/core/sync/ports.ts';
import { ActionId } from '../../../../shared/model/ids.ts';
import type { RemoteAgreement } from '../../../../shared/model/agreement.ts';
import { type AgreementPlace, agreementPlace } from './place.ts';
import { idOf, newConnection, query, remote } from '../samples.ts';
import { NOW } from '../temp-database.ts';
import { DAY } from '../../../../shared/rules/time/units.ts';

const CHANGED = NOW - 400 * DAY;

const signed = (title: string, closedAt = CHANGED) =>
  remote({
    title,
    state: 'signed',
    nativeState: 'SIGNED_BY_ALL',
    updatedAt: closedAt,
    closedAt,
    tags: { case: title },
  });

const titles = ({ agreements }: AgreementPlace, change = {}) =>
  agreements.list(query({ sort: 'title', ...change }), NOW).items.map(({ title }) => title);

function archive({ archive: files, keyOf }: AgreementPlace, received: RemoteAgreement, at = NOW) {
  files.record(keyOf(received), { file: `${received.title}.pdf`, bytes: 9, sha256: 'ab' }, at);
}

/** Returns the text of all rows of all tables except the search index, which has no text. */
function textOfAll({ database }: AgreementPlace): string {
  const Name = z.object({ name: z.string() });
  const tables = database
    .query(`SELECT name FROM pragma_table_list WHERE type = 'table' AND schema = 'main'`, Name)
    .all();
  return tables
    .map(({ name }) => JSON.stringify(database.query(`SELECT * FROM "${name}"`, z.unknown()).all()))
    .join('\n');
}

describe('a forgotten agreement', () => {
  it('is in no list, search or count, but its archived file is still listed (TX-55)', () => {
    using place = agreementPlace();
    const [one, other] = [signed('Lease'), signed('Order')];
    place.put([one, other]);
    archive(place, one);
    expect(place.agreements.forget([place.keyOf(one)], NOW)).toBe(1);
    expect(titles(place)).toEqual(['Order']);
    expect(titles(place, { search: 'lease' })).toEqual([]);
    expect(titles(place, { tag: 'case' })).toEqual(['Order']);
    expect(place.agreements.counts(undefined, NOW)).toMatchObject({ all: 1, notArchived: 1 });
    expect(() => place.agreements.details(place.keyOf(one))).toThrow('not on this computer');
    expect(place.archive.saved(place.keyOf(one))).toMatchObject({ file: 'Lease.pdf' });
    const listed = place.archive.list(undefined).map(({ title, state }) => [title, state]);
    expect(listed).toContainEqual(['Lease', 'archived']);
  });

  it('leaves only its ID and times in all tables (TX-55)', () => {
    using place = agreementPlace();
    const received = signed('Unforgettable');
    place.put([received]);
    expect(textOfAll(place)).toContain('Unforgettable');
    place.agreements.forget([place.keyOf(received)], NOW);
    const left = textOfAll(place);
    expect(left.toLowerCase()).not.toContain('unforgettable');
    expect(left).toContain(received.id);
  });

  it('stays removed while it is received unchanged, listed or read, and returns after a change', () => {
    using place = agreementPlace();
    const received = signed('Lease');
    place.put([received]);
    place.agreements.forget([place.keyOf(received)], NOW);
    expect(place.put([received])).toBe(0);
    expect(place.put([{ ...received, parties: null, tags: null, updatedAt: null }])).toBe(0);
    expect(titles(place)).toEqual([]);
    expect(place.put([{ ...received, updatedAt: NOW }])).toBe(1);
    expect(titles(place)).toEqual(['Lease']);
    expect(place.put([{ ...received, updatedAt: NOW }])).toBe(0);
  });

  it('counts as archived if it was archived and is received again', () => {
    using place = agreementPlace();
    const received = signed('Lease');
    place.put([received]);
    archive(place, received);
    place.agreements.forget([place.keyOf(received)], NOW);
    place.put([{ ...received, updatedAt: NOW }]);
    expect(titles(place, { archived: true })).toEqual(['Lease']);
  });

  it('is no longer counted in the storage once its connection is removed', () => {
    using place = agreementPlace();
    const received = signed('Lease');
    place.put([received]);
    place.agreements.forget([place.keyOf(received)], NOW);
    place.connections.remove(place.connection.id, 'delete', 'keep');
    expect(place.agreements.storage().connections).toEqual([]);
  });

  it('is not added again by another connection to its service (DL-P8)', () => {
    using place = agreementPlace();
    const received = signed('Lease');
    const spelled = newConnection({ url: 'https://API.example.com:443/' });
    const elsewhere = newConnection({ url: 'https://other.example.com' });
    place.put([received]);
    place.connections.save(spelled);
    place.agreements.forget([place.keyOf(received)], NOW);
    const later = newConnection();
    for (const one of [later, elsewhere]) place.connections.save(one);
    for (const one of [spelled, later]) expect(place.put([received], NOW, one)).toBe(0);
    expect(place.put([received], NOW, elsewhere)).toBe(1);
    // Both connections to the service count the agreement as known, and as seen.
    for (const one of [spelled, later]) {
      expect(place.sync.known(one.id, [idOf(received.id)])).toBe(1);
      expect(place.sync.countSeenSince(one.id, NOW)).toBe(1);
    }
    expect(place.put([{ ...received, updatedAt: NOW }], NOW, spelled)).toBe(1);
  });

  it('stays removed for another connection if its own connection is removed (DL-P8)', () => {
    using place = agreementPlace();
    const [forgotten, kept] = [signed('Forgotten'), signed('Kept')];
    place.put([forgotten, kept]);
    place.agreements.forget([place.keyOf(forgotten)], NOW);
    const other = newConnection();
    place.connections.save(other);
    place.connections.remove(place.connection.id, 'keep', 'keep');
    place.agreements.forget([place.keyOf(kept)], NOW);
    expect(place.put([forgotten, kept], NOW, other)).toBe(0);
  });

  it('stays removed if its only connection is removed and the service is connected again (DL-P8)', () => {
    using place = agreementPlace();
    const [forgotten, kept, late] = [signed('Forgotten'), signed('Kept'), signed('Late')];
    place.put([forgotten, kept, late]);
    place.agreements.forget([place.keyOf(forgotten)], NOW);
    place.connections.remove(place.connection.id, 'keep', 'keep');
    place.agreements.forget([place.keyOf(late)], NOW);
    const again = newConnection();
    place.connections.save(again);
    expect(place.put([forgotten, kept, late], NOW, again)).toBe(1);
    expect(titles(place)).toEqual(['Kept', 'Kept']);
  });

  it('stays removed if another connection receives the same data as the last copy had (DL-P8)', () => {
    using place = agreementPlace();
    const received = signed('Lease');
    const other = newConnection();
    place.connections.save(other);
    place.put([{ ...received, nativeState: 'READY_TO_SIGN' }], NOW, other);
    place.put([received]);
    const keys = place.agreements.copiesOf([place.keyOf(received)]);
    expect(keys).toEqual([place.keyOf(received), place.keyOf(received, other)]);
    expect(place.agreements.forget(keys, NOW)).toBe(2);
    expect([place.put([received], NOW, other), place.put([received])]).toEqual([0, 0]);
  });

  it('is not counted if it was unknown', () => {
    using place = agreementPlace();
    expect(place.agreements.forget([place.keyOf({ id: 'nothing' })], NOW)).toBe(0);
  });
});

describe('the retention of agreements', () => {
  const before = NOW - 365 * DAY;
  const retire = ({ agreements }: AgreementPlace, limit = 100) =>
    agreements.retire({ before, after: null, limit, at: NOW }).removed;

  it('removes old closed agreements, and never open or unarchived ones (TX-55)', () => {
    using place = agreementPlace();
    const archived = signed('Archived');
    const old = { updatedAt: CHANGED, closedAt: CHANGED };
    place.put([
      archived,
      signed('Not archived'),
      remote({ title: 'Open', updatedAt: CHANGED, expiresAt: CHANGED }),
      remote({ title: 'Rejected', state: 'rejected', ...old }),
      remote({ title: 'Ran out', state: 'expired', updatedAt: null, expiresAt: CHANGED }),
      remote({ title: 'No time known', state: 'revoked', updatedAt: null }),
      signed('Lately', NOW - DAY),
    ]);
    archive(place, archived);
    place.connections.setCheckedUntil(place.connection.id, NOW, NOW + 1);
    expect(retire(place)).toBe(3);
    expect(titles(place)).toEqual(['Lately', 'No time known', 'Not archived', 'Open']);
    expect(retire(place)).toBe(0);
  });

  it('keeps agreements archived after the last read of the connection (TX-55)', () => {
    using place = agreementPlace();
    const received = signed('Lease');
    place.put([received]);
    place.connections.setCheckedUntil(place.connection.id, NOW, NOW);
    archive(place, received, NOW + 1);
    expect(retire(place)).toBe(0);
    place.connections.setCheckedUntil(place.connection.id, NOW, NOW + 1);
    expect(retire(place)).toBe(1);
  });

  it('keeps agreements with a local action in progress', () => {
    using place = agreementPlace();
    const received = remote({ state: 'rejected', updatedAt: CHANGED, closedAt: CHANGED });
    place.put([received]);
    const { connectionId, id } = place.keyOf(received);
    createActionStore(place.database).insert({
      actionId: ActionId.parse('8c9a3c0e-6c43-4b8e-9d0a-0d7b6a4f3d11'),
      kind: 'remove',
      state: 'unknown',
      connectionId,
      agreementId: id,
      title: received.title,
      partyId: null,
      notificationId: null,
      token: null,
      rule: null,
      goal: null,
      failure: null,
      revokedAt: null,
      createdAt: NOW,
      updatedAt: NOW,
    });
    expect(retire(place)).toBe(0);
  });

  it('runs in steps, oldest first, and a later full reading restores no removed agreement', () => {
    using place = agreementPlace();
    const received = [3, 1, 2].map((age) =>
      remote({
        title: `Closed ${String(age)}`,
        state: 'rejected',
        updatedAt: CHANGED - age * DAY,
        closedAt: CHANGED - age * DAY,
      }),
    );
    place.put(received);
    expect(retire(place, 2)).toBe(2);
    expect(titles(place)).toEqual(['Closed 1']);
    expect(retire(place, 2)).toBe(1);
    expect(place.put(received)).toBe(0);
    expect(place.agreements.counts(undefined, NOW).all).toBe(0);
  });

  it('checks each agreement once, even if it is kept or if many have the same time', () => {
    using place = agreementPlace();
    const old = { updatedAt: CHANGED, closedAt: CHANGED };
    place.put(
      Array.from({ length: 9 }, (_, at) =>
        at % 3 === 0
          ? remote({ title: `Rejected ${String(at)}`, state: 'rejected', ...old })
          : signed(`Not archived ${String(at)}`),
      ),
    );
    let [after, steps, gone]: [RetirementPlace | null, number, number] = [null, 0, 0];
    do {
      const step = place.agreements.retire({ before, after, limit: 2, at: NOW });
      after = step.next;
      steps += 1;
      gone += step.removed;
    } while (after !== null);
    expect([steps, gone]).toEqual([5, 3]);
    expect(titles(place)).toHaveLength(6);
  });

  it('removes copies of a removed connection, archived or not', () => {
    using place = agreementPlace();
    place.put([signed('Lease')]);
    place.connections.remove(place.connection.id, 'keep', 'keep');
    expect(retire(place)).toBe(1);
  });
});

it('the size of the stored agreements is reported for each connection, and of the data file', () => {
  using place = agreementPlace();
  const received = [signed('Lease'), signed('Order'), remote({ title: 'Open' })];
  place.put(received);
  const { fileBytes, connections } = place.agreements.storage();
  expect(connections).toMatchObject([
    { connectionId: place.connection.id, live: true, agreements: 3, closed: 2 },
  ]);
  expect(connections[0]?.bytes).toBeGreaterThan(received.length * 500);
  expect(fileBytes).toBeGreaterThan(connections[0]?.bytes ?? 0);
});
