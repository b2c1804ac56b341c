import { expect, it } from 'vitest';
import { EventBus } from '../../electron/core/event-bus.ts';
import { OutboxRef } from '../../shared/model/ids.ts';

const ref = OutboxRef.parse('00000000-0000-4000-8000-000000000001');

it('an event reaches the page first, then the parts that follow its name, then those that follow all', () => {
  const seen: unknown[] = [];
  const events = new EventBus((name, data) => void seen.push(['page', name, data]));
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
