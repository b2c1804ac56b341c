import { beforeEach, describe, expect, it } from 'vitest';
import type { WriteResult } from '../../../electron/core/ports.ts';
import { AgreementId, type ConnectionId, type OutboxRef } from '../../../shared/model/ids.ts';
import type { Failure } from '../../../shared/errors.ts';
import { pageOf, remoteOf } from '../../support/fakes/fake-service.ts';
import {
  addConnection,
  addDraftV1,
  createWorld,
  type MemoryDesk,
  startMemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';
import { DAY, HOUR, MINUTE } from '../../../shared/rules/time/units.ts';

const lost: Failure = { code: 'offline', message: 'Lost', reason: 'connection-lost' };
const unknown: WriteResult = { kind: 'unknown', failure: lost };

let world: World;
let desk: MemoryDesk;
let connectionId: ConnectionId;

beforeEach(async () => {
  world = createWorld();
  desk = startMemoryDesk(world);
  connectionId = (await addConnection(desk)).id;
  world.services.v1.serverTime = world.clock.now();
});

const row = (ref: OutboxRef) => desk.api['outbox.show']({ ref });
const work = () => desk.api['outbox.run']({});

async function send(title = 'Lease'): Promise<OutboxRef> {
  const { id } = await addDraftV1(desk, title);
  return (await desk.api['drafts.send']({ id, connectionId, holdSeconds: 0, confirm: 1 })).ref;
}

/** Moves the clocks of this computer and the service, and runs the outbox. */
async function later(milliseconds: number): Promise<void> {
  world.clock.advance(milliseconds);
  world.services.v1.serverTime = world.clock.now();
  await work();
}

/** Sends a control, then a row whose answer is lost and which created nothing. */
async function loseOne(): Promise<OutboxRef> {
  await send('Seen by every pass');
  await work();
  world.services.v1.answers.push(unknown);
  const ref = await send();
  await work();
  return ref;
}

describe('a send with unknown outcome', () => {
  it('is absent after the settle time and two complete scans, and is left to a person', async () => {
    const ref = await loseOne();
    await later(5_000);
    expect(await row(ref)).toMatchObject({ state: 'unknown', doubt: { cleanPasses: 0 } });
    await later(10 * MINUTE);
    expect(await row(ref)).toMatchObject({ state: 'unknown', doubt: { cleanPasses: 1 } });
    await later(MINUTE);
    expect(await row(ref)).toMatchObject({ state: 'unknown' });
    await later(MINUTE);
    expect(await row(ref)).toMatchObject({
      state: 'human',
      attempts: 1,
      reason: { reason: 'not-listed' },
    });
    expect(world.services.v1.created).toHaveLength(2);
  });

  it.each([
    ['after', 3_650 * DAY],
    ['before', -3_650 * DAY],
  ])(
    'is settled exactly on time, although its answer was dated ten years %s it (DL-R4)',
    async (_side, off) => {
      await send('Seen by every pass');
      await work();
      const serverTime = world.clock.now() + off;
      world.services.v1.answers.push({ ...unknown, serverTime });
      const ref = await send();
      await work();
      await later(5_000);
      await later(4 * MINUTE);
      expect(await row(ref)).toMatchObject({ state: 'unknown', doubt: { cleanPasses: 0 } });
      await later(6 * MINUTE);
      expect(await row(ref)).toMatchObject({ state: 'unknown', doubt: { cleanPasses: 1 } });
      await later(2 * MINUTE);
      expect(await row(ref)).toMatchObject({ state: 'human', reason: { reason: 'not-listed' } });
    },
  );

  it('is sent once more if a person decides so; the person and the reasons are recorded', async () => {
    const ref = await loseOne();
    for (const wait of [5_000, 10 * MINUTE, 2 * MINUTE]) await later(wait);
    const history = await desk.api['outbox.history']({ ref });
    expect(history.attempts).toMatchObject([{ left: true, outcome: 'unknown' }]);
    expect(history.passes.filter(({ isComplete }) => isComplete).length).toBeGreaterThan(1);
    await desk.api['outbox.settle']({ ref, decision: { as: 'resend' } });
    await work();
    expect(await row(ref)).toMatchObject({ state: 'sent', attempts: 2 });
    const { journal } = await desk.api['outbox.history']({ ref });
    expect(journal).toContainEqual(
      expect.objectContaining({ from: 'human', to: 'queued', actor: 'person' }),
    );
  });

  it('is left to a person when no scan can be complete for half an hour', async () => {
    world.services.v1.answers.push(unknown);
    const ref = await send();
    await work();
    await later(10 * MINUTE);
    for (let pass = 0; pass < 6; pass += 1) await later(9 * MINUTE);
    expect(await row(ref)).toMatchObject({ state: 'human', attempts: 1 });
    expect(world.services.v1.created).toHaveLength(1);
  });

  it('stored by a version without service clock is looked for from a day before the send', async () => {
    const ref = await send();
    const { outbox } = world.stores;
    const at = world.clock.now();
    outbox.claim(ref, { at, floor: at, credential: '' });
    outbox.move(ref, ['sending'], { to: 'unknown', cause: 'answer' }, at);
    await desk.api['outbox.look']({ ref });
    expect(world.services.v1.scansFrom[0]).toBeLessThan(at - 24 * 60 * MINUTE);
    expect(await row(ref)).toMatchObject({ state: 'human' });
  });

  it('is left to a person if the API key was changed after the send', async () => {
    const ref = await loseOne();
    world.services.v1.credential = 'of another user';
    for (const wait of [5_000, 11 * MINUTE]) await later(wait);
    expect(await row(ref)).toMatchObject({ state: 'human' });
  });
});

describe('a refused send', () => {
  it('that was carried out after all is found by the next scan', async () => {
    const failure: Failure = { code: 'invalid', message: 'No' };
    world.services.v1.answers.push({ kind: 'refused', failure });
    const ref = await send();
    const tags = { 'desk.ref': ref };
    world.services.v1.agreements.set('theirs', remoteOf({ id: 'theirs', tags }));
    world.services.v1.pages = [pageOf([remoteOf({ id: 'theirs', tags })])];
    await work();
    expect(await row(ref)).toMatchObject({ state: 'sent', remoteId: 'theirs' });
  });
});

describe('a second agreement of one send', () => {
  it('is reported by the next reading after the send', async () => {
    const ref = await send();
    await work();
    const tags = { 'desk.ref': ref };
    const received = ['remote-1', 'late'].map((id) =>
      remoteOf({ id, tags, updatedAt: world.clock.now() }),
    );
    world.services.v1.pages = [pageOf(received, Date.now())];
    const { jobId } = await desk.api['agreements.sync']({ full: true });
    await desk.finish(jobId);
    expect(await row(ref)).toMatchObject({ state: 'duplicate' });
    const decision = { as: 'keep', remoteId: AgreementId.parse('late') } as const;
    world.services.v1.agreements.set('late', remoteOf({ id: 'late', tags }));
    await desk.api['outbox.settle']({ ref, decision });
    expect(await row(ref)).toMatchObject({ state: 'sent', remoteId: 'late' });
  });
});

describe('a restored copy of the data', () => {
  it('sends no row that the local copies show as sent, without any other sign of the restore (DL-A1)', async () => {
    const { id } = await addDraftV1(desk, 'Tomorrow');
    const sendAt = world.clock.now() + 24 * 60 * MINUTE;
    const order = { id, connectionId, holdSeconds: 0, confirm: 1, sendAt };
    const { ref } = await desk.api['drafts.send'](order);
    const gone = remoteOf({ id: 'gone', tags: { 'desk.ref': ref }, updatedAt: world.clock.now() });
    world.services.v1.agreements.set('gone', gone);
    world.services.v1.pages = [pageOf([gone], world.clock.now())];
    const { jobId } = await desk.api['agreements.sync']({ full: true });
    await desk.finish(jobId);
    expect(await row(ref)).toMatchObject({ state: 'queued' });
    await desk.api['outbox.sendNow']({ ref });
    await work();
    expect(world.services.v1.created).toHaveLength(0);
    await later(MINUTE);
    expect(await row(ref)).toMatchObject({ state: 'sent', remoteId: 'gone' });
    expect(world.services.v1.created).toHaveLength(0);
  });

  it('sends none of its waiting rows, and looks for them on the service instead', async () => {
    const ref = await send();
    // The credential store has a higher number than this copy of the data.
    await world.vault.write('outbox-epoch', '99');
    const { locks } = createWorld();
    const after = startMemoryDesk({ ...world, locks });
    await after.api['outbox.sendNow']({ ref });
    await after.api['outbox.run']({});
    expect(world.services.v1.created).toEqual([]);
    expect(await after.api['outbox.show']({ ref })).toMatchObject({
      state: 'unknown',
      reason: { reason: 'outcome-unknown' },
    });
  });
});

describe('a sleep of the computer', () => {
  it('makes rows that fell due during the sleep wait for a person (TX-13)', async () => {
    desk.desk.start();
    const { id } = await addDraftV1(desk);
    const order = { id, connectionId, holdSeconds: 30, confirm: 1 };
    const { ref } = await desk.api['drafts.send'](order);
    await work();
    world.clock.leap(9 * HOUR);
    await work();
    expect(await row(ref)).toMatchObject({ state: 'queued', nextAt: null });
    expect(world.services.v1.created).toEqual([]);
    await desk.desk.stop();
  });
});
