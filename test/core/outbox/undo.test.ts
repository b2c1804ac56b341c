import { beforeEach, describe, expect, it } from 'vitest';
import type { WriteResult } from '../../../electron/core/ports.ts';
import type { ConnectionId } from '../../../shared/model/ids.ts';
import { done } from '../../support/fakes/fake-service.ts';
import {
  addConnection,
  addDraftV1,
  type MemoryDesk,
  startMemoryDesk,
} from '../../support/fakes/memory-desk.ts';

let desk: MemoryDesk;
let connectionId: ConnectionId;

beforeEach(async () => {
  desk = startMemoryDesk();
  connectionId = (await addConnection(desk)).id;
});

/** Starts a send whose request stays in flight until `answer` is called. */
async function sendSlowly() {
  const draft = await addDraftV1(desk);
  const order = { id: draft.id, connectionId, holdSeconds: 0, confirm: 1 };
  const { ref } = await desk.api['drafts.send'](order);
  const { promise, resolve: answer } = Promise.withResolvers<WriteResult>();
  desk.services.v1.answers.push(promise);
  const working = desk.api['outbox.run']({});
  await desk.until(() => desk.services.v1.created.length === 1);
  return { draft, ref, answer, working };
}

const tooLate = { failure: { code: 'conflict', reason: 'already-under-way' } };

describe('a request in flight', () => {
  it('cannot be cancelled or given up, and its answer still counts (TE-O10)', async () => {
    const { draft, ref, answer, working } = await sendSlowly();
    const { api } = desk;
    await expect(api['outbox.undo']({ ref })).rejects.toMatchObject(tooLate);
    const abandon = { ref, decision: { as: 'abandon' } } as const;
    await expect(api['outbox.settle'](abandon)).rejects.toMatchObject(tooLate);
    expect(await api['outbox.show']({ ref })).toMatchObject({ state: 'sending' });
    const { sending, revision, content } = await api['drafts.show']({ id: draft.id });
    expect(sending).toBe(ref);
    const change = { id: draft.id, revision, content, connectionId: null };
    await expect(api['drafts.save'](change)).rejects.toMatchObject({
      failure: { reason: 'draft-locked' },
    });
    answer(done('remote-1'));
    await working;
    expect(await api['outbox.show']({ ref })).toMatchObject({
      state: 'sent',
      remoteId: 'remote-1',
    });
    expect(await api['drafts.list']({})).toEqual([]);
  });

  it('can be cancelled once the service refused it (TE-O10)', async () => {
    const { draft, ref, answer, working } = await sendSlowly();
    answer({ kind: 'refused', failure: { code: 'invalid', message: 'No' } });
    await working;
    expect(await desk.api['outbox.undo']({ ref })).toEqual({ draftId: draft.id });
  });
});
