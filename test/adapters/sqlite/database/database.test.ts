import { expect, it } from 'vitest';
import * as z from 'zod';
import type { Database } from '../../../../electron/adapters/sqlite/database/database.ts';
import { createStatements } from '../../../../electron/adapters/sqlite/database/statements.ts';
import { tempDatabase } from '../temp-database.ts';

const Pages = z.object({ wal_autocheckpoint: z.number() });
const Count = z.object({ count: z.number() });

it('the write-ahead log grows to the set number of pages before a commit checkpoints it', () => {
  using place = tempDatabase();
  // Prepared at each call, because SQLite returns the value at the time of preparing.
  const pages = () => place.database.query('PRAGMA wal_autocheckpoint', Pages).first();
  for (const most of [7, 16_384]) {
    place.database.setLogPages(most);
    expect(pages()).toEqual({ wal_autocheckpoint: most });
  }
});

it('a count without rows is zero, and a missing required row is reported as damage', () => {
  using place = tempDatabase();
  const sql = "SELECT count(*) AS count FROM setting WHERE name = 'none'";
  expect(place.database.query(sql, Count).only()).toEqual({ count: 0 });
  const missing = place.database.query(`${sql} GROUP BY name`, Count);
  expect(missing.first()).toBeUndefined();
  expect(() => missing.only()).toThrowError(
    expect.objectContaining({
      failure: expect.objectContaining({ code: 'storage', reason: 'data-damaged' }),
    }),
  );
});

it('reads with variable SQL are prepared once each, and above a limit the oldest is dropped', () => {
  using place = tempDatabase();
  const prepared: string[] = [];
  const query: Database['query'] = (sql, row) => {
    prepared.push(sql);
    return place.database.query(sql, row);
  };
  const statement = createStatements({ ...place.database, query }, Count);
  const ask = (number: number) => statement(`SELECT ${number} AS count`).only().count;
  const asked = Array.from({ length: 200 }, (_, number) => ask(number));
  expect(asked.map((number) => ask(number))).toEqual(asked);
  expect(prepared).toHaveLength(200);
  // One more statement replaces the oldest.
  expect([ask(200), ask(199), ask(1)]).toEqual([200, 199, 1]);
  expect(prepared).toHaveLength(201);
  ask(0);
  expect(prepared).toHaveLength(202);
});

it('a change listener receives each written row that it subscribed to, and no other', () => {
  using place = tempDatabase();
  const { database } = place;
  const heard: unknown[] = [];
  const values = ['NEW.name', 'OLD.value'];
  const when = "NEW.name <> 'quiet'";
  database.onWrite({ on: 'UPDATE OF value ON setting', when, values }, (...row) => heard.push(row));
  const insert = database.command('INSERT INTO setting (name, value) VALUES (@name, @value)');
  const update = database.command('UPDATE setting SET value = @value WHERE name = @name');
  insert({ name: 'loud', value: '1' });
  insert({ name: 'quiet', value: '1' });
  expect(heard).toEqual([]);
  expect(update({ name: 'loud', value: '2' })).toBe(1);
  update({ name: 'quiet', value: '2' });
  expect(heard).toEqual([['loud', '1']]);
});

it('a quick write does not wait for the disk, unless it is part of a write that waits', () => {
  using place = tempDatabase();
  const { database } = place;
  // Prepared each time, because SQLite returns the value at the time of preparing.
  const level = () =>
    database.query('PRAGMA synchronous', z.object({ synchronous: z.number() })).only().synchronous;
  const [NORMAL, FULL] = [1, 2];
  expect([database.quickTransaction(level), level()]).toEqual([NORMAL, FULL]);
  expect(database.transaction(() => database.quickTransaction(level))).toBe(FULL);
});
