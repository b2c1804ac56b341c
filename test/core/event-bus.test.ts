import { expect, it } from 'vitest';
import { EventBus } from '../../electron/core/event-bus.ts';
import { OutboxRef } from '../../shared/model/ids.ts';
import {
  addConnection,
  addDraftV1,
  createWorld,
  startMemoryDesk,
} from '../support/fakes/memory-desk.ts';

const ref = OutboxRef.parse('00000000-0000-4000-8000-000000000001');

it('an event reaches the page first, then listeners of its name, then listeners of all events', () => {
  const seen: unknown[] = [];
  const events = new EventBus(
    (name, data) => void seen.push(['page', name, data]),
    (error) => void seen.push(error),
  );
  events.onAny((name) => void seen.push(['all', name]));
  events.on('outbox.changed', (data) => void seen.push(['outbox', data]));
  events.on('settings.changed', () => void seen.push(['settings']));
  events.emit('outbox.changed', { ref });
  expect(seen).toEqual([
    ['page', 'outbox.changed', { ref }],
    ['outbox', { ref }],
    ['all', 'outbox.changed'],
  ]);
});

it('a listener that throws stops neither the work nor the other listeners', () => {
  const errors: unknown[] = [];
  const heard: string[] = [];
  const bus = new EventBus(
    (name) => heard.push(`page ${name}`),
    (error) => errors.push(error),
  );
  const broken = new Error('The disk does not answer');
  bus.on('office.changed', () => {
    throw broken;
  });
  bus.on('office.changed', () => heard.push('second'));
  bus.onAny((name) => heard.push(`any ${name}`));
  bus.emit('office.changed', {});
  expect(heard).toEqual(['page office.changed', 'second', 'any office.changed']);
  expect(errors).toEqual([broken]);
});

it('a draft that is in the outbox is not reported as failed when a listener throws', async () => {
  const world = createWorld();
  const desk = startMemoryDesk(world);
  const { id: connectionId } = await addConnection(desk);
  const { id } = await addDraftV1(desk);
  const { office } = world.stores;
  const sharedDrafts = () => {
    throw new Error('The disk does not answer');
  };
  Object.assign(office, { sharedDrafts });
  const { ref } = await desk.api['drafts.send']({ id, connectionId, holdSeconds: 0, confirm: 1 });
  expect((await desk.api['drafts.show']({ id })).sending).toBe(ref);
});
