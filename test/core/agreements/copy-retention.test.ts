import { beforeEach, describe, expect, it } from 'vitest';
import { ActionId, AgreementId, type ConnectionId } from '../../../shared/model/ids.ts';
import { armRows } from '../../support/armed-rows.ts';
import { pageOf, remoteOf } from '../../support/fakes/fake-service.ts';
import {
  addConnection,
  type MemoryDesk,
  startMemoryDesk,
} from '../../support/fakes/memory-desk.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

const SERVER_TIME = Date.UTC(2026, 10, 21, 11, 59);

let desk: MemoryDesk;
let connectionId: ConnectionId;

const closed = (id: string, closedAt: number) =>
  remoteOf({ id, state: 'rejected', nativeState: 'REJECTED', updatedAt: closedAt, closedAt });

beforeEach(async () => {
  desk = startMemoryDesk();
  connectionId = (await addConnection(desk)).id;
});

async function sync() {
  await desk.finish((await desk.api['agreements.sync']({ connectionId })).jobId);
}

async function listed(): Promise<string[]> {
  const { items } = await desk.api['agreements.list']({});
  return items.map(({ id }) => id).toSorted();
}

const key = (id: string) => ({ connectionId, id: AgreementId.parse(id) });

describe('a time limit for agreement copies', () => {
  beforeEach(() => {
    const now = desk.clock.now();
    desk.services.v1.pages = [
      pageOf(
        [
          closed('old', now - 200 * DAY),
          closed('late', now - 20 * DAY),
          remoteOf({ id: 'open', updatedAt: now - 900 * DAY }),
        ],
        SERVER_TIME,
      ),
    ];
  });

  it('keeps all copies unless the user sets a limit (TX-55)', async () => {
    await sync();
    expect(await listed()).toEqual(['late', 'old', 'open']);
  });

  it('is applied after a sync, and later syncs do not restore the removed copies (TX-55)', async () => {
    await desk.api['settings.write']({ keepClosedMonths: 3 });
    await sync();
    expect(await listed()).toEqual(['late', 'open']);
    await sync();
    expect(await listed()).toEqual(['late', 'open']);
  });
});

describe('forgetting an agreement', () => {
  beforeEach(async () => {
    desk.services.v1.pages = [
      pageOf([closed('a', SERVER_TIME), closed('b', SERVER_TIME)], SERVER_TIME),
    ];
    await sync();
  });

  it('removes the local copy permanently and changes nothing on the service (TX-55)', async () => {
    const { forgotten } = await desk.api['agreements.forget']({ keys: [key('a')], confirm: 1 });
    expect(forgotten).toBe(1);
    expect(await listed()).toEqual(['b']);
    await sync();
    expect(await listed()).toEqual(['b']);
  });

  it('removes its copies of every connection to the service, and later connections add none (DL-P8)', async () => {
    const own = connectionId;
    const syncAs = async (id: ConnectionId) => {
      await desk.finish((await desk.api['agreements.sync']({ connectionId: id })).jobId);
    };
    const other = (await addConnection(desk, 'v1', 'Second')).id;
    await syncAs(other);
    expect(await listed()).toEqual(['a', 'a', 'b', 'b']);
    const { forgotten } = await desk.api['agreements.forget']({ keys: [key('a')], confirm: 1 });
    expect(forgotten).toBe(2);
    const later = (await addConnection(desk, 'v1', 'Third')).id;
    for (const id of [own, other, later]) await syncAs(id);
    expect(await listed()).toEqual(['b', 'b', 'b']);
  });

  it('changes nothing when the confirmed number is wrong', async () => {
    const asked = desk.api['agreements.forget']({ keys: [key('a')], confirm: 2 });
    await expect(asked).rejects.toMatchObject({ failure: { reason: 'count-differs' } });
    expect(await listed()).toEqual(['a', 'b']);
  });

  it('is rejected while a local action on the agreement has no known outcome', async () => {
    desk.stores.actions.insert({
      actionId: ActionId.parse('8c9a3c0e-6c43-4b8e-9d0a-0d7b6a4f3d11'),
      kind: 'remove',
      state: 'unknown',
      connectionId,
      agreementId: key('a').id,
      title: 'a',
      partyId: null,
      notificationId: null,
      token: null,
      goal: null,
      failure: null,
      rule: null,
      revokedAt: null,
      createdAt: 1,
      updatedAt: 1,
    });
    const asked = desk.api['agreements.forget']({ keys: [key('a'), key('b')], confirm: 2 });
    await expect(asked).rejects.toMatchObject({
      failure: { code: 'conflict', reason: 'outcome-unknown' },
    });
    expect(await listed()).toEqual(['a', 'b']);
  });

  it.each(['queued', 'sending', 'unknown', 'absent', 'human', 'duplicate', 'rejected'] as const)(
    'is refused while the send that created the agreement is %s',
    async (to) => {
      const [ref] = armRows(desk, { connectionId, rows: 1 });
      if (ref === undefined) throw new Error('No row');
      const { outbox } = desk.stores;
      const at = desk.clock.now();
      const next = to === 'sending' ? 'queued' : to;
      const move = { to: next, cause: 'look', remoteId: key('a').id, nextAt: null } as const;
      outbox.move(ref, ['queued'], move, at);
      if (to === 'sending') outbox.claim(ref, { at, floor: at, credential: 'credential-1' });
      const forget = (id: string) => desk.api['agreements.forget']({ keys: [key(id)], confirm: 1 });
      await expect(forget('a')).rejects.toMatchObject({
        failure: {
          code: 'conflict',
          reason: 'outcome-unknown',
          message:
            'The outcome of an action on one of the agreements is not known yet, so none was removed',
        },
      });
      expect(await forget('b')).toEqual({ forgotten: 1 });
      expect(await listed()).toEqual(['a']);
    },
  );
});
