import { beforeEach, describe, expect, it } from 'vitest';
import { type ConnectionId, OutboxRef } from '../../../shared/model/ids.ts';
import {
  addConnection,
  addDraftV1,
  createWorld,
  type MemoryDesk,
  startMemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';
import { DAY, MINUTE } from '../../../shared/rules/time/units.ts';

let world: World;
let connectionId: ConnectionId;

beforeEach(async () => {
  world = createWorld();
  const first = startMemoryDesk(world);
  connectionId = (await addConnection(first)).id;
});

async function send(desk: MemoryDesk, holdSeconds: number, title = 'Lease') {
  const { id } = await addDraftV1(desk, title);
  const order = { id, connectionId, holdSeconds, confirm: 1 };
  const { ref } = await desk.api['drafts.send'](order);
  return { id, ref };
}

/** Starts a process with the same data, after the system released the lock of a killed one. */
function restart(): MemoryDesk {
  const fresh = createWorld();
  const { locks } = fresh;
  return startMemoryDesk({ ...world, locks });
}

describe('the outbox after a sudden end', () => {
  it('gives rows in flight an unknown outcome, and sends nothing automatically (TX-10)', async () => {
    const before = startMemoryDesk(world);
    const { ref } = await send(before, 0);
    world.stores.outbox.claim(ref, { at: world.clock.now(), floor: 0, credential: '' });
    const after = restart();
    expect(await after.api['outbox.show']({ ref })).toMatchObject({
      state: 'unknown',
      reason: { reason: 'outcome-unknown' },
    });
    expect(world.stores.journal.at(-1)).toMatchObject({ from: 'sending', cause: 'restart' });
    after.desk.start();
    world.clock.advance(DAY);
    await after.api['outbox.run']({});
    expect(world.services.v1.created).toEqual([]);
    await after.desk.stop();
  });

  it('leaves a row just proven absent to a person, as without the sudden end', async () => {
    const { ref } = await send(startMemoryDesk(world), 0);
    const { outbox } = world.stores;
    outbox.claim(ref, { at: world.clock.now(), floor: 0, credential: '' });
    outbox.move(ref, ['sending'], { to: 'absent', cause: 'look' }, world.clock.now());
    const after = restart();
    await after.api['outbox.run']({});
    expect(await after.api['outbox.show']({ ref })).toMatchObject({
      state: 'human',
      reason: { reason: 'not-listed' },
    });
    expect(world.services.v1.created).toEqual([]);
  });

  it('leaves a waiting row to a person, who can send or cancel it', async () => {
    const before = startMemoryDesk(world);
    const sent = await send(before, 10, 'First');
    const takenBack = await send(before, 10, 'Second');
    const after = restart();
    world.clock.advance(MINUTE);
    await after.api['outbox.run']({});
    expect(world.services.v1.created).toEqual([]);
    const left = await after.api['outbox.show']({ ref: sent.ref });
    expect(left).toMatchObject({ state: 'queued', nextAt: null });
    expect(left.reason).not.toBeNull();
    await after.api['outbox.undo']({ ref: takenBack.ref });
    await after.api['outbox.sendNow']({ ref: sent.ref });
    await after.api['outbox.run']({});
    expect(world.services.v1.created).toHaveLength(1);
    expect(world.services.v1.created[0]).toContain('First');
  });

  it('unlocks a draft that was locked for a row that was never stored', async () => {
    const before = startMemoryDesk(world);
    const { id } = await addDraftV1(before);
    const never = OutboxRef.parse('00000000-0000-4000-8000-999999999999');
    world.stores.drafts.setSending(id, never);
    expect((await restart().api['drafts.show']({ id })).sending).toBeNull();
  });

  it('removes the draft of a row whose answer was just stored', async () => {
    const before = startMemoryDesk(world);
    const { ref } = await send(before, 10);
    const { stores, clock } = world;
    stores.outbox.move(ref, ['queued'], { to: 'sent', cause: 'answer' }, clock.now());
    expect(await restart().api['drafts.list']({})).toEqual([]);
  });
});

describe('two processes with one data folder', () => {
  it('send a row once, from the process that holds the outbox', async () => {
    const one = startMemoryDesk(world);
    const { ref } = await send(one, 10);
    const two = startMemoryDesk(world);
    await expect(two.api['outbox.run']({})).rejects.toMatchObject({
      failure: { code: 'conflict', reason: 'desk-busy' },
    });
    world.clock.advance(10_000);
    await Promise.all([one.api['outbox.run']({}), one.api['outbox.run']({})]);
    expect(world.services.v1.created).toHaveLength(1);
    expect(await two.api['outbox.show']({ ref })).toMatchObject({ state: 'sent' });
  });

  it('do not treat the waiting rows of the other process as left over', async () => {
    const one = startMemoryDesk(world);
    const { ref } = await send(one, 10);
    startMemoryDesk(world);
    expect(await one.api['outbox.show']({ ref })).toMatchObject({
      nextAt: world.clock.now() + 10_000,
      reason: null,
    });
  });

  it('let the window send the rows that a command has left to the window', async () => {
    const window = startMemoryDesk(world);
    window.desk.start();
    await send(window, 30, 'Own');
    const command = startMemoryDesk(world);
    const { ref } = await send(command, 0, 'From the command');
    window.desk.wake();
    await window.until(() => world.stores.outbox.get(ref).state === 'sent');
    expect(world.services.v1.created).toHaveLength(1);
    await window.desk.stop();
  });
});

describe('closing the program', () => {
  it('starts nothing new and releases the outbox to others', async () => {
    const one = startMemoryDesk(world);
    one.desk.start();
    const { ref } = await send(one, 10);
    await one.desk.stop();
    world.clock.advance(MINUTE);
    expect(world.services.v1.created).toEqual([]);
    const two = startMemoryDesk(world);
    expect(await two.api['outbox.show']({ ref })).toMatchObject({ state: 'queued', nextAt: null });
  });

  it('waits for answers to requests in flight, and then stops them', async () => {
    const one = startMemoryDesk(world);
    one.desk.start();
    let stopped: AbortSignal | undefined;
    let isOut = () => {};
    const out = new Promise<void>((resolve) => (isOut = resolve));
    world.services.v1.create = (_body: Uint8Array, signal?: AbortSignal) => {
      stopped = signal;
      isOut();
      return new Promise((resolve) => {
        signal?.addEventListener('abort', () => {
          const failure = { code: 'cancelled', message: 'Stopped' } as const;
          resolve({ kind: 'unknown', failure });
        });
      });
    };
    const { ref } = await send(one, 0);
    await out;
    const closing = one.desk.stop();
    expect(stopped?.aborted).toBe(false);
    world.clock.advance(5_000);
    await closing;
    expect(world.stores.outbox.get(ref).state).toBe('unknown');
  });
});
