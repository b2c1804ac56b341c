import { beforeEach, describe, expect, it } from 'vitest';
import { AgreementId, type ConnectionId } from '../../../shared/model/ids.ts';
import { pageOf, partyOf, remoteOf } from '../../support/fakes/fake-service.ts';
import {
  addConnection,
  addDraftV1,
  addDraftV2,
  type MemoryDesk,
  startMemoryDesk,
} from '../../support/fakes/memory-desk.ts';
import { DAY, MINUTE } from '../../../shared/rules/time/units.ts';

const SERVER_TIME = Date.UTC(2026, 10, 21, 11, 59);

let desk: MemoryDesk;
let v1: ConnectionId;
let v2: ConnectionId;

beforeEach(async () => {
  desk = startMemoryDesk();
  v1 = (await addConnection(desk)).id;
  v2 = (await addConnection(desk, 'v2')).id;
});

async function sync(connectionId: ConnectionId): Promise<void> {
  await desk.finish((await desk.api['agreements.sync']({ connectionId })).jobId);
}

const show = (connectionId: ConnectionId, id: string, refresh: boolean) =>
  desk.api['agreements.show']({ connectionId, id: AgreementId.parse(id), refresh });

describe('agreement changes missing from the service’s list of changes', () => {
  it('are found by reading the agreement again, and the copy has the time of that reading (T1-12)', async () => {
    const known = remoteOf({ id: 'a', expiresAt: SERVER_TIME + DAY });
    desk.services.v1.pages = [pageOf([known], SERVER_TIME)];
    await sync(v1);
    const readAt = desk.clock.now();
    desk.services.v1.agreements.set('a', { ...known, expiresAt: SERVER_TIME + 9 * DAY });
    desk.services.v1.pages = [pageOf([], SERVER_TIME)];
    desk.clock.advance(MINUTE);
    await sync(v1);
    expect(await show(v1, 'a', false)).toMatchObject({ expiresAt: SERVER_TIME + DAY, readAt });
    expect(await show(v1, 'a', true)).toMatchObject({
      expiresAt: SERVER_TIME + 9 * DAY,
      readAt: readAt + MINUTE,
    });
  });

  it('are read from the agreement, because a v2 list names no parties (T2-28)', async () => {
    const listed = remoteOf({ id: '2311', nativeState: 'POSTED' });
    desk.services.v2.pages = [pageOf([listed], SERVER_TIME)];
    await sync(v2);
    expect(await show(v2, '2311', false)).toMatchObject({ parties: null, partyCount: null });
    desk.services.v2.agreements.set('2311', { ...listed, parties: [partyOf({})] });
    expect(await show(v2, '2311', true)).toMatchObject({ partyCount: 1 });
    await sync(v2);
    expect(await show(v2, '2311', false)).toMatchObject({ partyCount: 1 });
  });
});

it('an agreement is shown with its common status and the status of its API (TX-03)', async () => {
  desk.services.v1.pages = [
    pageOf([remoteOf({ id: 'a', state: 'part-signed', nativeState: 'SIGNED' })], SERVER_TIME),
  ];
  desk.services.v2.pages = [
    pageOf([remoteOf({ id: '7', state: 'part-signed', nativeState: 'POSTED' })], SERVER_TIME),
  ];
  await Promise.all([sync(v1), sync(v2)]);
  const { items } = await desk.api['agreements.list']({ states: ['part-signed'] });
  expect(items.map(({ nativeState }) => nativeState).toSorted()).toEqual(['POSTED', 'SIGNED']);
});

it('a draft is not sent through the other API (TX-02)', async () => {
  const drafts = [
    { id: (await addDraftV1(desk)).id, connectionId: v2 },
    { id: (await addDraftV2(desk)).id, connectionId: v1 },
  ];
  for (const draft of drafts) {
    const sending = desk.api['drafts.send']({ ...draft, holdSeconds: 0, confirm: 1 });
    await expect(sending).rejects.toMatchObject({
      failure: { code: 'invalid', fields: { connectionId: expect.any(String) } },
    });
  }
  expect(await desk.api['outbox.list']({})).toEqual([]);
});
