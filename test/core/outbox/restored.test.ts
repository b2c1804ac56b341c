import { beforeEach, describe, expect, it } from 'vitest';
import { isSamePlace } from '../../../electron/core/outbox/epoch.ts';
import type { Place } from '../../../electron/core/external-state-ports.ts';
import type { ConnectionId, OutboxRef } from '../../../shared/model/ids.ts';
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
import { MINUTE } from '../../../shared/rules/time/units.ts';

const EPOCH = 'outbox-epoch';

let world: World;
let connectionId: ConnectionId;

beforeEach(async () => {
  world = createWorld();
  connectionId = (await addConnection(startMemoryDesk(world))).id;
});

/** Starts another process with the same data; the earlier one has ended. */
const restart = (): MemoryDesk => startMemoryDesk({ ...world, locks: createWorld().locks });

/** Adds a draft with new content, so that it does not count as sent before. */
const addDraft = (desk: MemoryDesk) => addDraftV1(desk, `Lease ${String((drafts += 1))}`);
let drafts = 0;

async function arm(desk: MemoryDesk = restart(), holdSeconds = 10): Promise<OutboxRef> {
  const { id } = await addDraft(desk);
  return (await desk.api['drafts.send']({ id, connectionId, holdSeconds, confirm: 1 })).ref;
}

/** Sends a row as the command `outbox run` does. */
async function send(desk: MemoryDesk, ref: OutboxRef) {
  await desk.api['outbox.sendNow']({ ref });
  await desk.api['outbox.run']({});
  return desk.api['outbox.show']({ ref });
}

const doubted = { state: 'unknown', attempts: 0, reason: { reason: 'outcome-unknown' } } as const;

describe('data in another location than where it was written', () => {
  it.each([
    { computer: 'another' },
    { volume: '2' },
    { file: '8' },
    { made: '2' },
  ] satisfies Partial<Place>[])('counts as restored: %j (SEC-H1)', async (moved) => {
    const ref = await arm();
    world.externalState.moveTo(moved);
    expect(await send(restart(), ref)).toMatchObject(doubted);
    expect(world.services.v1.created).toEqual([]);
  });

  it('does not count as restored if the system reports no location, or after a restart (SEC-H1)', async () => {
    const ref = await arm();
    world.externalState.moveTo({ made: null });
    expect(await send(restart(), ref)).toMatchObject({ state: 'sent' });
    const known = { computer: 'a', volume: '1', file: '2', made: '3' };
    const unknown = { computer: null, volume: null, file: null, made: null };
    expect(isSamePlace(known, unknown)).toBe(true);
    expect(isSamePlace(known, { ...unknown, file: '4' })).toBe(false);
  });
});

describe('a restored copy of the data', () => {
  it('makes all or none of its rows unknown, at whatever step the program ends (SEC-H1)', async () => {
    const ref = await arm();
    const refs = [ref, await arm(), await arm()];
    world.externalState.moveTo({ file: '8' });
    const { outbox } = world.stores;
    const apply = outbox.apply.bind(outbox);
    let left = 2;
    outbox.apply = (...change) => {
      left -= 1;
      if (left < 0) throw new Error('The power was cut');
      return apply(...change);
    };
    await send(restart(), ref).catch(() => undefined);
    expect(left).toBeLessThan(0);
    expect(outbox.inState('queued')).toHaveLength(refs.length);
    outbox.apply = apply;
    await send(restart(), ref);
    expect(outbox.inState('unknown')).toHaveLength(refs.length);
  });
});

describe('the epoch number in the credential store', () => {
  it.each(['0', '99', 'no number'])(
    'marks the data as restored if it is %s, even if the external state is unchanged (SEC-H1)',
    async (kept) => {
      await send(restart(), await arm());
      const ref = await arm();
      await world.vault.write(EPOCH, kept);
      expect(await send(restart(), ref)).toMatchObject(doubted);
      expect(world.services.v1.created).toHaveLength(1);
      expect(await send(restart(), await arm())).toMatchObject({ state: 'sent' });
    },
  );
});

describe('the external state on this computer', () => {
  it.each(['0', '1', '99', 'no number', null])(
    'marks the data as restored if it is %s (SEC-H1)',
    async (kept) => {
      await send(restart(), await arm());
      const ref = await arm();
      if (kept === null) world.externalState.notes.delete(EPOCH);
      else world.externalState.notes.set(EPOCH, kept);
      const { outbox } = world.stores;
      const seen = Math.max(outbox.epoch().current, Number(kept) || 0);
      const written: number[] = [];
      const setEpoch = outbox.setEpoch.bind(outbox);
      outbox.setEpoch = (epoch) => {
        if (epoch.next !== null) written.push(epoch.next);
        setEpoch(epoch);
      };
      expect(await send(restart(), ref)).toMatchObject(doubted);
      // Each written number is above all earlier ones, so that a copy with any of them is detected.
      expect(Math.min(...written)).toBe(seen + 1);
      expect(world.services.v1.created).toHaveLength(1);
      const next = await arm();
      expect(await send(restart(), next)).toMatchObject({ state: 'sent' });
    },
  );

  it('is written if it is missing, and makes no row unknown if no row waits (SEC-H1)', async () => {
    const { outbox } = world.stores;
    outbox.setEpoch({ current: 7, next: null, place: null });
    await world.vault.write(EPOCH, '7');
    const ref = await arm();
    expect(await send(restart(), ref)).toMatchObject({ state: 'sent' });
    expect(world.externalState.notes.get(EPOCH)).toBe(String(outbox.epoch().current));
  });

  it('makes waiting rows unknown if an older version wrote no external state (SEC-H1)', async () => {
    const ref = await arm();
    const { outbox } = world.stores;
    outbox.setEpoch({ ...outbox.epoch(), place: null });
    world.externalState.notes.clear();
    expect(await send(restart(), ref)).toMatchObject(doubted);
    expect(world.services.v1.created).toEqual([]);
  });

  it('is completed without unknown rows if the program ended between two of its writes (SEC-H1)', async () => {
    for (const written of [0, 1, 2]) {
      const ref = await arm();
      const { outbox } = world.stores;
      const { current, place } = outbox.epoch();
      outbox.setEpoch({ current, next: current + 1, place });
      if (written > 0) await world.vault.write(EPOCH, String(current + 1));
      if (written > 1) world.externalState.notes.set(EPOCH, String(current + 1));
      expect(await send(restart(), ref), `${written} writes`).toMatchObject({ state: 'sent' });
      expect(outbox.epoch().next).toBeNull();
    }
  });

  it('blocks sends with a reason while it cannot be written, and allows them afterwards (SEC-H1)', async () => {
    const ref = await arm();
    const reason = 'state-folder';
    const failure: Failure = { code: 'storage', message: 'It cannot be written', reason };
    world.externalState.breakWith(failure);
    const desk = restart();
    expect(await send(desk, ref)).toMatchObject({ state: 'queued', reason: { reason } });
    const { id } = await addDraft(desk);
    const order = { id, connectionId, holdSeconds: 0, confirm: 1 };
    await expect(desk.api['drafts.send'](order)).rejects.toMatchObject({ failure: { reason } });
    expect(world.services.v1.created).toEqual([]);
    world.externalState.breakWith(null);
    expect(await send(desk, ref)).toMatchObject({ state: 'sent' });
  });

  it('blocks sends while it can be read but not written (SEC-H1)', async () => {
    const desk = restart();
    await send(desk, await arm(desk));
    const ref = await arm(desk);
    const { write } = world.externalState;
    Object.assign(world.externalState, {
      write: () => Promise.reject(new Error('read-only')),
    });
    expect(await send(desk, ref)).toMatchObject({ state: 'queued' });
    expect(world.services.v1.created).toHaveLength(1);
    Object.assign(world.externalState, { write });
  });
});

describe('two copies of one data folder', () => {
  it('make waiting rows wait for a person in the copy that ran while the other was used (SEC-H1)', async () => {
    const desk = restart();
    desk.desk.start();
    const ref = await arm(desk, 30);
    // The other copy increased this computer's stored number.
    world.externalState.notes.set(EPOCH, '40');
    world.clock.advance(MINUTE);
    await desk.api['outbox.run']({});
    expect(await desk.api['outbox.show']({ ref })).toMatchObject({ state: 'unknown' });
    expect(world.services.v1.created).toEqual([]);
    await desk.desk.stop();
  });
});

describe('a row of restored data', () => {
  /** Moves the clocks of this computer and the service, and runs the outbox. */
  async function later(desk: MemoryDesk, milliseconds: number): Promise<void> {
    world.clock.advance(milliseconds);
    world.services.v1.serverTime = world.clock.now();
    await desk.api['outbox.run']({});
  }

  async function prove(desk: MemoryDesk): Promise<void> {
    for (const wait of [5_000, 10 * MINUTE, 2 * MINUTE, 2 * MINUTE]) await later(desk, wait);
  }

  it('and already proven absent is unknown again, and the service is searched again (SEC-H1)', async () => {
    world.services.v1.serverTime = world.clock.now();
    await send(restart(), await arm());
    const ref = await arm();
    world.externalState.moveTo({ file: '8' });
    const desk = restart();
    expect(await send(desk, ref)).toMatchObject(doubted);
    await prove(desk);
    const proven = { state: 'human', reason: { reason: 'not-listed' } };
    expect(await desk.api['outbox.show']({ ref })).toMatchObject(proven);
    world.externalState.moveTo({ file: '9' });
    const again = restart();
    await again.api['outbox.settle']({ ref, decision: { as: 'resend' } });
    await again.api['outbox.run']({});
    expect(await again.api['outbox.show']({ ref })).toMatchObject(doubted);
    expect(world.services.v1.created).toHaveLength(1);
  });

  it('is found on the service by its tag, and is settled without a send (SEC-H1)', async () => {
    const ref = await arm();
    const { title } = await restart().api['outbox.show']({ ref });
    const theirs = remoteOf({ id: 'theirs', title, tags: { 'desk.ref': ref } });
    world.services.v1.agreements.set('theirs', theirs);
    world.services.v1.pages = [pageOf([theirs])];
    world.externalState.moveTo({ computer: 'another' });
    const desk = restart();
    await send(desk, ref);
    await later(desk, 5_000);
    const found = { state: 'sent', remoteId: 'theirs', attempts: 0 };
    expect(await desk.api['outbox.show']({ ref })).toMatchObject(found);
    expect(world.services.v1.created).toEqual([]);
  });

  it.each(['unknown', 'queued'] as const)(
    'and given up while %s still counts as possibly sent, and is still looked for (DL-A9)',
    async (state) => {
      world.services.v1.serverTime = world.clock.now();
      await send(restart(), await arm());
      const ref = await arm();
      const { draftId } = world.stores.outbox.get(ref);
      world.externalState.moveTo({ file: '8' });
      const desk = restart();
      await send(desk, ref);
      if (state === 'queued') {
        await prove(desk);
        await desk.api['outbox.settle']({ ref, decision: { as: 'resend' } });
        await desk.api['outbox.undo']({ ref });
      } else await desk.api['outbox.settle']({ ref, decision: { as: 'abandon' } });
      expect(await desk.api['outbox.show']({ ref })).toMatchObject({ state: 'abandoned' });
      if (draftId === null) throw new Error('A send without a draft');
      const { sentBefore } = await desk.api['drafts.check']({ id: draftId });
      expect(sentBefore).toMatchObject([{ ref }]);
      expect(world.stores.outbox.inDoubt(connectionId)).toMatchObject([{ ref }]);
    },
  );

  it('is looked for from a day before its creation: its attempts are in another copy (SEC-H1)', async () => {
    const ref = await arm();
    world.externalState.moveTo({ file: '8' });
    const desk = restart();
    const { createdAt } = await send(desk, ref);
    await later(desk, 5_000);
    expect(world.services.v1.scansFrom[0]).toBeLessThanOrEqual(createdAt - 24 * 60 * MINUTE);
  });
});
