import { createEncoding } from '../../../electron/adapters/system/encoding.ts';
import type { Scheduler } from '../../../electron/core/ports.ts';
import { createToFailure } from '../../../electron/core/app-error.ts';
import { createOutboxWork, type OutboxDeps } from '../../../electron/core/outbox/outbox.ts';
import { createServices } from '../../../electron/core/services/services.ts';
import type { World } from '../fakes/memory-desk.ts';
import { sha256 } from '../fakes/memory-ports.ts';

interface Around extends OutboxDeps {
  readonly scheduler?: Scheduler;
}

/**
 * What sends and looks, without the rest of a desk: one process that holds the outbox of `world`.
 * `seen` gathers what it tells and the points it comes through, in order.
 */
export function startOutboxWork(world: World, around: Around = {}) {
  const { stores, vault, opened, actions, locks, log } = world;
  const seen: unknown[] = [];
  const services = createServices({
    vault,
    connections: stores.connections,
    openService: opened.open,
    openActions: actions.open,
    demo: { urls: () => Promise.reject(new Error('No demo')) },
  });
  const ports = {
    ...world,
    sha256,
    lock: locks.lock(),
    encoding: createEncoding(),
    toFailure: createToFailure(log),
    emit: (...told: readonly unknown[]) => void seen.push(told),
    atKillPoint: (point: string) => void seen.push(point),
    scheduler: { yield: async () => void seen.push('others first') },
    onSent: (...sent: readonly unknown[]) => void seen.push(['sent', ...sent]),
    onDistrust: () => void seen.push('distrusted'),
    ...around,
  };
  const work = createOutboxWork({ ...ports, services });
  work.worker.hold();
  return { ...work, seen, ports: { ...ports, ...work } };
}
