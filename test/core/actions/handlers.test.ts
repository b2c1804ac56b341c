import { beforeEach, describe, expect, it } from 'vitest';
import { ActionsResult } from '../../../shared/contract/actions.ts';
import { ActionId, AgreementId, type ConnectionId, type JobId } from '../../../shared/model/ids.ts';
import { AppError } from '../../../shared/errors.ts';
import type { RemoteAgreement } from '../../../shared/model/agreement.ts';
import { lost } from '../../support/fakes/fake-actions.ts';
import { bytesOf } from '../../support/fakes/memory-ports.ts';
import { pageOf, partyOf, remoteOf } from '../../support/fakes/fake-service.ts';
import {
  addConnection,
  createWorld,
  type MemoryDesk,
  startMemoryDesk,
} from '../../support/fakes/memory-desk.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

const refusal = (code: 'forbidden' | 'invalid' | 'not-found', message: string) =>
  ({ kind: 'refused', failure: { code, message } }) as const;
const unknown = { kind: 'unknown', failure: lost } as const;

let desk: MemoryDesk;
let connectionId: ConnectionId;

beforeEach(async () => {
  desk = startMemoryDesk();
  connectionId = (await addConnection(desk)).id;
});

const keyOf = (id: string, on = connectionId) => ({ connectionId: on, id: AgreementId.parse(id) });

/** Adds an agreement to this computer’s copies and to the service. */
function plant(id: string, change: Partial<RemoteAgreement> = {}, on = connectionId): void {
  const { api } = desk.stores.connections.get(on);
  const remote = remoteOf({ id, title: `Title ${id}`, parties: [partyOf({})], ...change });
  desk.services[api].agreements.set(id, remote);
  desk.stores.agreements.put(on, api, [remote], desk.clock.now());
}

const now = (id: string, change: Partial<RemoteAgreement>, api: 'v1' | 'v2' = 'v1') =>
  desk.services[api].agreements.set(id, remoteOf({ id, parties: [partyOf({})], ...change }));

async function result({ jobId }: { jobId: JobId }): Promise<ActionsResult> {
  return ActionsResult.parse((await desk.finish(jobId)).result);
}

const revoke = async (...ids: string[]) =>
  result(
    await desk.api['actions.revoke']({ keys: ids.map((id) => keyOf(id)), confirm: ids.length }),
  );
const rows = () => desk.stores.actions.list({}, 0);
const states = () => rows().map(({ kind, state }) => `${kind} ${state}`);
const ids = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id);

describe('a revocation', () => {
  it('is sent as one request for each confirmed agreement, and the copies are read again (T1-70)', async () => {
    plant('a');
    plant('b');
    const sides = desk.actions.v1;
    sides.commit = (request) => now(request.slice(7), { state: 'revoked' });
    const { done, failed, unknown: open } = await revoke('a', 'b');
    expect(ids(done)).toEqual(['a', 'b']);
    expect([...failed, ...open]).toEqual([]);
    expect(sides.sent).toEqual(['revoke a', 'revoke b']);
    expect(desk.stores.agreements.details(keyOf('a')).state).toBe('revoked');
  });

  it('is not sent twice by a double click, nor by a click after it was done (T1-70)', async () => {
    plant('a');
    const sides = desk.actions.v1;
    let answer: () => void = () => {};
    sides.endings.push(new Promise((resolve) => (answer = () => resolve('done'))));
    sides.commit = () => {
      now('a', { state: 'revoked' });
      answer();
    };
    const input = { keys: [keyOf('a')], confirm: 1 };
    const [first, second] = await Promise.all([
      desk.api['actions.revoke'](input),
      desk.api['actions.revoke'](input),
    ]);
    expect((await result(first)).done).toHaveLength(1);
    expect((await result(second)).failed[0]?.failure).toMatchObject({
      code: 'conflict',
      reason: 'already-under-way',
    });
    expect((await revoke('a')).done).toMatchObject([{ id: 'a', wasAlready: true }]);
    expect(sides.sent).toEqual(['revoke a']);
  });

  it('is stored before the request is sent, and again after its answer', async () => {
    plant('a');
    const seen: string[] = [];
    desk.actions.v1.commit = () => seen.push(...states());
    await revoke('a');
    expect(seen).toEqual(['revoke sending']);
    expect(desk.stores.actionJournal).toEqual([
      { from: null, to: 'queued', cause: 'person' },
      { from: 'queued', to: 'sending', cause: 'request' },
      { from: 'sending', to: 'done', cause: 'answer' },
    ]);
  });

  it('with a lost answer is followed by one reading of the agreement, and shown as done if it is revoked (T1-71)', async () => {
    plant('a');
    desk.actions.v1.endings.push(unknown);
    desk.actions.v1.commit = () => now('a', { state: 'revoked' });
    const { done } = await revoke('a');
    expect(done).toMatchObject([{ id: 'a', wasAlready: false }]);
    expect(states()).toEqual(['revoke done']);
    expect(desk.actions.v1.sent).toHaveLength(1);
  });

  it('with a lost answer stays unknown when no reading proves it, and is never repeated automatically (T1-71)', async () => {
    plant('a');
    desk.actions.v1.endings.push(unknown);
    const { unknown: open } = await revoke('a');
    expect(open).toMatchObject([{ id: 'a', failure: { reason: 'outcome-unknown' } }]);
    const actionId = rows()[0]?.actionId;
    if (actionId === undefined) throw new Error('no row');
    expect(await desk.api['actions.look']({ actionId })).toMatchObject({ state: 'unknown' });
    now('a', { state: 'revoked' });
    expect(await desk.api['actions.look']({ actionId })).toMatchObject({ state: 'done' });
    expect(desk.actions.v1.sent).toHaveLength(1);
  });

  it('with unknown outcome is settled by the next reading of the list', async () => {
    plant('a');
    desk.actions.v1.endings.push(unknown);
    await revoke('a');
    const revoked = remoteOf({ id: 'a', state: 'revoked' });
    desk.services.v1.pages = [pageOf([revoked], 1)];
    await desk.finish((await desk.api['agreements.sync']({ connectionId })).jobId);
    expect(states()).toEqual(['revoke done']);
  });

  it('is decided by the agreement as just read, not by the local copy (T1-71)', async () => {
    plant('closed');
    plant('draft');
    plant('open', { state: 'signed' });
    now('closed', { state: 'signed' });
    now('draft', { state: 'draft' });
    now('open', { state: 'waiting' });
    const { done, failed } = await revoke('closed', 'draft', 'open');
    expect(ids(done)).toEqual(['open']);
    expect(failed.map(({ failure }) => failure.reason)).toEqual(['state-forbids', 'state-forbids']);
    expect(desk.actions.v1.sent).toEqual(['revoke open']);
  });

  it('of an agreement that the service no longer has fails without a request', async () => {
    plant('gone');
    plant('a');
    desk.services.v1.agreements.delete('gone');
    const { done, failed } = await revoke('gone', 'a');
    expect(ids(done)).toEqual(['a']);
    expect(failed).toMatchObject([
      {
        id: 'gone',
        title: 'Title gone',
        failure: { code: 'not-found', message: 'The service does not have this agreement' },
      },
    ]);
    expect(desk.actions.v1.sent).toEqual(['revoke a']);
  });

  it('settles earlier attempts for the same agreement whose answers were lost, and no others', async () => {
    for (const id of ['a', 'b']) {
      plant(id);
      desk.actions.v1.endings.push(unknown);
      await revoke(id);
    }
    desk.actions.v1.commit = () => now('a', { state: 'revoked' });
    await revoke('a');
    const settled = rows().map(({ agreementId, state }) => `${agreementId ?? ''} ${state}`);
    expect(settled.toSorted()).toEqual(['a done', 'a done', 'b unknown']);
    expect(desk.stores.actionJournal).toContainEqual({
      from: 'unknown',
      to: 'done',
      cause: 'read-back',
    });
  });

  it('of several agreements reports how many revocations are done and failed so far', async () => {
    plant('gone');
    plant('a');
    plant('closed');
    for (const id of ['gone', 'closed']) desk.services.v1.agreements.delete(id);
    const list = ['gone', 'a', 'closed'];
    const keys = list.map((id) => keyOf(id));
    const { jobId } = await desk.api['actions.revoke']({ keys, confirm: 3 });
    expect(await desk.finish(jobId)).toMatchObject({ done: 3, total: 3, failed: 2 });
  });

  it('that the service refuses as already done is shown as done when the agreement proves it (T2-03)', async () => {
    const v2 = (await addConnection(desk, 'v2')).id;
    plant('7', {}, v2);
    desk.actions.v2.endings.push(refusal('forbidden', 'The agreement is REVOKED already.'));
    desk.actions.v2.commit = () => now('7', { state: 'revoked' }, 'v2');
    const input = { keys: [keyOf('7', v2)], confirm: 1 };
    const { done } = await result(await desk.api['actions.revoke'](input));
    expect(done).toMatchObject([{ id: '7', wasAlready: true }]);
  });

  it('that the service refuses for another reason shows the service’s message (T2-03)', async () => {
    const v2 = (await addConnection(desk, 'v2')).id;
    plant('7', {}, v2);
    desk.actions.v2.endings.push(refusal('forbidden', 'Only the owner may do this.'));
    const input = { keys: [keyOf('7', v2)], confirm: 1 };
    const { failed } = await result(await desk.api['actions.revoke'](input));
    expect(failed).toMatchObject([{ failure: { message: 'Only the owner may do this.' } }]);
    expect(states()).toEqual(['revoke refused']);
  });

  it('on v2 reads the agreement just before its request, since v2 has no other protection (T2-09)', async () => {
    const v2 = (await addConnection(desk, 'v2')).id;
    plant('7', {}, v2);
    let readBefore = 0;
    desk.actions.v2.commit = () => (readBefore = desk.services.v2.reads.length);
    await result(await desk.api['actions.revoke']({ keys: [keyOf('7', v2)], confirm: 1 }));
    expect(readBefore).toBe(1);
  });

  it('stores the revocation time, which v2 reports only once (T2-21)', async () => {
    const v2 = (await addConnection(desk, 'v2')).id;
    plant('7', {}, v2);
    desk.actions.v2.commit = () => now('7', { state: 'revoked' }, 'v2');
    await result(await desk.api['actions.revoke']({ keys: [keyOf('7', v2)], confirm: 1 }));
    const { timeline } = await desk.api['agreements.show']({ ...keyOf('7', v2), refresh: true });
    expect(timeline).toEqual([{ at: 1_000, what: 'revoked', party: null }]);
  });

  it('requires the number of agreements, and lists each agreement only once', async () => {
    plant('a');
    for (const [keys, confirm] of [
      [[keyOf('a')], 2],
      [[keyOf('a'), keyOf('a')], 2],
    ] as const) {
      await expect(desk.api['actions.revoke']({ keys: [...keys], confirm })).rejects.toMatchObject({
        failure: { reason: 'count-differs' },
      });
    }
    expect(desk.actions.v1.sent).toEqual([]);
  });
});

describe('a deletion', () => {
  const remove = async (change: object, ...list: string[]) => {
    const keys = list.map((id) => keyOf(id));
    const input = { keys, confirm: keys.length, ...change };
    return result(await desk.api['actions.remove'](input));
  };

  it('marks the copy as gone after the service’s answer, even if a reading still shows the agreement (FE-D3)', async () => {
    plant('a');
    const unreadable = new AppError('service', 'HTTP 404', { reason: 'not-json' });
    desk.actions.v1.commit = () => desk.services.v1.agreements.set('a', unreadable);
    const { done } = await remove({}, 'a');
    expect(done).toMatchObject([{ id: 'a', wasAlready: false }]);
    expect(desk.stores.agreements.details(keyOf('a')).gone).toBe('deleted');
  });

  it('of an agreement that is already gone is done, and sends nothing (T1-84)', async () => {
    plant('a');
    desk.services.v1.agreements.delete('a');
    expect((await remove({}, 'a')).done).toMatchObject([{ id: 'a', wasAlready: true }]);
    expect(desk.actions.v1.sent).toEqual([]);
    expect(desk.stores.agreements.details(keyOf('a')).gone).toBe('deleted');
  });

  it('that the service answers with 404 counts as done before (T1-84)', async () => {
    plant('a');
    desk.actions.v1.endings.push(refusal('not-found', 'No such agreement'));
    desk.actions.v1.commit = () => desk.services.v1.agreements.delete('a');
    expect((await remove({}, 'a')).done).toMatchObject([{ wasAlready: true }]);
  });

  it('that v2 refuses shows v2’s message unchanged (T2-02)', async () => {
    const v2 = (await addConnection(desk, 'v2')).id;
    plant('7', { state: 'rejected' }, v2);
    const input = { keys: [keyOf('7', v2)], confirm: 1 };
    const { done } = await result(await desk.api['actions.remove'](input));
    expect(done).toMatchObject([{ told: 'Agreement 7 has been deleted.', wasAlready: false }]);
  });

  it.each(['waiting', 'signed', 'revoked'] as const)(
    'of a v2 agreement that is %s is refused locally (T2-64)',
    async (state) => {
      const v2 = (await addConnection(desk, 'v2')).id;
      plant('7', { state }, v2);
      const input = { keys: [keyOf('7', v2)], confirm: 1 };
      const { failed } = await result(await desk.api['actions.remove'](input));
      expect(failed[0]?.failure).toMatchObject({ reason: 'state-forbids' });
      expect(desk.actions.v2.sent).toEqual([]);
    },
  );

  it('requires the exact title when a person types one (T1-84)', async () => {
    plant('a');
    await expect(remove({ typedTitle: 'Another' }, 'a')).rejects.toMatchObject({
      failure: { reason: 'title-differs' },
    });
    expect(desk.actions.v1.sent).toEqual([]);
    expect((await remove({ typedTitle: ' Title a ' }, 'a')).done).toHaveLength(1);
  });

  it('saves concluded agreements first, and keeps those that it cannot save on the service (T1-84)', async () => {
    plant('good', { state: 'signed', closedAt: 5 });
    plant('bad', { state: 'signed', closedAt: 6 });
    plant('rejected', { state: 'rejected' });
    const whole = desk.services.v1.fileOf;
    desk.services.v1.fileOf = (id) => {
      if (id === 'bad') throw new Error('cut');
      return whole(id);
    };
    const { done, failed } = await remove({ archiveTo: '/archive' }, 'good', 'bad', 'rejected');
    expect(ids(done)).toEqual(['good', 'rejected']);
    expect(ids(failed)).toEqual(['bad']);
    expect(desk.actions.v1.sent).toEqual(['remove good', 'remove rejected']);
    expect(desk.stores.archive.saved(keyOf('good'))).not.toBeNull();
  });

  it.each(['removed', 'changed'] as const)(
    'keeps an agreement on the service if its archived PDF was %s, because this is the last copy',
    async (how) => {
      plant('a', { state: 'signed', closedAt: 5 });
      plant('b', { state: 'signed', closedAt: 6 });
      const saving = await desk.api['archive.run']({ folder: '/archive' });
      await desk.finish(saving.jobId);
      const { file = '' } = desk.stores.archive.saved(keyOf('a')) ?? {};
      if (how === 'removed') desk.files.saved.delete(file);
      else desk.files.saved.set(file, bytesOf('other'));
      const { done, failed } = await remove({}, 'a', 'b');
      expect(ids(done)).toEqual(['b']);
      expect(failed).toMatchObject([{ id: 'a', failure: { reason: 'file-missing' } }]);
      expect(desk.actions.v1.sent).toEqual(['remove b']);
    },
  );

  it('keeps signed but not yet concluded agreements on the service when they were not saved first (TE-F10)', async () => {
    plant('early', { state: 'signed', closedAt: 5 });
    desk.services.v1.fileOf = () => {
      throw new AppError('conflict', 'Not yet', { reason: 'not-concluded' });
    };
    const { done, failed } = await remove({ archiveTo: '/archive' }, 'early');
    expect(ids(done)).toEqual([]);
    expect(failed[0]?.failure).toMatchObject({ code: 'conflict', reason: 'not-archived' });
    expect(desk.actions.v1.sent).toEqual([]);
    expect(desk.stores.archive.saved(keyOf('early'))).toBeNull();
  });
});

describe('a restart during actions', () => {
  it('leaves actions in flight unknown, and refuses actions that were not sent yet', async () => {
    const world = createWorld();
    desk = startMemoryDesk(world);
    connectionId = (await addConnection(desk)).id;
    plant('a');
    const base = {
      connectionId,
      title: 'a',
      partyId: null,
      notificationId: null,
      token: null,
      rule: null,
      goal: null,
      failure: null,
      revokedAt: null,
      createdAt: 1,
      updatedAt: 1,
      agreementId: AgreementId.parse('a'),
    };
    for (const [state, kind] of [
      ['sending', 'revoke'],
      ['queued', 'remove'],
    ] as const) {
      const actionId = ActionId.parse(world.chance.uuid());
      world.stores.actions.insert({ ...base, actionId, state, kind });
    }
    desk = startMemoryDesk(world);
    expect(states().toSorted()).toEqual(['remove refused', 'revoke unknown']);
    expect(world.actions.v1.sent).toEqual([]);
  });

  it('of another process does not change the actions in flight of the running process', async () => {
    const world = createWorld();
    desk = startMemoryDesk(world);
    connectionId = (await addConnection(desk)).id;
    plant('a');
    let other: string[] = [];
    world.actions.v1.commit = () => {
      startMemoryDesk(world);
      other = states();
    };
    expect((await revoke('a')).done).toHaveLength(1);
    expect(other).toEqual(['revoke sending']);
  });
});

it('the actions on an agreement are listed for thirty days', async () => {
  plant('a');
  desk.actions.v1.commit = (request) => now(request.slice(7), { state: 'revoked' });
  await revoke('a');
  const { id: agreementId } = keyOf('a');
  const listed = async () =>
    (await desk.api['actions.list']({ agreementId })).map(({ kind }) => kind);
  desk.clock.leap(29 * DAY);
  expect(await listed()).toEqual(['revoke']);
  desk.clock.leap(2 * DAY);
  expect(await listed()).toEqual([]);
});
