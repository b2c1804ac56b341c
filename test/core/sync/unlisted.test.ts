import { beforeEach, describe, expect, it } from 'vitest';
import { SyncResult } from '../../../shared/contract/agreements.ts';
import { AgreementId, type ConnectionId } from '../../../shared/model/ids.ts';
import { AppError } from '../../../shared/errors.ts';
import { pageOf, remoteOf } from '../../support/fakes/fake-service.ts';
import {
  addConnection,
  type MemoryDesk,
  startMemoryDesk,
} from '../../support/fakes/memory-desk.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

const SERVER_TIME = Date.UTC(2026, 10, 21, 11, 59);

let desk: MemoryDesk;
let v1: ConnectionId;
let v2: ConnectionId;

beforeEach(async () => {
  desk = startMemoryDesk();
  v1 = (await addConnection(desk)).id;
  v2 = (await addConnection(desk, 'v2')).id;
});

async function sync(connectionId: ConnectionId, full = false) {
  desk.clock.advance(1000);
  const { jobId } = await desk.api['agreements.sync']({ connectionId, full });
  const { result } = await desk.finish(jobId);
  return SyncResult.parse(result).connections[0];
}

const show = (connectionId: ConnectionId, id: string) =>
  desk.api['agreements.show']({ connectionId, id: AgreementId.parse(id), refresh: false });

describe('an agreement that v1 lets expire', () => {
  it('is read only once after its expiry by the clock (T1-11)', async () => {
    const expiresAt = desk.clock.now() + 10_000;
    desk.services.v1.pages = [pageOf([remoteOf({ id: 'a', expiresAt })], SERVER_TIME)];
    await sync(v1);
    desk.services.v1.pages = [pageOf([], SERVER_TIME)];
    const expired = remoteOf({ id: 'a', expiresAt, state: 'expired', nativeState: 'EXPIRED' });
    desk.clock.advance(20_000);
    desk.services.v1.agreements.set('a', expired);
    expect(await sync(v1)).toMatchObject({ changed: 1, gone: 0 });
    expect(await show(v1, 'a')).toMatchObject({ state: 'expired' });
    await sync(v1);
    expect(desk.services.v1.reads).toEqual(['a']);
  });

  it('is found by the shorter list of open agreements if the local clock is slow (T1-11)', async () => {
    const expiresAt = desk.clock.now() + DAY;
    const known = ['a', 'b', 'c'].map((id) => remoteOf({ id, expiresAt }));
    desk.services.v1.pages = [pageOf(known, SERVER_TIME)];
    await sync(v1);
    desk.services.v1.pages = [pageOf([], SERVER_TIME)];
    desk.services.v1.agreements.set('b', remoteOf({ id: 'b', expiresAt, state: 'expired' }));
    await sync(v1);
    expect(await show(v1, 'b')).toMatchObject({ state: 'expired' });
    expect(desk.services.v1.reads).toEqual(['b']);
  });
});

describe('an agreement that no list of v2 shows any more', () => {
  it('is marked as revoked at the next sync: the list of open agreements is shorter (T2-20, T2-21)', async () => {
    desk.services.v2.pages = [
      pageOf([remoteOf({ id: '1', nativeState: 'POSTED' }), remoteOf({ id: '2' })], SERVER_TIME),
    ];
    await sync(v2);
    desk.services.v2.pages = [pageOf([], SERVER_TIME)];
    const revoked = remoteOf({ id: '1', state: 'revoked', nativeState: 'REVOKED' });
    desk.services.v2.agreements.set('1', revoked);
    expect(await sync(v2)).toMatchObject({ changed: 1, gone: 0 });
    expect(await show(v2, '1')).toMatchObject({ state: 'revoked', gone: null });
    expect(desk.services.v2.reads).toEqual(['1']);
  });

  it('stays revoked if a new full list does not include it (T2-21)', async () => {
    desk.services.v2.pages = [pageOf([remoteOf({ id: '1' })], SERVER_TIME)];
    await sync(v2);
    desk.services.v2.pages = [pageOf([], SERVER_TIME)];
    desk.services.v2.agreements.set('1', remoteOf({ id: '1', state: 'revoked' }));
    await sync(v2);
    await sync(v2, true);
    expect(desk.services.v2.reads).toEqual(['1']);
  });
});

describe('the list of open agreements', () => {
  it('is not read while its length is as expected', async () => {
    desk.services.v1.pages = [pageOf([remoteOf({ id: 'a' }), remoteOf({ id: 'b' })], SERVER_TIME)];
    await sync(v1);
    desk.services.v1.pages = [pageOf([], SERVER_TIME)];
    expect(await sync(v1)).toMatchObject({ requests: 2, changed: 0 });
    expect(desk.services.v1).toMatchObject({ openPagesRead: 0, reads: [] });
  });

  it('is read once a day even if its length is as expected', async () => {
    desk.services.v1.pages = [pageOf([remoteOf({ id: 'a' })], SERVER_TIME)];
    await sync(v1);
    desk.services.v1.pages = [pageOf([], SERVER_TIME)];
    desk.clock.advance(DAY - 5000);
    await sync(v1);
    expect(desk.services.v1.openPagesRead).toBe(0);
    desk.clock.advance(5000);
    await sync(v1);
    await sync(v1);
    expect(desk.services.v1.openPagesRead).toBe(1);
  });

  it('adds agreements that no list of changes ever showed', async () => {
    desk.services.v1.pages = [pageOf([remoteOf({ id: 'a' })], SERVER_TIME)];
    await sync(v1);
    desk.services.v1.pages = [pageOf([], SERVER_TIME)];
    desk.services.v1.appear(remoteOf({ id: 'late' }));
    expect(await sync(v1)).toMatchObject({ changed: 1 });
    expect(await show(v1, 'late')).toMatchObject({ state: 'waiting' });
  });

  it('is read if one was added and another expired, although the length is unchanged (TE-S07)', async () => {
    const known = ['a', 'b', 'c'].map((id) => remoteOf({ id }));
    desk.services.v1.pages = [pageOf(known, SERVER_TIME)];
    await sync(v1);
    desk.services.v1.pages = [pageOf([remoteOf({ id: 'new' })], SERVER_TIME)];
    desk.services.v1.agreements.set('b', remoteOf({ id: 'b', state: 'expired' }));
    await sync(v1);
    expect(await show(v1, 'b')).toMatchObject({ state: 'expired' });
    expect(desk.services.v1.reads).toEqual(['b']);
  });

  it('is not read repeatedly if its total is one more than its listed agreements', async () => {
    desk.services.v1.pages = [pageOf([remoteOf({ id: 'a' })], SERVER_TIME)];
    desk.services.v1.hiddenOpen = 1;
    await sync(v1);
    const { openPagesRead } = desk.services.v1;
    expect(openPagesRead).toBeGreaterThan(0);
    desk.services.v1.pages = [pageOf([remoteOf({ id: 'a', title: 'Other' })], SERVER_TIME)];
    await sync(v1);
    await sync(v1);
    expect(desk.services.v1.openPagesRead).toBe(openPagesRead);
  });
});

describe('readings of single agreements', () => {
  it('are limited to 25 in one sync, and continue in the next', async () => {
    const many = Array.from({ length: 40 }, (_, index) => remoteOf({ id: `a${index}` }));
    desk.services.v1.pages = [many.slice(0, 20), many.slice(20)].map((some) =>
      pageOf(some, SERVER_TIME),
    );
    await sync(v1);
    desk.services.v1.pages = [pageOf([], SERVER_TIME)];
    for (const one of many) {
      desk.services.v1.agreements.set(one.id, { ...one, state: 'expired' });
    }
    await sync(v1);
    expect(desk.services.v1.reads).toHaveLength(25);
    await sync(v1);
    expect(new Set(desk.services.v1.reads).size).toBe(40);
    await sync(v1);
    expect(desk.services.v1.reads).toHaveLength(40);
  });

  it('distinguish deleted agreements from inaccessible ones, whose copy stays (T1-20)', async () => {
    desk.services.v1.pages = [
      pageOf([remoteOf({ id: 'deleted' }), remoteOf({ id: 'closed-to-us' })], SERVER_TIME),
    ];
    await sync(v1);
    desk.services.v1.pages = [pageOf([], SERVER_TIME)];
    await sync(v1);
    expect(await show(v1, 'deleted')).toMatchObject({ gone: null });
    desk.services.v1.agreements.set('closed-to-us', new AppError('forbidden', 'Not for you'));
    desk.services.v1.agreements.set('deleted', new AppError('not-found', 'No such agreement'));
    expect(await sync(v1)).toMatchObject({ gone: 2 });
    expect(await show(v1, 'deleted')).toMatchObject({ gone: 'deleted', title: 'Lease' });
    expect(await show(v1, 'closed-to-us')).toMatchObject({ gone: 'no-access', title: 'Lease' });
  });

  it('find closed agreements that are missing from every full list (T1-20)', async () => {
    const signed = remoteOf({ id: 'signed', state: 'signed' });
    desk.services.v1.pages = [pageOf([signed, remoteOf({ id: 'b' })], SERVER_TIME)];
    await sync(v1);
    desk.services.v1.pages = [pageOf([remoteOf({ id: 'b' })], SERVER_TIME)];
    expect(await sync(v1)).toMatchObject({ gone: 0 });
    expect(await sync(v1, true)).toMatchObject({ gone: 1 });
    expect(await show(v1, 'signed')).toMatchObject({ gone: 'deleted' });
  });

  it('find agreements that the service deletes on an announced day (T1-21)', async () => {
    const deletesAt = desk.clock.now() + 10_000;
    const signed = remoteOf({ id: 'signed', state: 'signed', deletesAt });
    desk.services.v1.pages = [pageOf([signed], SERVER_TIME)];
    await sync(v1);
    desk.services.v1.pages = [pageOf([], SERVER_TIME)];
    await sync(v1);
    expect(desk.services.v1.reads).toEqual([]);
    desk.clock.advance(10_000);
    expect(await sync(v1)).toMatchObject({ gone: 1 });
    expect(await show(v1, 'signed')).toMatchObject({ gone: 'deleted' });
  });

  it('change no agreement if they fail without a network, and are repeated (T1-20)', async () => {
    const expiresAt = desk.clock.now() + 10_000;
    desk.services.v1.pages = [pageOf([remoteOf({ id: 'a', expiresAt })], SERVER_TIME)];
    await sync(v1);
    desk.services.v1.agreements.set('a', new AppError('offline', 'No network'));
    desk.services.v1.pages = [pageOf([], SERVER_TIME)];
    desk.clock.advance(20_000);
    expect(await sync(v1)).toMatchObject({ failure: { code: 'offline' }, gone: 0 });
    desk.services.v1.agreements.set('a', remoteOf({ id: 'a', expiresAt, state: 'expired' }));
    await sync(v1);
    expect(await show(v1, 'a')).toMatchObject({ state: 'expired', gone: null });
  });
});
