// tier: quick, 16 s, because nothing may be sent twice
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Demo } from '../../../electron/demo/start.ts';
import { type ConnectionId, type OutboxRef } from '../../../shared/model/ids.ts';
import {
  addFilesDraft,
  createDemoWorld,
  restart,
  sendDraft,
  startWithV2,
} from '../../support/desks/demo-desk.ts';
import type { MemoryDesk, World } from '../../support/fakes/memory-desk.ts';
import { DAY, MINUTE } from '../../../shared/rules/time/units.ts';

const UPLOAD = /\/files\/attachment\/agreement$/;
const UPLOAD_STATE = /\/files\/attachment\/agreement\/./;
const CREATE = /\/agreements$/;

let demo: Demo;
let world: World;
let desk: MemoryDesk;
let connectionId: ConnectionId;

beforeEach(async () => {
  world = createDemoWorld();
  ({ demo, desk, connectionId } = await startWithV2(world));
});
afterEach(async () => {
  await desk.desk.stop();
  await demo.close();
});

const row = (ref: OutboxRef) => desk.api['outbox.show']({ ref });
const run = () => desk.api['outbox.run']({});
const sent = (path: RegExp, method = 'POST') =>
  demo.requests.filter((one) => one.method === method && path.test(one.url));
const waiting = async () => {
  const { files } = await desk.api['uploads.list']({ connectionId });
  return files;
};

async function sendFiles(files: Readonly<Record<string, number>>): Promise<OutboxRef> {
  return sendDraft(desk, await addFilesDraft(desk, files), connectionId);
}

const NOT_SPECIAL = { multiline: false, required: false, readOnly: false } as const;
const LARGE = { 'avtal.pdf': 2_000_000, 'bilaga.pdf': 2_000_000 };

describe('files of a v2 agreement', () => {
  it.each([
    [{ 'a.pdf': 3_999_999 }, 0],
    [{ 'a.pdf': 4_000_000 }, 1],
    [{ 'a.pdf': 2_000_000, 'b.pdf': 1_999_999 }, 0],
    [{ 'a.pdf': 2_000_000, 'b.pdf': 1_999_000, 'c.pdf': 1_000 }, 3],
    [{ 'a.pdf': 6_000_000, 'b.pdf': 5_999_999 }, 2],
  ])(
    'of %j bytes are uploaded before the create: %i of them (T2-38, T2-40)',
    async (files, uploads) => {
      const ref = await sendFiles(files);
      await run();
      expect(await row(ref)).toMatchObject({ state: 'sent', attempts: 1 });
      expect(sent(UPLOAD)).toHaveLength(uploads);
      expect(sent(CREATE)).toHaveLength(1);
      expect(demo.agreements.v2()).toHaveLength(1);
    },
  );

  it('with a total of 12,000,000 bytes are not sent (T2-38)', async () => {
    const draft = await addFilesDraft(desk, { 'a.pdf': 6_000_000, 'b.pdf': 6_000_000 });
    await expect(sendDraft(desk, draft, connectionId)).rejects.toMatchObject({
      failure: { code: 'invalid', reason: 'problems-left' },
    });
    expect(demo.requests).toEqual([]);
  });

  it('that become too large by merging are not sent (T2-38)', async () => {
    const draft = await addFilesDraft(desk, { 'a.pdf': 11_999_999 });
    const { content, id, revision } = draft;
    if (content.api !== 'v2') throw new Error('another API');
    const attachments = content.body.attachments?.map((one) => ({
      ...one,
      fields: [{ name: 'tenant', value: 'Åsa' }],
    }));
    world.pdf.read = async () => ({
      pages: 1,
      fields: [{ name: 'tenant', type: 'text', page: 1, value: '', ...NOT_SPECIAL }],
      notices: [],
    });
    const body = { ...content.body, attachments };
    const change = { id, revision, connectionId: null, content: { api: 'v2', body } } as const;
    const merged = await desk.api['drafts.save'](change);
    await expect(sendDraft(desk, merged, connectionId)).rejects.toMatchObject({
      failure: { code: 'invalid', reason: 'too-large' },
    });
    expect((await desk.api['drafts.show']({ id })).sending).toBeNull();
  });

  it('are sent as tokens in the create, without their data (T2-39, T2-40)', async () => {
    const ref = await sendFiles(LARGE);
    await run();
    const { body } = world.stores.outbox.request(ref);
    const { attachments } = JSON.parse(new TextDecoder().decode(body)) as { attachments: unknown };
    expect(attachments).toEqual([
      { name: 'avtal.pdf', token: expect.any(String) as string },
      { name: 'bilaga.pdf', token: expect.any(String) as string },
    ]);
    expect(sent(CREATE)[0]?.bodyBytes).toBeLessThan(2_000);
  });

  it('keep their names in any writing system (T2-44)', async () => {
    const ref = await sendFiles({ 'avtal_åäö Łódź 契約.pdf': 4_000_000 });
    demo.fault({ method: 'POST', path: CREATE, do: { kind: 'status', status: 503 } });
    await run();
    expect(await row(ref)).toMatchObject({ state: 'unknown' });
    expect(await waiting()).toMatchObject([{ fileName: 'avtal_åäö Łódź 契約.pdf' }]);
  });

  it('report their upload progress while the row is not yet sent', async () => {
    const ref = await sendFiles(LARGE);
    const seen: unknown[] = [];
    desk.on('outbox.changed', () => {
      const { state, progress, attempts } = world.stores.outbox.get(ref);
      seen.push([state, progress?.done, attempts]);
    });
    await run();
    expect(seen).toEqual([
      ['queued', 0, 0],
      ['queued', 1, 0],
      ['queued', 2, 0],
      ['sending', undefined, 1],
      ['sent', undefined, 1],
    ]);
    expect(world.stores.journal.map(({ cause }) => cause)).toEqual([
      'person',
      'upload',
      'claim',
      'answer',
    ]);
  });
});

describe('an upload of a file', () => {
  it('whose answer is lost is repeated, and the first upload stays unused (T2-43)', async () => {
    const ref = await sendFiles(LARGE);
    demo.fault({ method: 'POST', path: UPLOAD, do: { kind: 'reset-after' } });
    await run();
    expect(await row(ref)).toMatchObject({
      state: 'queued',
      attempts: 0,
      progress: { done: 0, total: 2 },
      reason: { reason: 'connection-lost' },
    });
    desk.clock.advance(5_000);
    await run();
    expect(await row(ref)).toMatchObject({ state: 'sent', attempts: 1 });
    expect(sent(UPLOAD)).toHaveLength(3);
    expect(await waiting()).toMatchObject([{ fileName: 'avtal.pdf', isOrphan: true }]);
  });

  it('that is never answered finally waits for a person', async () => {
    const ref = await sendFiles({ 'a.pdf': 4_000_000 });
    const fault = demo.fault({
      method: 'POST',
      path: UPLOAD,
      times: 99,
      do: { kind: 'reset-after' },
    });
    for (let tries = 0; tries < 9; tries += 1) {
      await run();
      desk.clock.advance(600_000);
    }
    expect(fault.hits()).toBe(5);
    expect(await row(ref)).toMatchObject({ state: 'queued', nextAt: null, attempts: 0 });
  });

  it('that the service refuses ends the send, and the draft can be edited again', async () => {
    const ref = await sendFiles(LARGE);
    const body = JSON.stringify({ code: 'AGR-40000', message: 'No such file type' });
    demo.fault({ method: 'POST', path: UPLOAD, do: { kind: 'status', status: 400, body } });
    await run();
    expect(await row(ref)).toMatchObject({ state: 'rejected', attempts: 0 });
    const { draftId } = await desk.api['outbox.undo']({ ref });
    expect(draftId === null ? null : await desk.api['drafts.show']({ id: draftId })).toMatchObject({
      sending: null,
    });
    expect(sent(CREATE)).toEqual([]);
  });

  it('that is rejected because of the API key waits until a person has replaced the key', async () => {
    const ref = await sendFiles(LARGE);
    demo.fault({ method: 'POST', path: UPLOAD, do: { kind: 'unauthorized' } });
    await run();
    expect(await row(ref)).toMatchObject({ state: 'queued' });
    expect(await desk.api['outbox.gates']({})).toMatchObject([{ kind: 'auth' }]);
    await desk.api['outbox.sendNow']({ ref });
    await run();
    expect(await row(ref)).toMatchObject({ state: 'sent', attempts: 1 });
  });

  it('is the last one of its row once the row was cancelled', async () => {
    const ref = await sendFiles(LARGE);
    const undone = new Promise<void>((resolve) => {
      desk.on('outbox.changed', () => {
        const { state, progress } = world.stores.outbox.get(ref);
        if (state !== 'queued' || progress?.done !== 1) return;
        void desk.api['outbox.undo']({ ref }).then(() => {
          resolve();
        });
      });
    });
    await Promise.all([run(), undone]);
    expect(await row(ref)).toMatchObject({ state: 'cancelled', attempts: 0 });
    expect(sent(CREATE)).toEqual([]);
    expect((await waiting()).every(({ isOrphan }) => isOrphan)).toBe(true);
  });
});

describe('a row after a sudden end between upload and create', () => {
  async function endAfterFirst(): Promise<OutboxRef> {
    const ref = await sendFiles(LARGE);
    const { setToken } = world.stores.outbox;
    // The process ends after the first token is stored.
    world.stores.outbox.setToken = (...token) => {
      setToken(...token);
      world.stores.outbox.setToken = setToken;
      throw new Error('killed');
    };
    await run().catch(() => {});
    desk = restart(world);
    return ref;
  }

  it('is not sent automatically, and its files do not count as unused (T2-43)', async () => {
    const ref = await endAfterFirst();
    desk.clock.advance(MINUTE);
    await run();
    expect(await row(ref)).toMatchObject({
      state: 'queued',
      nextAt: null,
      progress: { done: 1, total: 2 },
    });
    expect(await waiting()).toMatchObject([{ fileName: 'avtal.pdf', isOrphan: false }]);
    expect(sent(CREATE)).toEqual([]);
  });

  it('can be sent by a person without uploading its files again', async () => {
    const ref = await endAfterFirst();
    await desk.api['outbox.sendNow']({ ref });
    await run();
    expect(await row(ref)).toMatchObject({ state: 'sent' });
    expect(sent(UPLOAD)).toHaveLength(2);
    expect(await waiting()).toEqual([]);
  });

  it('uploads the files again that the service has removed since the end (T2-04)', async () => {
    const ref = await endAfterFirst();
    const [file] = await waiting();
    await desk.api['uploads.remove']({ connectionId, token: file?.token ?? '' });
    await desk.api['outbox.sendNow']({ ref });
    await run();
    expect(await row(ref)).toMatchObject({ state: 'sent' });
    expect(sent(UPLOAD)).toHaveLength(3);
  });
});

describe('a create request with uploaded files whose answer is lost', () => {
  async function lose(kind: 'reset-before' | 'reset-after'): Promise<OutboxRef> {
    const ref = await sendFiles(LARGE);
    demo.fault({ method: 'POST', path: CREATE, do: { kind } });
    await run();
    expect(await row(ref)).toMatchObject({ state: 'unknown', attempts: 1 });
    return ref;
  }

  it('has created nothing so far if the files are still unused (T2-42)', async () => {
    const ref = await lose('reset-before');
    expect(await desk.api['outbox.look']({ ref })).toMatchObject({
      state: 'unknown',
      reason: { reason: 'nothing-created' },
    });
    expect(sent(CREATE, 'GET')).toEqual([]);
    expect((await waiting()).some(({ isOrphan }) => isOrphan)).toBe(false);
    desk.clock.advance(DAY);
    await run();
    expect(sent(CREATE)).toHaveLength(1);
  });

  it('has an unknown outcome while the files cannot be checked (T2-42)', async () => {
    const ref = await lose('reset-before');
    const broken = { kind: 'status', status: 503 } as const;
    demo.fault({ method: 'GET', path: UPLOAD_STATE, times: 99, do: broken });
    const looked = await desk.api['outbox.look']({ ref });
    expect(sent(UPLOAD_STATE, 'GET').length).toBeGreaterThan(0);
    expect(looked).toMatchObject({ state: 'unknown', doubt: { cleanPasses: 0 } });
    expect(looked.reason?.reason).not.toBe('nothing-created');
    expect(sent(CREATE)).toHaveLength(1);
  });

  it('is looked for in the list if the files were used (T2-42)', async () => {
    const ref = await lose('reset-after');
    await desk.api['outbox.look']({ ref });
    const [made] = demo.agreements.v2();
    expect(await row(ref)).toMatchObject({ state: 'sent', remoteId: made?.referenceNumber });
    expect(sent(CREATE)).toHaveLength(1);
  });

  it('is identified by its files if its name has no mark (T2-42)', async () => {
    await desk.api['settings.write']({ markNames: false });
    const ref = await lose('reset-after');
    expect(world.stores.outbox.get(ref).mark).toEqual({ by: 'token' });
    await desk.api['outbox.look']({ ref });
    const [made] = demo.agreements.v2();
    expect(await row(ref)).toMatchObject({ state: 'sent', remoteId: made?.referenceNumber });
    expect(sent(CREATE)).toHaveLength(1);
  });

  it('is not sent again, if its name has no mark, while its files are unused (T2-42)', async () => {
    await desk.api['settings.write']({ markNames: false });
    const ref = await lose('reset-before');
    const looked = await desk.api['outbox.look']({ ref });
    expect(looked).toMatchObject({
      state: 'unknown',
      remoteId: null,
      reason: {
        code: 'conflict',
        reason: 'nothing-created',
        message:
          'The service has not created the agreement so far: its uploaded files are still unused',
      },
    });
  });

  it('uploads its files again if it is given up and sent again: no token is used twice (T2-41)', async () => {
    const ref = await lose('reset-before');
    await desk.api['outbox.settle']({ ref, decision: { as: 'abandon' } });
    const [{ id } = { id: undefined }] = await desk.api['drafts.list']({});
    if (id === undefined) throw new Error('the draft is gone');
    const draft = await desk.api['drafts.show']({ id });
    const again = await sendDraft(desk, draft, connectionId, [ref]);
    await run();
    expect(await row(again)).toMatchObject({ state: 'sent' });
    const tokens = [ref, again].flatMap((of) =>
      world.stores.outbox.uploads(of).map(({ token }) => token),
    );
    expect(new Set(tokens).size).toBe(4);
    expect((await waiting()).map(({ isOrphan }) => isOrphan)).toEqual([true, true]);
  });
});
