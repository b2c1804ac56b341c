import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as sql from '../../../../electron/adapters/sqlite/outbox/sql.ts';
import { newConnection, outboxEntry } from '../samples.ts';
import { NOW, type TempDatabase, tempDatabase } from '../temp-database.ts';

const Plan = z.object({ detail: z.string() }).transform(({ detail }) => detail);
/** Tables read completely; walking a partial index reads only the requested rows. */
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
    ['what is due', rowsOf(sql.where.due)],
    ['when the next falls due', sql.nextDue],
    ['when to look next', sql.scanTimes],
    ['rows of one state', rowsOf(sql.where.inState)],
    ['rows of a batch', rowsOf(sql.where.inBatch)],
    ['rows in doubt', rowsOf(sql.where.inDoubt)],
    ['sent rows that a pass must show', rowsOf(sql.where.canaries)],
    ['the row of an agreement', rowsOf(sql.where.boundTo)],
    ['earlier sends of the same', rowsOf(sql.where.sentBefore)],
    ['what is to replace a row', rowsOf(sql.where.replacing)],
    ['the last try of a draft', rowsOf(sql.where.lastOf)],
    ['what a row replaces', sql.replacedOpen],
    ['the attempts of a row', sql.attempts],
    ['doubles of what was sent', sql.suspects],
  ])('for %s', (_what, statement) => {
    expect(planOf(statement).filter((step) => SCAN.test(step))).toEqual([]);
  });

  it('to find the replacement of a row, however many other rows wait (DL-V20)', () => {
    const steps = planOf(rowsOf(sql.where.replacing)).join('\n');
    expect(steps).toContain('outbox_supersedes');
    expect(steps).not.toContain('outbox_state');
  });
});
