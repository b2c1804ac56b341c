import { beforeEach, describe, expect, it } from 'vitest';
import { SETTLE } from '../../../electron/core/outbox/times.ts';
import type { WriteResult } from '../../../electron/core/ports.ts';
import type { Draft } from '../../../shared/contract/drafts.ts';
import { AgreementId, type ConnectionId, type OutboxRef } from '../../../shared/model/ids.ts';
import { AppError } from '../../../shared/errors.ts';
import { pageOf, partyOf, remoteOf } from '../../support/fakes/fake-service.ts';
import {
  addConnection,
  addDraftV1,
  addDraftV2,
  type MemoryDesk,
  startMemoryDesk,
} from '../../support/fakes/memory-desk.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

let desk: MemoryDesk;
let connectionId: ConnectionId;

beforeEach(() => {
  desk = startMemoryDesk();
});

const row = (ref: OutboxRef) => desk.api['outbox.show']({ ref });
const work = () => desk.api['outbox.run']({});

async function send(draft: Draft, again: readonly OutboxRef[] = []): Promise<OutboxRef> {
  const order = { id: draft.id, connectionId, holdSeconds: 0, confirm: 1, again: [...again] };
  return (await desk.api['drafts.send'](order)).ref;
}

const limited: WriteResult = {
  kind: 'turned-away',
  failure: { code: 'limited', message: 'Too many requests' },
};
const unauthorised: WriteResult = {
  kind: 'turned-away',
  failure: { code: 'signed-out', message: 'No such key' },
};
const refused: WriteResult = {
  kind: 'refused',
  failure: { code: 'invalid', message: 'blocked by policy' },
};

describe('a v2 create without a mark that was answered with', () => {
  beforeEach(async () => {
    await desk.api['settings.write']({ markNames: false });
    connectionId = (await addConnection(desk, 'v2')).id;
  });

  /** Adds to the service's list an agreement with the name and parties of the rejected send. */
  function showInList(title = 'Lease 7'): void {
    const parties = [partyOf({ id: '1' }), partyOf({ id: '2' })];
    const sentAt = desk.clock.now();
    const made = remoteOf({ id: '2311001', title, sentAt, parties });
    desk.services.v2.agreements.set('2311001', made);
    desk.services.v2.pages = [pageOf([made])];
  }

  async function workOn(): Promise<void> {
    for (let pass = 0; pass < 3; pass += 1) {
      await work();
      await desk.api['outbox.resume']({ connectionId });
      desk.clock.advance(MINUTE);
    }
    await work();
  }

  it.each([
    { status: 429, answer: limited },
    { status: 401, answer: unauthorised },
  ])(
    '$status is not sent again while the list has a similar agreement (TE-2.1)',
    async ({ answer }) => {
      desk.services.v2.answers.push(answer);
      const ref = await send(await addDraftV2(desk, 'Lease 7'));
      showInList();
      await workOn();
      expect(desk.services.v2.created).toHaveLength(1);
      const asked = await row(ref);
      expect(asked).toMatchObject({ state: 'human', verify: false, attempts: 1 });
      expect(asked.reason?.message).toContain('2311001');
      const remoteId = AgreementId.parse('2311001');
      await desk.api['outbox.settle']({ ref, decision: { as: 'sent', remoteId } });
      expect(await row(ref)).toMatchObject({ state: 'sent', remoteId });
    },
  );

  it('429 is sent again once the list has no similar agreement (TE-2.1)', async () => {
    desk.services.v2.answers.push(limited);
    const ref = await send(await addDraftV2(desk, 'Lease 7'));
    showInList('Lease 8');
    await workOn();
    const knownAt = desk.clock.now() - 3 * MINUTE + SETTLE;
    expect(await row(ref)).toMatchObject({ state: 'queued', verify: true, doubt: { knownAt } });
    desk.clock.advance(SETTLE);
    await work();
    expect(await row(ref)).toMatchObject({ state: 'sent', attempts: 2 });
  });

  it('429 is found in a list that is updated late, and is not sent again (TE-2.1)', async () => {
    desk.services.v2.answers.push(limited);
    const ref = await send(await addDraftV2(desk, 'Lease 7'));
    desk.services.v2.pages = [pageOf([])];
    await workOn();
    showInList();
    desk.clock.advance(SETTLE);
    await work();
    expect(desk.services.v2.created).toHaveLength(1);
    expect(await row(ref)).toMatchObject({ state: 'human', attempts: 1 });
  });

  it('429 is sent before its outcome is known if a person decides so; the journal records that', async () => {
    desk.services.v2.answers.push(limited);
    const ref = await send(await addDraftV2(desk, 'Lease 7'));
    showInList('Lease 8');
    await workOn();
    await desk.api['outbox.settle']({ ref, decision: { as: 'resend' } });
    await work();
    expect(await row(ref)).toMatchObject({ state: 'sent', attempts: 2 });
    const { journal } = await desk.api['outbox.history']({ ref });
    expect(journal).toContainEqual(
      expect.objectContaining({ from: 'queued', to: 'queued', actor: 'person' }),
    );
  });

  it('429 and returned to drafts holds the corrected draft until a list is conclusive (TE-2.1)', async () => {
    desk.services.v2.answers.push(limited);
    const draft = await addDraftV2(desk, 'Lease 7');
    const ref = await send(draft);
    showInList('Lease 8');
    await workOn();
    await desk.api['outbox.undo']({ ref });
    const mended = await desk.api['drafts.show']({ id: draft.id });
    await expect(send(mended)).rejects.toMatchObject({ failure: { reason: 'sent-before' } });
    const again = await send(mended, [ref]);
    await work();
    expect(await row(again)).toMatchObject({ state: 'queued', attempts: 0 });
    desk.clock.advance(SETTLE);
    await work();
    expect(await row(again)).toMatchObject({ state: 'sent' });
  });

  it('422 is found in a list that is updated late, when a correction could be sent (DL-V1)', async () => {
    desk.services.v2.answers.push(refused);
    desk.services.v2.pages = [pageOf([])];
    const ref = await send(await addDraftV2(desk, 'Lease 7'));
    await work();
    expect(await row(ref)).toMatchObject({ state: 'rejected', verify: false });
    showInList();
    desk.clock.advance(SETTLE);
    await work();
    const found = await row(ref);
    expect(found).toMatchObject({ state: 'human', attempts: 1 });
    expect(found.reason?.message).toContain('2311001');
  });

  it('422 is replaced by the corrected draft only after a person has compared the two (TE-2.1)', async () => {
    desk.services.v2.answers.push(refused);
    desk.services.v2.beforePage = () => {
      throw new AppError('offline', 'Not now');
    };
    const draft = await addDraftV2(desk, 'Lease 7');
    const ref = await send(draft);
    showInList();
    await work();
    expect(await row(ref)).toMatchObject({ state: 'rejected', verify: true });
    await desk.api['outbox.undo']({ ref });
    const again = await send(await desk.api['drafts.show']({ id: draft.id }));
    desk.services.v2.beforePage = () => {};
    desk.clock.advance(10 * MINUTE);
    await workOn();
    expect(desk.services.v2.created).toHaveLength(1);
    expect(await row(ref)).toMatchObject({ state: 'human' });
    await desk.api['outbox.settle']({ ref, decision: { as: 'abandon' } });
    await workOn();
    expect(await row(again)).toMatchObject({ state: 'sent' });
    expect(desk.services.v2.created).toHaveLength(2);
  });

  it('422 and confirmed as sent holds the corrected draft for a person (TE-2.1)', async () => {
    desk.services.v2.answers.push(refused);
    desk.services.v2.beforePage = () => {
      throw new AppError('offline', 'Not now');
    };
    const draft = await addDraftV2(desk, 'Lease 7');
    const ref = await send(draft);
    showInList();
    await work();
    await desk.api['outbox.undo']({ ref });
    const again = await send(await desk.api['drafts.show']({ id: draft.id }));
    desk.services.v2.beforePage = () => {};
    desk.clock.advance(10 * MINUTE);
    await workOn();
    const remoteId = AgreementId.parse('2311001');
    await desk.api['outbox.settle']({ ref, decision: { as: 'sent', remoteId } });
    await workOn();
    expect(await row(again)).toMatchObject({ state: 'queued', nextAt: null });
    expect(desk.services.v2.created).toHaveLength(1);
    await desk.api['outbox.sendNow']({ ref: again });
    await work();
    expect(await row(again)).toMatchObject({ state: 'sent' });
  });
});

describe('an agreement that carries the mark of a send', () => {
  beforeEach(async () => {
    connectionId = (await addConnection(desk)).id;
  });

  /** Loses the answer of a send; the list shows only an agreement with its tag. */
  async function loseOne(title: string): Promise<OutboxRef> {
    await send(await addDraftV1(desk, 'Seen by every pass'));
    await work();
    desk.services.v1.serverTime = desk.clock.now();
    const failure = { code: 'offline', message: 'Lost', reason: 'connection-lost' } as const;
    desk.services.v1.answers.push({ kind: 'unknown', failure });
    const ref = await send(await addDraftV1(desk, 'Lease'));
    await work();
    const theirs = remoteOf({ id: 'theirs', title, tags: { 'desk.ref': ref } });
    desk.services.v1.pages = [pageOf([theirs])];
    desk.services.v1.agreements.set('theirs', theirs);
    return ref;
  }

  it('under another title is left to a person to compare, and does not prove absence (TE-2.1)', async () => {
    const ref = await loseOne('Another title');
    const asked = await desk.api['outbox.look']({ ref });
    expect(asked).toMatchObject({ state: 'human', remoteId: null });
    expect(asked.reason?.message).toContain('theirs');
  });

  it('but cannot be read does not prove absence (TE-2.1)', async () => {
    const ref = await loseOne('Lease');
    desk.services.v1.agreements.set('theirs', new AppError('service', 'Later'));
    for (const minutes of [0, 11, 3]) {
      desk.clock.advance(minutes * MINUTE);
      desk.services.v1.serverTime = desk.clock.now();
      await desk.api['outbox.look']({ ref });
    }
    expect(await row(ref)).toMatchObject({ state: 'unknown', doubt: { cleanPasses: 0 } });
  });
});
