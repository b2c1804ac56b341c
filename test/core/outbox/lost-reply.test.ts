import { beforeEach, describe, expect, it } from 'vitest';
import type { Draft } from '../../../shared/contract/drafts.ts';
import { AgreementId, type ConnectionId, type OutboxRef } from '../../../shared/model/ids.ts';
import type { Failure } from '../../../shared/errors.ts';
import { pageOf, partyOf, remoteOf } from '../../support/fakes/fake-service.ts';
import {
  addConnection,
  addDraftV1,
  addDraftV2,
  type MemoryDesk,
  startMemoryDesk,
} from '../../support/fakes/memory-desk.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

const SERVER_TIME = Date.UTC(2026, 10, 21, 12);

let desk: MemoryDesk;
let connectionId: ConnectionId;

beforeEach(async () => {
  desk = startMemoryDesk();
  connectionId = (await addConnection(desk)).id;
});

async function send(draft: Draft): Promise<OutboxRef> {
  const order = { id: draft.id, connectionId, holdSeconds: 0, confirm: 1 };
  return (await desk.api['drafts.send'](order)).ref;
}

const row = (ref: OutboxRef) => desk.api['outbox.show']({ ref });
const work = () => desk.api['outbox.run']({});
const sync = async () => {
  const { jobId } = await desk.api['agreements.sync']({});
  return desk.finish(jobId);
};
const lost: Failure = { code: 'offline', message: 'Reset', reason: 'connection-lost' };
const refusal = (failure: Partial<Failure>) => ({ failure });

describe('a send whose reply was lost', () => {
  const lose = () => desk.services.v1.answers.push({ kind: 'unknown', failure: lost });

  it('is never sent again by any later action (T1-60)', async () => {
    lose();
    const ref = await send(await addDraftV1(desk));
    await work();
    expect(await row(ref)).toMatchObject({
      state: 'unknown',
      attempts: 1,
      nextAt: null,
      reason: { reason: 'outcome-unknown' },
    });
    desk.clock.advance(30 * DAY);
    await work();
    await sync();
    await desk.api['outbox.look']({ ref });
    await expect(desk.api['outbox.sendNow']({ ref })).rejects.toMatchObject(
      refusal({ code: 'conflict', reason: 'outcome-unknown' }),
    );
    await expect(desk.api['outbox.undo']({ ref })).rejects.toThrow();
    expect(desk.services.v1.created).toHaveLength(1);
    expect(await row(ref)).toMatchObject({ state: 'unknown' });
  });

  it('is settled by a sync that reads its tag (T1-60)', async () => {
    lose();
    const draft = await addDraftV1(desk);
    const ref = await send(draft);
    await work();
    const tags = { 'desk.ref': ref };
    desk.services.v1.pages = [pageOf([remoteOf({ id: 'theirs', tags })], SERVER_TIME)];
    await sync();
    expect(await row(ref)).toMatchObject({ state: 'sent', remoteId: 'theirs', reason: null });
    expect(desk.stores.journal.at(-1)).toMatchObject({
      from: 'unknown',
      to: 'sent',
      cause: 'sync',
    });
    expect(await desk.api['drafts.list']({})).toEqual([]);
    expect(desk.services.v1.created).toHaveLength(1);
  });

  it('is settled by a scan that reads from before the send (T1-60)', async () => {
    lose();
    const ref = await send(await addDraftV1(desk));
    await work();
    const tags = { 'desk.ref': ref };
    desk.services.v1.pages = [pageOf([]), pageOf([remoteOf({ id: 'theirs', tags })])];
    // A match in a list only counts after the agreement itself was read.
    expect(await desk.api['outbox.look']({ ref })).toMatchObject({ state: 'unknown' });
    desk.services.v1.agreements.set('theirs', remoteOf({ id: 'theirs', tags }));
    expect(await desk.api['outbox.look']({ ref })).toMatchObject({ state: 'sent' });
  });

  it('is not settled by an interrupted scan', async () => {
    lose();
    const ref = await send(await addDraftV1(desk));
    await work();
    desk.services.v1.pages = [pageOf([]), pageOf([])];
    desk.services.v1.beforePage = (index) => {
      if (index === 1) throw new Error('broken off');
    };
    await expect(desk.api['outbox.look']({ ref })).rejects.toThrow();
    expect(await row(ref)).toMatchObject({ state: 'unknown' });
  });

  it('is reported as sent twice if two agreements have its reference, and one is kept', async () => {
    lose();
    const ref = await send(await addDraftV1(desk));
    await work();
    const tags = { 'desk.ref': ref };
    const both = [remoteOf({ id: 'one', tags }), remoteOf({ id: 'two', tags })];
    desk.services.v1.pages = [pageOf(both, SERVER_TIME)];
    await sync();
    expect(await row(ref)).toMatchObject({ state: 'duplicate', remoteId: null });
    desk.services.v1.agreements.set('two', remoteOf({ id: 'two', tags }));
    const decision = { as: 'keep', remoteId: AgreementId.parse('two') } as const;
    await desk.api['outbox.settle']({ ref, decision });
    expect(await row(ref)).toMatchObject({ state: 'sent', remoteId: 'two' });
  });

  it('releases its draft if a person gave it up, and is still found when it appears', async () => {
    lose();
    const draft = await addDraftV1(desk);
    const ref = await send(draft);
    await work();
    await desk.api['outbox.settle']({ ref, decision: { as: 'abandon' } });
    expect((await desk.api['drafts.show']({ id: draft.id })).sending).toBeNull();
    const tags = { 'desk.ref': ref };
    desk.services.v1.pages = [pageOf([remoteOf({ id: 'late', tags })], SERVER_TIME)];
    await sync();
    expect(await row(ref)).toMatchObject({ state: 'sent', remoteId: 'late' });
    expect(await desk.api['drafts.list']({})).toHaveLength(1);
  });

  it('is recorded as sent by a person’s decision, after the agreement was read', async () => {
    lose();
    const ref = await send(await addDraftV1(desk));
    await work();
    const theirs = AgreementId.parse('theirs');
    const decision = { as: 'sent', remoteId: theirs } as const;
    await expect(desk.api['outbox.settle']({ ref, decision })).rejects.toMatchObject(
      refusal({ code: 'not-found', reason: 'sent-id-missing' }),
    );
    desk.services.v1.agreements.set('theirs', remoteOf({ id: 'theirs', title: 'Another' }));
    await expect(desk.api['outbox.settle']({ ref, decision })).rejects.toMatchObject(
      refusal({ code: 'invalid', reason: 'sent-id-title' }),
    );
    desk.services.v1.agreements.set('theirs', remoteOf({ id: 'theirs' }));
    expect(await desk.api['outbox.settle']({ ref, decision })).toMatchObject({ state: 'sent' });
    expect(desk.stores.journal.at(-1)).toMatchObject({ cause: 'person', to: 'sent' });
  });

  it('on v2 without a mark is never settled automatically; its possible matches are shown', async () => {
    await desk.api['settings.write']({ markNames: false });
    connectionId = (await addConnection(desk, 'v2')).id;
    desk.services.v2.answers.push({ kind: 'unknown', failure: lost });
    const ref = await send(await addDraftV2(desk, 'Lease 7'));
    await work();
    const sentAt = desk.clock.now();
    const parties = [partyOf({ id: '1' }), partyOf({ id: '2' })];
    desk.services.v2.pages = [
      pageOf([
        remoteOf({ id: '2311001', title: 'Lease 7', sentAt, parties }),
        remoteOf({ id: '2311002', title: 'Lease 8', sentAt, parties }),
        remoteOf({ id: '2311003', title: 'Lease 7', sentAt: sentAt - 2 * 86_400_000, parties }),
      ]),
    ];
    const looked = await desk.api['outbox.look']({ ref });
    expect(looked).toMatchObject({ state: 'human', remoteId: null });
    expect(looked.reason?.message).toContain('2311001');
    expect(looked.reason?.message).not.toMatch(/2311002|2311003/);
  });

  it('is also recognised if the call of the service throws', async () => {
    desk.services.v1.create = () => Promise.reject(new Error('a bug'));
    const ref = await send(await addDraftV1(desk));
    await work();
    expect(await row(ref)).toMatchObject({ state: 'unknown', attempts: 1 });
    expect(desk.log).toHaveProperty('errors.length', 1);
  });
});
