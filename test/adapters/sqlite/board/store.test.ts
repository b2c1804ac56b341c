import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createBoardStore } from '../../../../electron/adapters/sqlite/board/store.ts';
import type { BoardQuery } from '../../../../electron/core/board/ports.ts';
import { TemplateId } from '../../../../shared/model/ids.ts';
import type { RemoteAgreement } from '../../../../shared/model/agreement.ts';
import {
  ageBuckets,
  upcomingIntervals,
  monthIntervals,
} from '../../../../shared/rules/board/stretches.ts';
import { startTemplate } from '../../../../shared/rules/templates/start.ts';
import { claimAt, idOf, newConnection, newDraft, outboxEntry, remote } from '../samples.ts';
import { NOW, tempDatabase } from '../temp-database.ts';
import { DAY } from '../../../../shared/rules/time/units.ts';

const question = (change: Partial<BoardQuery> = {}): BoardQuery => ({
  connectionId: null,
  now: NOW,
  ages: ageBuckets(NOW),
  months: monthIntervals(NOW),
  ahead: upcomingIntervals(NOW, 14),
  since: NOW - 30 * DAY,
  mostTemplates: 10,
  ...change,
});

function office() {
  const place = tempDatabase();
  const { stores } = place;
  const [connection, old] = [newConnection(), newConnection({ api: 'v2', name: 'Old' })];
  stores.connections.save(connection);
  stores.connections.save(old);
  const put = (received: readonly RemoteAgreement[], of = connection) =>
    stores.agreements.put(of.id, of.api, received, NOW);
  const ask = (change: Partial<BoardQuery> = {}) => stores.board.board(question(change));
  return Object.assign(place, { connection, old, put, ask });
}

const signed = (days: number, closedAt = NOW - DAY, change: Partial<RemoteAgreement> = {}) =>
  remote({
    state: 'signed',
    nativeState: 'SIGNED_BY_ALL',
    sentAt: closedAt - days * DAY,
    closedAt,
    ...change,
  });

describe('the board’s waiting agreements by age', () => {
  it('counts open agreements by calendar days, and those without a time separately', () => {
    using place = office();
    const sent = (days: number) => remote({ sentAt: NOW - days * DAY });
    place.put([
      ...[0, 1, 3, 4, 7, 8, 14, 15, 30, 31, 60, 61, 900].map(sent),
      sent(-1),
      remote({ state: 'part-signed', sentAt: NOW - 2 * DAY }),
      remote({ state: 'unknown', nativeState: 'HELD', sentAt: NOW - 2 * DAY }),
      remote({ sentAt: null }),
      remote({ state: 'draft', sentAt: null }),
      remote({ state: 'expired', sentAt: NOW - DAY }),
      signed(1),
    ]);
    expect(place.ask().waiting).toEqual({ counts: [2, 4, 2, 2, 2, 2, 2], unknown: 1 });
  });

  it('excludes agreements that the service no longer has, and other connections on request', () => {
    using place = office();
    const gone = remote();
    place.put([gone, remote()]);
    place.put([remote(), remote(), remote()], place.old);
    const key = { connectionId: place.connection.id, id: idOf(gone.id) };
    place.stores.agreements.markGone(key, 'deleted');
    const sum = (change: Partial<BoardQuery>) =>
      place.ask(change).waiting.counts.reduce((all, one) => all + one, 0);
    expect(sum({})).toBe(4);
    expect(sum({ connectionId: place.connection.id })).toBe(1);
    expect(sum({ connectionId: newConnection().id })).toBe(0);
  });
});

describe('the board’s time to signature', () => {
  it('is shown as median and 90th percentile, by the month of closing', () => {
    using place = office();
    const lastMonth = new Date(2026, 9, 15).getTime();
    place.put([
      ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((days) => signed(days)),
      ...[4, 2, 9].map((days) => signed(days, lastMonth)),
      signed(5, new Date(2025, 10, 30, 23).getTime()),
    ]);
    const { months, unknown } = place.ask().signing;
    expect(unknown).toBe(0);
    expect(months).toEqual([
      { at: 10, count: 3, median: 4 * DAY, ninety: 9 * DAY },
      { at: 11, count: 10, median: 5 * DAY, ninety: 9 * DAY },
    ]);
  });

  it('excludes and counts agreements with an unknown signing or sending time', () => {
    using place = office();
    const closedAt = NOW - DAY;
    place.put([
      signed(1),
      signed(1, closedAt, { sentAt: null }),
      signed(1, closedAt, { closedAt: null }),
      remote({ state: 'rejected', closedAt }),
    ]);
    const { months, unknown } = place.ask().signing;
    expect(months.map(({ count }) => count)).toEqual([1]);
    expect(unknown).toBe(2);
  });

  it('counts a signature dated before the sending as zero time', () => {
    using place = office();
    place.put([signed(-2)]);
    expect(place.ask().signing.months).toMatchObject([{ median: 0, ninety: 0 }]);
  });

  it('is shown by template, for agreements sent from this program and for the service’s templates', () => {
    using place = office();
    const { stores, connection, old } = place;
    const ids = ['Lease', 'Order'].map((name, at) => {
      const id = TemplateId.parse(randomUUID());
      stores.templates.insert(
        {
          id,
          name,
          nextNumber: 1,
          used: 0,
          revision: 1,
          source: { kind: 'service', templateId: `87${String(at)}`, fields: [], learntFrom: null },
          content: startTemplate('v2', name, null),
          createdAt: 1,
          updatedAt: 1,
          trashedAt: null,
        },
        null,
      );
      return id;
    });
    const [lease] = ids;
    if (lease === undefined) throw new Error('No template');
    for (const id of ['a', 'b']) {
      const draft = newDraft();
      stores.drafts.insert(draft);
      stores.drafts.noteTemplate(draft.id, lease);
      const entry = outboxEntry(connection, { draftId: draft.id });
      stores.outbox.insert(entry, NOW);
      stores.outbox.claim(entry.item.ref, claimAt(NOW));
      const sent = { to: 'sent', cause: 'answer', remoteId: idOf(id) } as const;
      stores.outbox.move(entry.item.ref, ['sending'], sent, NOW);
    }
    place.put([signed(2, NOW - DAY, { id: 'a' }), signed(4, NOW - DAY, { id: 'b' }), signed(9)]);
    place.put([signed(1, NOW - DAY, { id: 'c', tags: null })], old);
    stores.agreements.setTemplate(old.id, '871', ['c']);
    const { templates } = place.ask().signing;
    expect(templates.map(({ template, count, median }) => [template, count, median / DAY])).toEqual(
      [
        ['Lease', 2, 2],
        ['Order', 1, 1],
        [null, 1, 9],
      ],
    );
    const few = place.ask({ mostTemplates: 1 }).signing;
    expect(few.templates.map(({ template }) => template)).toEqual(['Lease', null]);
    expect(few.moreTemplates).toBe(1);
  });
});

describe('the board’s expiring agreements', () => {
  it('are counted by day, and separately when expired or without a date', () => {
    using place = office();
    const expires = (at: number | null) => remote({ expiresAt: at });
    const tomorrow = NOW + DAY;
    place.put([
      ...[NOW + 1000, tomorrow, tomorrow, NOW - 1, null, NOW + 20 * DAY].map(expires),
      remote({ state: 'signed', expiresAt: tomorrow }),
      remote({ state: 'draft', expiresAt: tomorrow }),
    ]);
    const { counts, unknown, past } = place.ask().expiring;
    expect(counts.slice(0, 3)).toEqual([1, 2, 0]);
    expect([counts.length, unknown, past]).toEqual([14, 1, 1]);
  });
});

describe('the board’s failures', () => {
  it('count sends, actions, files and archive runs separately', () => {
    using place = office();
    const { stores, connection } = place;
    for (const to of ['rejected', 'unknown'] as const) {
      const entry = outboxEntry(connection);
      stores.outbox.insert(entry, NOW);
      stores.outbox.claim(entry.item.ref, claimAt(NOW));
      stores.outbox.move(entry.item.ref, ['sending'], { to, cause: 'answer' }, NOW);
    }
    const kept = [signed(1, NOW - DAY, { id: 'k' }), signed(1, NOW - DAY, { id: 'l' })];
    place.put(kept);
    const keys = kept.map(({ id }) => ({ connectionId: connection.id, id: idOf(id) }));
    for (const key of keys) {
      stores.archive.record(key, { file: `/x/${key.id}`, bytes: 1, sha256: 'a' }, NOW);
    }
    stores.archive.noteFindings(
      '/x',
      keys.map((key, at) => ({
        key,
        file: `/x/${key.id}`,
        finding: at === 0 ? ('missing' as const) : ('intact' as const),
      })),
      NOW,
    );
    const action = place.database.command(`
      INSERT INTO action (id, kind, state, connection_id, title, created_at, updated_at)
      VALUES (@id, 'revoke', @state, @connectionId, '', @at, @at)`);
    for (const [state, at] of [
      ['refused', NOW],
      ['refused', NOW - 40 * DAY],
      ['unknown', NOW - 40 * DAY],
      ['done', NOW],
    ] as const)
      action({ id: randomUUID(), state, at, connectionId: connection.id });
    const rule = place.database.command(`
      INSERT INTO archive_rule (id, name, rule, last) VALUES (@id, @id, @rule, @last)`);
    const ran = (id: string, failed: number, failure: object | null) =>
      rule({ id, rule: '{"filter":{}}', last: JSON.stringify({ failed, failure }) });
    ran('three of it', 3, null);
    ran('could not begin', 0, { code: 'offline' });
    ran('went well', 0, null);
    const counts = (change: Partial<BoardQuery> = {}) =>
      Object.fromEntries(place.ask(change).failed.map(({ kind, count }) => [kind, count]));
    expect(counts()).toEqual({
      'send-refused': 1,
      'send-unclear': 1,
      'action-refused': 1,
      'action-unclear': 1,
      'archive-file': 1,
      'archive-run': 4,
    });
    expect(Object.values(counts({ connectionId: place.old.id }))).toEqual([0, 0, 0, 0, 0, 0]);
  });
});

it('no chart of the board reads all agreements: each uses an index as far as possible', () => {
  using place = office();
  const Plan = z.object({ detail: z.string() }).transform(({ detail }) => detail);
  const plans: string[] = [];
  const { database } = place;
  const watched = createBoardStore({
    ...database,
    query: (sql, row) => {
      const names = [...sql.matchAll(/@(\w+)/g)].map(([, name = '']) => [name, null] as const);
      plans.push(
        ...database.query(`EXPLAIN QUERY PLAN ${sql}`, Plan).all(Object.fromEntries(names)),
      );
      return database.query(sql, row);
    },
  });
  watched.board(question());
  const looks = plans.filter((step) => /^(?:SCAN|SEARCH) a(?:greement)?\b/.test(step));
  expect(looks.length).toBeGreaterThan(6);
  expect(looks.filter((step) => step.startsWith('SCAN') || !step.includes('INDEX'))).toEqual([]);
});
