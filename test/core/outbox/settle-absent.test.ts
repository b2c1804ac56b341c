import { beforeEach, describe, expect, it } from 'vitest';
import type { OutboxState } from '../../../shared/contract/outbox.ts';
import type { ErrorReason, Failure } from '../../../shared/errors.ts';
import type { OutboxRef } from '../../../shared/model/ids.ts';
import { armRows, BATCH } from '../../support/armed-rows.ts';
import {
  addConnection,
  createWorld,
  type MemoryDesk,
  startMemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';

let world: World;
let desk: MemoryDesk;
let refs: readonly OutboxRef[];

beforeEach(async () => {
  world = createWorld();
  desk = startMemoryDesk(world);
  const { id: connectionId } = await addConnection(desk);
  refs = armRows(world, { connectionId, rows: 4, nextAt: world.clock.now() + 3_600_000 });
  leave(refs[0], 'human', 'nothing-created');
  leave(refs[1], 'human', 'nothing-created');
  leave(refs[2], 'human', 'outcome-unknown');
  leave(refs[3], 'unknown', 'nothing-created');
});

/** Its one attempt came to this. */
function leave(ref: OutboxRef | undefined, to: OutboxState, reason: ErrorReason): void {
  if (ref === undefined) throw new Error('No row');
  const { outbox } = world.stores;
  const at = world.clock.now();
  outbox.claim(ref, { at, floor: at, credential: 'credential-1' });
  const said: Failure = { code: 'conflict', message: 'Looked for', reason };
  outbox.move(ref, ['sending'], { to, cause: 'look', reason: said }, at);
}

const settle = (as: 'resend' | 'abandon', confirm: number) =>
  desk.api['outbox.settleAbsent']({ batchId: BATCH, as, confirm });
const states = () => refs.map((ref) => world.stores.outbox.get(ref).state);

describe('one decision about the rows of a batch that were proven absent', () => {
  it.each([
    { as: 'resend', to: 'queued' },
    { as: 'abandon', to: 'abandoned' },
  ] as const)('to $as leaves every other row as it is', async ({ as, to }) => {
    // Nothing leaves any more, so that what was decided stands as it was written down.
    await desk.api['outbox.halt']({});
    expect(await settle(as, 2)).toEqual({ settled: 2 });
    expect(states()).toEqual([to, to, 'human', 'unknown']);
    const [first] = refs;
    if (first === undefined) throw new Error('No row');
    const { journal } = await desk.api['outbox.history']({ ref: first });
    expect(journal.at(-1)).toMatchObject({ from: 'human', to, cause: 'person', actor: 'person' });
  });

  it.each([1, 3, 4])('is not taken where a person confirms %i of two', async (confirm) => {
    await expect(settle('resend', confirm)).rejects.toMatchObject({
      failure: {
        code: 'invalid',
        reason: 'count-differs',
        message: 'It is 2 of this batch that were proven absent',
      },
    });
    expect(states()).toEqual(['human', 'human', 'human', 'unknown']);
  });

  it('is not taken while another process sends', async () => {
    world.locks.lock().take();
    desk = startMemoryDesk(world);
    await expect(settle('resend', 2)).rejects.toMatchObject({
      failure: {
        code: 'conflict',
        reason: 'desk-busy',
        message: 'Another window or command of this program is sending now',
      },
    });
    expect(states()).toEqual(['human', 'human', 'human', 'unknown']);
  });

  it('to send again lets those rows go out, and no other', async () => {
    world.stores.outbox.setBatchGate(BATCH, 'open', null);
    await settle('resend', 2);
    await desk.api['outbox.run']({});
    expect(world.services.v1.created).toHaveLength(2);
  });
});
