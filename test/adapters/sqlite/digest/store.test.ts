import { describe, expect, it } from 'vitest';
import { newConnection, remote } from '../samples.ts';
import { NOW, tempDatabase, type TempDatabase } from '../temp-database.ts';
import { DAY } from '../../../../shared/rules/time/units.ts';

/** Adds a connection that is read up to `checkedUntil`, or never if it is null. */
function readUpTo(place: TempDatabase, checkedUntil: number | null) {
  const connection = newConnection();
  place.stores.connections.save(connection);
  if (checkedUntil !== null) {
    place.stores.connections.setCheckedUntil(connection.id, checkedUntil, NOW);
  }
  const put = (
    id: string,
    state: 'waiting' | 'signed' | 'rejected',
    closedAt: number | null = null,
  ) => place.stores.agreements.put(connection.id, 'v1', [remote({ id, state, closedAt })], NOW);
  return { connection, put };
}

describe('ended agreements of a daily summary', () => {
  it('are agreements that were open on this computer before, each listed once, latest first', () => {
    using place = tempDatabase();
    const { put } = readUpTo(place, null);
    for (const id of ['a', 'b', 'c']) put(id, 'waiting');
    put('a', 'signed', NOW + 1);
    put('b', 'rejected', NOW + 2);
    put('a', 'signed', NOW + 1);
    const { digest } = place.stores;
    const { counts, rows } = digest.ended(0, 10);
    expect([...counts]).toEqual([
      ['rejected', 1],
      ['signed', 1],
    ]);
    expect(rows.map(({ key, kind, at }) => [key.id, kind, at])).toEqual([
      ['b', 'rejected', NOW + 2],
      ['a', 'signed', NOW + 1],
    ]);
    expect(digest.last()).toBe(2);
    expect(digest.ended(1, 10).rows.map(({ key }) => key.id)).toEqual(['b']);
  });

  it('are counted quickly after years without a summary: only the latest agreements are read', () => {
    using place = tempDatabase();
    const { put, connection } = readUpTo(place, null);
    put('a', 'waiting');
    const note = place.database.command(
      `INSERT INTO agreement_end (connection_id, agreement_id, state) VALUES (@of, @id, 'signed')`,
    );
    const gone = 'a connection that is gone';
    place.database.transaction(() => {
      for (let at = 0; at < 3; at += 1) note({ of: connection.id, id: `old ${at}` });
      note({ of: gone, id: 'old' });
      for (let at = 0; at < 9_999; at += 1) note({ of: connection.id, id: `gone ${at}` });
    });
    put('a', 'signed', NOW + 1);
    const { counts, rows } = place.stores.digest.ended(0, 10);
    expect(counts.get('signed')).toBe(4);
    expect(rows.map(({ key }) => key.id)).toEqual(['a']);
    expect(place.stores.digest.ended(4, 10).counts.get('signed')).toBe(1);
  });

  it('exclude agreements that ended before the first reading of the connection', () => {
    using place = tempDatabase();
    const { put } = readUpTo(place, null);
    put('a', 'signed', NOW - DAY);
    expect(place.stores.digest.last()).toBe(0);
  });

  it('include agreements that started and ended between two readings', () => {
    using place = tempDatabase();
    const { put } = readUpTo(place, NOW - DAY);
    put('old', 'signed', NOW - 2 * DAY);
    put('new', 'signed', NOW - 1);
    expect(place.stores.digest.ended(0, 10).rows.map(({ key }) => key.id)).toEqual(['new']);
  });

  it('continue their numbering after all earlier ones were removed', () => {
    using place = tempDatabase();
    const { put } = readUpTo(place, null);
    const { digest } = place.stores;
    for (const id of ['a', 'b']) put(id, 'waiting');
    put('a', 'signed', NOW);
    digest.trim(digest.last());
    put('b', 'signed', NOW);
    expect(digest.last()).toBe(2);
  });

  it('are removed with their connection, and long after they were in a summary', () => {
    using place = tempDatabase();
    const { connection, put } = readUpTo(place, null);
    const { digest } = place.stores;
    for (const id of ['a', 'b']) put(id, 'waiting');
    for (const id of ['a', 'b']) put(id, 'signed', NOW);
    digest.trim(1);
    expect(digest.ended(0, 10).rows.map(({ key }) => key.id)).toEqual(['b']);
    place.stores.connections.remove(connection.id, 'keep', 'keep');
    expect(digest.ended(0, 10)).toEqual({ counts: new Map(), rows: [] });
  });
});

describe('expiring agreements of a daily summary', () => {
  it('are the open, sent agreements that expire within the given time, the earliest first', () => {
    using place = tempDatabase();
    const { connection } = readUpTo(place, null);
    const plant = (
      id: string,
      expiresAt: number,
      state: 'waiting' | 'signed' | 'draft' = 'waiting',
    ) => remote({ id, state, expiresAt });
    place.stores.agreements.put(
      connection.id,
      'v1',
      [
        plant('late', NOW + 4 * DAY),
        plant('second', NOW + 2 * DAY),
        plant('first', NOW + DAY),
        plant('gone', NOW - 1),
        plant('signed', NOW + DAY, 'signed'),
        plant('draft', NOW + DAY, 'draft'),
      ],
      NOW,
    );
    const { counts, rows } = place.stores.digest.expiring(NOW, NOW + 3 * DAY, 1);
    expect(counts.get('expiring')).toBe(2);
    expect(rows.map(({ key, at }) => [key.id, at])).toEqual([['first', NOW + DAY]]);
  });
});

describe('the progress of daily summaries', () => {
  it('is stored and read back', () => {
    using place = tempDatabase();
    const { digest } = place.stores;
    expect(digest.place()).toBeNull();
    digest.savePlace({ takenAt: 1, before: null, since: 0, until: 0 });
    digest.savePlace({ takenAt: 5, before: 1, since: 0, until: 7 });
    expect(digest.place()).toEqual({ takenAt: 5, before: 1, since: 0, until: 7 });
  });
});
