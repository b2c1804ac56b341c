import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as sql from '../../../../electron/adapters/sqlite/outbox/sql.ts';
import { newConnection, outboxEntry } from '../samples.ts';
import { NOW, type TempDatabase, tempDatabase } from '../temp-database.ts';

const Plan = z.object({ detail: z.string() }).transform(({ detail }) => detail);
/** Step that reads a whole table; a scan of this partial index reads only requested rows. */
const SCAN = /^SCAN (?:outbox|attempt|journal|agreement)\b(?!.*INDEX outbox_look)/;

let place: TempDatabase;

beforeAll(() => {
  place = tempDatabase();
  const connection = newConnection();
  place.stores.connections.save(connection);
  for (let row = 0; row < 200; row += 1) {
    const entry = outboxEntry(connection);
    place.stores.outbox.insert(entry, NOW);
    const to = row % 50 === 0 ? 'unknown' : 'sent';
    place.stores.outbox.move(entry.item.ref, ['queued'], { to, cause: 'answer' }, NOW);
  }
});
afterAll(() => {
  place[Symbol.dispose]();
});

const planOf = (statement: string) =>
  place.database
    .query(`EXPLAIN QUERY PLAN ${statement}`, Plan)
    .all(
      Object.fromEntries([...statement.matchAll(/@(\w+)/g)].map(([, name = '']) => [name, null])),
    );

const rowsOf = (clause: string) => `SELECT ref FROM outbox ${clause}`;

describe('the outbox reads no whole table', () => {
  it.each([
    ['the due rows', rowsOf(sql.where.due)],
    ['the time at which the next row is due', sql.nextDue],
    ['the time of the next scan', sql.scanTimes],
    ['the rows of a status', rowsOf(sql.where.inState)],
    ['the rows of a batch', rowsOf(sql.where.inBatch)],
    ['the rows of unknown outcome', rowsOf(sql.where.inDoubt)],
    ['the sent rows that a scan must show', rowsOf(sql.where.canaries)],
    ['the row of an agreement', rowsOf(sql.where.boundTo)],
    ['the earlier sends of the same content', rowsOf(sql.where.sentBefore)],
    ['the replacement of a row', rowsOf(sql.where.replacing)],
    ['the last send of a draft', rowsOf(sql.where.lastOf)],
    ['the row that another row replaces', sql.replacedOpen],
    ['the attempts of a row', sql.attempts],
    ['the possible duplicates of sent rows', sql.suspects],
  ])('for %s', (_what, statement) => {
    expect(planOf(statement).filter((step) => SCAN.test(step))).toEqual([]);
  });

  it('to find the replacement of a row, however many other rows wait (DL-V20)', () => {
    const steps = planOf(rowsOf(sql.where.replacing)).join('\n');
    expect(steps).toContain('outbox_supersedes');
    expect(steps).not.toContain('outbox_state');
  });
});
