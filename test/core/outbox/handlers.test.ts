import { beforeEach, describe, expect, it } from 'vitest';
import { SETTLE } from '../../../electron/core/outbox/times.ts';
import type { Draft } from '../../../shared/contract/drafts.ts';
import type { ConnectionId, OutboxRef } from '../../../shared/model/ids.ts';
import type { Failure } from '../../../shared/errors.ts';
import { done } from '../../support/fakes/fake-service.ts';
import {
  addConnection,
  addDraftV1,
  bodyV1,
  type MemoryDesk,
  startMemoryDesk,
} from '../../support/fakes/memory-desk.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

let desk: MemoryDesk;
let connectionId: ConnectionId;

beforeEach(async () => {
  desk = startMemoryDesk();
  connectionId = (await addConnection(desk)).id;
});

async function send(draft: Draft, holdSeconds = 0): Promise<OutboxRef> {
  const order = { id: draft.id, connectionId, holdSeconds, confirm: 1 };
  return (await desk.api['drafts.send'](order)).ref;
}

const row = (ref: OutboxRef) => desk.api['outbox.show']({ ref });
const work = () => desk.api['outbox.run']({});
const refusal = (failure: Partial<Failure>) => ({ failure });

describe('sending a draft', () => {
  it('stores the row before the request, creates one agreement, and the draft becomes that agreement', async () => {
    const draft = await addDraftV1(desk);
    const ref = await send(draft);
    expect(desk.services.v1.created).toEqual([]);
    let stateAtRequest = '';
    const create = desk.services.v1.create.bind(desk.services.v1);
    desk.services.v1.create = async (body) => {
      stateAtRequest = desk.stores.outbox.get(ref).state;
      return create(body);
    };
    await work();
    expect(stateAtRequest).toBe('sending');
    expect(await row(ref)).toMatchObject({ state: 'sent', remoteId: 'remote-1', attempts: 1 });
    expect(desk.services.v1.created).toHaveLength(1);
    expect(desk.services.v1.created[0]).toContain(ref);
    expect(await desk.api['drafts.list']({})).toEqual([]);
  });

  it('is never started by saving, checking or listing the draft (T1-59)', async () => {
    const draft = await addDraftV1(desk);
    await desk.api['drafts.check']({ id: draft.id });
    await desk.api['drafts.list']({});
    await work();
    expect(desk.services.v1.created).toEqual([]);
  });

  it('requires a confirmation of the number of agreements', async () => {
    const { id } = await addDraftV1(desk);
    const order = { id, connectionId, holdSeconds: 0, confirm: 2 };
    await expect(desk.api['drafts.send'](order)).rejects.toMatchObject(
      refusal({ code: 'invalid', reason: 'count-differs' }),
    );
    expect(await desk.api['outbox.list']({})).toEqual([]);
  });

  it('is refused if fields have problems, which are named by field', async () => {
    const content = { api: 'v1', body: bodyV1('') } as const;
    const { id } = await desk.api['drafts.create']({ content, connectionId: null });
    const order = { id, connectionId, holdSeconds: 0, confirm: 1 };
    const failed = await desk.api['drafts.send'](order).catch((error: unknown) => error);
    expect(failed).toMatchObject(refusal({ code: 'invalid', reason: 'problems-left' }));
    expect(failed).toHaveProperty('failure.fields.title');
    expect(failed).toHaveProperty('failure.fields.attachments');
  });

  it('is refused through a connection of the other API', async () => {
    const { id } = await addDraftV1(desk);
    const other = await addConnection(desk, 'v2');
    const order = { id, connectionId: other.id, holdSeconds: 0, confirm: 1 };
    await expect(desk.api['drafts.send'](order)).rejects.toMatchObject(
      refusal({ code: 'invalid' }),
    );
  });

  it('twice at the same time creates one row', async () => {
    const draft = await addDraftV1(desk);
    const both = await Promise.allSettled([send(draft), send(draft)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await work();
    expect(desk.services.v1.created).toHaveLength(1);
  });

  it('sends the frozen bytes, and one row at a time through a connection', async () => {
    const first = await send(await addDraftV1(desk, 'First'));
    const second = await send(await addDraftV1(desk, 'Second'));
    let atOnce = 0;
    let most = 0;
    desk.services.v1.create = async () => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await Promise.resolve();
      atOnce -= 1;
      return done(`remote-${most}`);
    };
    await work();
    expect(most).toBeLessThanOrEqual(3);
    expect([await row(first), await row(second)].map(({ state }) => state)).toEqual([
      'sent',
      'sent',
    ]);
  });
});

describe('the hold before a send', () => {
  it('delays the request until its time, by the clock', async () => {
    desk.desk.start();
    const ref = await send(await addDraftV1(desk), 10);
    desk.clock.advance(9_999);
    expect(desk.services.v1.created).toEqual([]);
    desk.clock.advance(1);
    await desk.until(async () => (await row(ref)).state === 'sent');
    expect(desk.services.v1.created).toHaveLength(1);
    await desk.desk.stop();
  });

  it('can be undone: the draft can be edited again, and nothing is sent', async () => {
    const kept = await send(await addDraftV1(desk, 'Kept'), 10);
    const draft = await addDraftV1(desk, 'Taken back');
    const ref = await send(draft, 10);
    expect(await desk.api['outbox.undo']({ ref })).toEqual({ draftId: draft.id });
    expect((await desk.api['drafts.show']({ id: draft.id })).sending).toBeNull();
    desk.clock.advance(MINUTE);
    await work();
    expect(await row(ref)).toMatchObject({ state: 'cancelled' });
    expect(await row(kept)).toMatchObject({ state: 'sent' });
    expect(desk.services.v1.created).toHaveLength(1);
  });

  it('creates one agreement, with the new text, if the draft is edited and sent after an undo', async () => {
    const draft = await addDraftV1(desk, 'Old text');
    const ref = await send(draft, 10);
    await desk.api['outbox.undo']({ ref });
    const { revision, content } = await desk.api['drafts.show']({ id: draft.id });
    if (content.api !== 'v1') throw new Error('another API');
    const body = { ...content.body, title: 'New text' };
    const change = { id: draft.id, revision, connectionId: null };
    await desk.api['drafts.save']({ ...change, content: { api: 'v1', body } });
    const again = await send(draft);
    expect(again).not.toBe(ref);
    desk.clock.advance(MINUTE);
    await work();
    expect(desk.services.v1.created).toHaveLength(1);
    expect(desk.services.v1.created[0]).toContain('New text');
  });

  it('locks the draft against edits, other files and deletion', async () => {
    const draft = await addDraftV1(desk);
    await send(draft, 10);
    const { id, revision, content } = draft;
    const locked = refusal({ code: 'conflict', reason: 'draft-locked' });
    const save = { id, revision, content, connectionId: null };
    await expect(desk.api['drafts.save'](save)).rejects.toMatchObject(locked);
    await expect(desk.api['drafts.delete']({ id })).rejects.toMatchObject(locked);
    await expect(
      desk.api['drafts.detach']({ id, file: draft.files[0]?.id ?? '' }),
    ).rejects.toThrow();
  });

  it('cannot be undone once the answer has arrived', async () => {
    const ref = await send(await addDraftV1(desk));
    await work();
    await expect(desk.api['outbox.undo']({ ref })).rejects.toMatchObject(
      refusal({ code: 'conflict' }),
    );
  });

  it('can be shortened by a person', async () => {
    const ref = await send(await addDraftV1(desk), 30);
    await desk.api['outbox.sendNow']({ ref });
    await work();
    expect(await row(ref)).toMatchObject({ state: 'sent' });
  });
});

describe('a send that the service does not confirm', () => {
  it('can be undone after a refusal, and a later send of the draft is a new send', async () => {
    const failure: Failure = { code: 'invalid', message: 'No', fields: { title: 'bad' } };
    desk.services.v1.answers.push({ kind: 'refused', failure });
    const draft = await addDraftV1(desk);
    const ref = await send(draft);
    await work();
    expect(await row(ref)).toMatchObject({ state: 'rejected', reason: failure, nextAt: null });
    expect(await desk.api['outbox.undo']({ ref })).toEqual({ draftId: draft.id });
    const again = await send(draft);
    await work();
    expect(again).not.toBe(ref);
    expect(await row(again)).toMatchObject({ state: 'sent' });
  });

  it('is tried again later and not counted if the request was never sent', async () => {
    const failure: Failure = { code: 'offline', message: 'Down', reason: 'host-unknown' };
    const waits = [5_000, 30_000, 120_000, 600_000, 600_000];
    for (const _ of waits) desk.services.v1.answers.push({ kind: 'not-sent', failure });
    const ref = await send(await addDraftV1(desk));
    for (const wait of waits) {
      await work();
      const nextAt = desk.clock.now() + wait;
      expect(await row(ref)).toMatchObject({
        state: 'queued',
        attempts: 0,
        reason: failure,
        nextAt,
      });
      desk.clock.advance(wait);
    }
    await work();
    expect(await row(ref)).toMatchObject({ state: 'sent', attempts: 1 });
  });

  it('holds every row of the connection for a person if the API key is rejected', async () => {
    const failure: Failure = { code: 'signed-out', message: 'No', reason: 'credential-refused' };
    desk.services.v1.answers.push({ kind: 'turned-away', failure });
    const first = await send(await addDraftV1(desk, 'First'));
    const second = await send(await addDraftV1(desk, 'Second'));
    await work();
    expect(await row(first)).toMatchObject({ state: 'queued', verify: true, reason: failure });
    expect(await row(second)).toMatchObject({ state: 'queued', attempts: 0 });
    const third = await send(await addDraftV1(desk, 'Third'));
    await work();
    expect(await row(third)).toMatchObject({ state: 'queued' });
    expect(desk.services.v1.created).toHaveLength(1);
    expect(await desk.api['outbox.gates']({})).toMatchObject([{ kind: 'auth', until: null }]);
    await desk.api['connections.replaceSecret']({ id: connectionId, secret: 'new' });
    await work();
    for (const ref of [second, third]) expect(await row(ref)).toMatchObject({ state: 'sent' });
    desk.clock.advance(SETTLE);
    await work();
    expect(await row(first)).toMatchObject({ state: 'sent' });
    expect(desk.opened.secrets.at(-1)).toBe('new');
  });

  it('waits, with its whole connection, as long as the service requires after too many requests', async () => {
    const retryAt = desk.clock.now() + 31_000;
    const failure: Failure = { code: 'limited', message: 'Slow down', retryAt };
    desk.services.v1.answers.push({ kind: 'turned-away', failure });
    const first = await send(await addDraftV1(desk, 'First'));
    const second = await send(await addDraftV1(desk, 'Second'));
    await work();
    desk.clock.advance(30_999);
    await work();
    expect(desk.services.v1.created).toHaveLength(1);
    expect(await row(first)).toMatchObject({ state: 'queued', nextAt: retryAt });
    expect(await desk.api['outbox.gates']({})).toMatchObject([{ kind: 'rate', until: retryAt }]);
    desk.clock.advance(1);
    await work();
    expect(await row(second)).toMatchObject({ state: 'sent' });
    expect(await row(first)).toMatchObject({ state: 'queued', verify: true });
    desk.clock.advance(SETTLE);
    await work();
    expect(await row(first)).toMatchObject({ state: 'sent', attempts: 2 });
  });

  it('keeps its row unsent if the credential store cannot be read', async () => {
    const ref = await send(await addDraftV1(desk));
    const failure: Failure = { code: 'vault', message: 'Locked', reason: 'vault-locked' };
    await desk.api['connections.replaceSecret']({ id: connectionId, secret: 'other' });
    desk.vault.breakWith(failure);
    await work();
    expect(await row(ref)).toMatchObject({ state: 'queued', reason: failure });
    expect(await desk.api['outbox.gates']({})).toMatchObject([{ kind: 'keychain' }]);
    expect(desk.services.v1.created).toEqual([]);
    desk.vault.breakWith(null);
    await desk.api['outbox.resume']({ connectionId });
    await work();
    expect(await row(ref)).toMatchObject({ state: 'sent' });
  });
});
