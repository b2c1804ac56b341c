import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { AgreementId } from '../../../../shared/model/ids.ts';
import type { RemoteAgreement } from '../../../../shared/model/agreement.ts';
import { remoteOf } from '../../../support/fakes/fake-service.ts';
import { createSyncing, ids } from '../../../support/desks/syncing.ts';
import { NOW, type TempDatabase, tempDatabase } from '../temp-database.ts';
import { MINUTE } from '../../../../shared/rules/time/units.ts';

const NOWHERE = {
  v1Url: 'http://127.0.0.1:1',
  v2Url: 'http://127.0.0.1:1/v2',
  credentials: { token: 't', accessKey: 'k', accountId: '1' },
};

function open() {
  const desk = tempDatabase();
  createSyncing(desk.stores, NOWHERE);
  return desk;
}

const put = (
  { stores }: TempDatabase,
  api: 'v1' | 'v2',
  seenAt: number,
  ...remote: readonly RemoteAgreement[]
) => stores.agreements.put(ids[api], api, remote, seenAt);

const possiblyStale = ({ stores }: TempDatabase, api: 'v1' | 'v2' = 'v1', limit = 25) =>
  stores.sync.possiblyStale(ids[api], NOW, limit);

describe('a full reading of a connection', () => {
  it('is stored with its position until it is complete, for each connection', () => {
    using desk = open();
    const { sync } = desk.stores;
    const place = { position: null, pages: 1 };
    const reading = { startedAt: NOW, serverTime: NOW + 5, total: 7, place };
    expect(sync.full(ids.v1)).toBeNull();
    sync.saveFull(ids.v1, reading);
    expect([sync.full(ids.v1), sync.full(ids.v2)]).toEqual([reading, null]);
    sync.saveFull(ids.v1, { ...reading, place: { position: 3, pages: 3 } });
    expect(sync.full(ids.v1)?.place).toEqual({ position: 3, pages: 3 });
    sync.endFull(ids.v1, NOW);
    expect(sync.full(ids.v1)).toBeNull();
  });

  it('is rolled back with its page', () => {
    using desk = open();
    const { sync } = desk.stores;
    const fail = () =>
      desk.stores.quickTransaction(() => {
        put(desk, 'v1', NOW, remoteOf({ id: 'a' }));
        throw new Error('in the middle');
      });
    expect(fail).toThrowError('in the middle');
    expect(sync.known(ids.v1, ['a'])).toBe(0);
  });
});

describe('agreements received in a sync', () => {
  it('are counted from an instant on, without removed agreements', () => {
    using desk = open();
    put(desk, 'v1', NOW - 1, remoteOf({ id: 'old' }));
    put(desk, 'v1', NOW, remoteOf({ id: 'open' }), remoteOf({ id: 'closed', state: 'signed' }));
    put(desk, 'v1', NOW, remoteOf({ id: 'gone' }));
    const [gone] = desk.stores.agreements.find(AgreementId.parse('gone'));
    if (gone !== undefined) desk.stores.agreements.markGone(gone, 'deleted');
    const { sync } = desk.stores;
    expect(sync.countSeenSince(ids.v1, NOW)).toBe(2);
    expect(sync.countOpenSeenSince(ids.v1, NOW)).toBe(1);
    expect(sync.known(ids.v1, ['old', 'gone', 'never'])).toBe(2);
  });

  it('are counted for one connection only, including agreements forgotten on this computer', () => {
    using desk = open();
    const { sync, agreements } = desk.stores;
    for (const api of ['v1', 'v2'] as const) {
      put(desk, api, NOW, remoteOf({ id: 'kept' }), remoteOf({ id: 'forgotten' }));
      put(desk, api, NOW - 1, remoteOf({ id: 'long forgotten' }));
    }
    put(desk, 'v2', NOW, remoteOf({ id: 'of v2' }));
    for (const id of ['forgotten', 'long forgotten']) {
      agreements.forget([{ connectionId: ids.v1, id: AgreementId.parse(id) }], NOW + 1);
    }
    expect(sync.countSeenSince(ids.v1, NOW)).toBe(2);
    expect(sync.countOpenSeenSince(ids.v1, NOW)).toBe(1);
    expect(sync.known(ids.v1, ['kept', 'forgotten', 'of v2'])).toBe(2);
    expect(sync.known(ids.v1, ['of v2'])).toBe(0);
    expect(sync.known(ids.v2, ['kept', 'forgotten', 'of v2'])).toBe(3);
  });

  it('have their number of open agreements stored for each connection, next to a full reading', () => {
    using desk = open();
    const { sync } = desk.stores;
    const reading = { startedAt: NOW, serverTime: null, total: null, place: null };
    sync.saveFull(ids.v1, reading);
    expect(sync.openCount(ids.v1)).toBeNull();
    sync.saveOpenCount(ids.v1, { sweptAt: NOW, count: 3, difference: -1 });
    sync.saveOpenCount(ids.v1, { sweptAt: NOW + 1, count: 4, difference: 2 });
    expect(sync.openCount(ids.v1)).toEqual({ sweptAt: NOW + 1, count: 4, difference: 2 });
    expect([sync.openCount(ids.v2), sync.full(ids.v1)]).toEqual([null, reading]);
    sync.endFull(ids.v1, NOW + 2);
    expect(sync.openCount(ids.v1)).toMatchObject({ count: 4 });
  });
});

describe('outdated agreements', () => {
  it('are the agreements that are due at an instant, except those received at that instant', () => {
    using desk = open();
    const times = { expiresAt: NOW };
    put(desk, 'v1', NOW - 1, remoteOf({ id: 'expires now', ...times }));
    put(desk, 'v1', NOW, remoteOf({ id: 'told now', ...times }));
    put(desk, 'v1', NOW - 1, remoteOf({ id: 'deleted now', state: 'signed', deletesAt: NOW }));
    put(desk, 'v1', NOW, remoteOf({ id: 'told signed', state: 'signed', deletesAt: NOW }));
    expect(possiblyStale(desk).toSorted()).toEqual(['deleted now', 'expires now']);
  });

  it('exclude other connections, removed agreements, and those closed before their expiry', () => {
    using desk = open();
    const { agreements, sync } = desk.stores;
    const past = NOW - MINUTE;
    const times = { expiresAt: past, deletesAt: past };
    put(desk, 'v2', past - 1, remoteOf({ id: 'of v2', ...times }));
    put(desk, 'v1', past - 1, remoteOf({ id: 'gone', ...times }));
    put(desk, 'v1', past - 1, remoteOf({ id: 'signed', state: 'signed', expiresAt: past }));
    agreements.markGone({ connectionId: ids.v1, id: AgreementId.parse('gone') }, 'deleted');
    expect(possiblyStale(desk)).toEqual([]);
    // Lists of v2 do not concern v1, and a list of open agreements does not concern a signed one.
    sync.saveOpenCount(ids.v2, { sweptAt: NOW, count: 0, difference: 0 });
    sync.endFull(ids.v2, NOW);
    expect(possiblyStale(desk)).toEqual([]);
    sync.saveOpenCount(ids.v1, { sweptAt: NOW, count: 0, difference: 0 });
    expect(possiblyStale(desk)).toEqual([]);
    sync.endFull(ids.v1, NOW);
    expect(possiblyStale(desk)).toEqual(['signed']);
  });

  it('exclude those received at the start of a list', () => {
    using desk = open();
    put(desk, 'v1', NOW, remoteOf({ id: 'listed' }));
    desk.stores.sync.saveOpenCount(ids.v1, { sweptAt: NOW, count: 1, difference: 0 });
    desk.stores.sync.endFull(ids.v1, NOW);
    expect(possiblyStale(desk)).toEqual([]);
  });

  it('are expired or deleted by the local clock, and not received after that time (T1-11, T1-21)', () => {
    using desk = open();
    const past = NOW - MINUTE;
    put(desk, 'v1', past - 1, remoteOf({ id: 'expired', expiresAt: past }));
    put(desk, 'v1', past - 1, remoteOf({ id: 'deleted', state: 'signed', deletesAt: past }));
    put(desk, 'v1', past + 1, remoteOf({ id: 'told since', expiresAt: past }));
    put(desk, 'v1', past - 1, remoteOf({ id: 'later', expiresAt: NOW + MINUTE }));
    expect(possiblyStale(desk).toSorted()).toEqual(['deleted', 'expired']);
  });

  it('are missing from the last list of open agreements, except drafts (T2-21)', () => {
    using desk = open();
    put(desk, 'v1', NOW - 2, remoteOf({ id: 'left' }), remoteOf({ id: 'draft', state: 'draft' }));
    put(desk, 'v1', NOW, remoteOf({ id: 'listed' }));
    desk.stores.sync.saveOpenCount(ids.v1, { sweptAt: NOW - 1, count: 1, difference: 0 });
    expect(possiblyStale(desk)).toEqual(['left']);
  });

  it('are missing from the last full list, except agreements that v2 never lists (T1-20, T2-21)', () => {
    using desk = open();
    const revoked = remoteOf({ id: 'revoked', state: 'revoked' });
    const signed = remoteOf({ id: 'signed', state: 'signed' });
    for (const api of ['v1', 'v2'] as const) {
      put(desk, api, NOW - 2, revoked, signed);
      desk.stores.sync.endFull(ids[api], NOW - 1);
    }
    expect(possiblyStale(desk, 'v1').toSorted()).toEqual(['revoked', 'signed']);
    expect(possiblyStale(desk, 'v2')).toEqual(['signed']);
  });

  it('are listed oldest first, up to the requested number', () => {
    using desk = open();
    for (const age of [3, 9, 6]) put(desk, 'v1', NOW - age, remoteOf({ id: `old-${String(age)}` }));
    desk.stores.sync.endFull(ids.v1, NOW);
    expect(possiblyStale(desk, 'v1', 2)).toEqual(['old-9', 'old-6']);
  });
});

const isOpen = `state IN ('waiting', 'part-signed')`;
const questions = [
  'seen_at >= 1',
  `${isOpen} AND seen_at >= 1`,
  `${isOpen} AND seen_at < 9 ORDER BY seen_at`,
  'deletes_at IS NOT NULL AND deletes_at <= 1 ORDER BY deletes_at',
  `${isOpen} AND expires_at IS NOT NULL AND expires_at <= 1 ORDER BY expires_at`,
];

it.each(questions)('the query of a connection for %s uses an ordered index', (question) => {
  using desk = open();
  const Plan = z.object({ detail: z.string() });
  const sql = `EXPLAIN QUERY PLAN SELECT id FROM agreement
    WHERE connection_id = 'x' AND gone IS NULL AND ${question}`;
  const plan = desk.database
    .query(sql, Plan)
    .all()
    .map(({ detail }) => detail);
  expect(plan).toHaveLength(1);
  expect(plan[0]).toMatch(
    /^SEARCH agreement USING (COVERING )?INDEX agreement_\w+ \(connection_id=\?/,
  );
});
