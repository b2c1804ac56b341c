import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { MINUTE } from '../../../shared/rules/time/units.ts';
import { startOutboxWork } from '../../support/desks/outbox-work.ts';
import {
  addConnection,
  addDraftV1,
  createWorld,
  startMemoryDesk,
} from '../../support/fakes/memory-desk.ts';
import { sendDraft } from '../../support/desks/demo-desk.ts';

it('an outbox worker continues to send a minute after an unexpected error (DL-V14)', async () => {
  const world = createWorld();
  const desk = startMemoryDesk(world);
  const { id: connectionId } = await addConnection(desk);
  const ref = await sendDraft(desk, await addDraftV1(desk), connectionId);
  const { outbox } = world.stores;
  const { due } = outbox;
  let hasFailed = false;
  const stores = {
    ...world.stores,
    outbox: {
      ...outbox,
      due: (...asked: Parameters<typeof due>) => {
        if (hasFailed) return due(...asked);
        hasFailed = true;
        throw new RangeError('nobody expected this');
      },
    },
  };
  const { locks } = createWorld();
  const { worker, transitions } = startOutboxWork({ ...world, stores, locks });
  transitions.postpone(ref, world.clock.now(), { cause: 'person' });
  const turns = async (isOver: () => boolean) => {
    for (let turn = 0; turn < 100 && !isOver(); turn += 1) await setImmediate();
  };
  worker.start();
  await turns(() => hasFailed);
  await setImmediate();
  expect(outbox.get(ref)).toMatchObject({ state: 'queued' });
  world.clock.advance(MINUTE);
  await turns(() => outbox.get(ref).state === 'sent');
  expect(outbox.get(ref)).toMatchObject({ state: 'sent' });
  await worker.stop();
});
