import { createEncoding } from '../../../electron/adapters/system/encoding.ts';
import type { Scheduler } from '../../../electron/core/ports.ts';
import { createToFailure } from '../../../electron/core/app-error.ts';
import { createOfficeActs } from '../../../electron/core/office/acts.ts';
import { OfficeGuard } from '../../../electron/core/office/guard.ts';
import type { JoinedOffice } from '../../../electron/core/office/ports.ts';
import {
  createOutboxWork,
  type OutboxDeps,
  type SendGuardParts,
} from '../../../electron/core/outbox/outbox.ts';
import { createServices } from '../../../electron/core/services/services.ts';
import type { World } from '../fakes/memory-desk.ts';
import { sha256 } from '../fakes/memory-ports.ts';

interface Around extends OutboxDeps {
  readonly scheduler?: Scheduler;
  /** Returns the office of the computer; null without one. */
  readonly joined?: () => Promise<JoinedOffice> | null;
}

/**
 * The sender and the scanner without the rest of the program: one process with the outbox of
 * `world`. `seen` collects its events and the kill points that it passes, in order.
 */
export function startOutboxWork(world: World, around: Around = {}) {
  const { stores, vault, opened, actions, locks, log } = world;
  const seen: unknown[] = [];
  const services = createServices({
    vault,
    connections: stores.connections,
    settings: stores.settings,
    openService: opened.open,
    openActions: actions.open,
    demo: { urls: () => Promise.reject(new Error('No demo')) },
    hearClock: (id, serverTime) => work.gates.noteServerTime(id, serverTime),
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
  const { joined = () => null } = around;
  const guarded = { ...ports, joined };
  const acts = createOfficeActs(guarded);
  const guardSends = (parts: SendGuardParts) => new OfficeGuard({ ...guarded, ...parts });
  const work = createOutboxWork({ ...ports, services, guardSends });
  work.worker.hold();
  return { ...work, acts, seen, ports: { ...ports, ...work, acts } };
}
