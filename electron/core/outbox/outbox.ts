import { type Emit, events } from '../../../shared/contract/index.ts';
import type { ToFailure } from '../../../shared/wire.ts';
import type { AttemptHooks } from './attempts.ts';
import { createOutboxTransitions, type OutboxTransitions } from './transitions.ts';
import { OutboxEpoch } from './epoch.ts';
import { OutboxGates } from './gates.ts';
import { ConnectivityCheck } from './connectivity.ts';
import type { ConnectionId } from '../../../shared/model/ids.ts';
import type { OnSent, AtKillPoint, SendGuard, WriterLock } from './ports.ts';
import { OutboxWorker } from './worker.ts';
import type { Hashing } from './marks.ts';
import type { Clock, Log, Scheduler, Stores, Vault } from '../ports.ts';
import type { Services } from '../services/services.ts';
import type { ExternalState } from '../external-state-ports.ts';

export interface OutboxDeps {
  /** Free bytes on the disk of the data; null if unknown. */
  readonly freeDisk?: () => number | null;
  readonly hooks?: AttemptHooks;
  readonly atKillPoint?: AtKillPoint;
}

export interface SendGuardParts {
  readonly transitions: Pick<OutboxTransitions, 'postpone' | 'explain'>;
  /** Lower bound of the service's clock. */
  readonly floor: (id: ConnectionId) => number;
}

interface OutboxWorkPorts<Guard extends SendGuard> extends OutboxDeps, Hashing {
  readonly guardSends: (parts: SendGuardParts) => Guard;
  readonly stores: Stores;
  readonly services: Services;
  readonly vault: Vault;
  readonly externalState: ExternalState;
  readonly lock: WriterLock;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
  readonly emit: Emit;
  readonly toFailure: ToFailure;
  readonly onSent: OnSent;
  /** Called if the records of other users' sends in this copy of the data must not be trusted. */
  readonly onDistrust: () => void;
}

export interface OutboxWork<Guard extends SendGuard> {
  readonly transitions: OutboxTransitions;
  readonly gates: OutboxGates;
  readonly epoch: OutboxEpoch;
  readonly worker: OutboxWorker;
  readonly office: Guard;
  readonly atKillPoint: AtKillPoint;
  /** The given services. Their `forget` also opens the gates that a failed secret had closed. */
  readonly services: Services;
}

/** Creates the sender and the checks that decide whether it may send. */
export function createOutboxWork<Guard extends SendGuard>(
  ports: OutboxWorkPorts<Guard>,
): OutboxWork<Guard> {
  const {
    atKillPoint = () => undefined,
    freeDisk = () => null,
    hooks = { beforeAttempt: () => undefined, afterAttempt: () => undefined },
  } = ports;
  const { stores, clock } = ports;
  const emit: Emit = (name, data) => {
    ports.emit(name, data);
    if (name !== 'outbox.changed') return;
    const row = events['outbox.changed'].safeParse(data);
    if (row.success) office.changed(row.data.ref);
  };
  const transitions = createOutboxTransitions({ stores, clock, emit, atKillPoint });
  const gates = new OutboxGates({ stores, clock, emit });
  const office = ports.guardSends({ transitions, floor: (id) => gates.floor(id) });
  const distrust = () => {
    transitions.distrust();
    ports.onDistrust();
  };
  const epoch = new OutboxEpoch({ ...ports, distrust });
  const services: Services = {
    ...ports.services,
    forget(id) {
      ports.services.forget(id);
      gates.open(id, 'auth', 'keychain');
    },
  };
  const deps = { atKillPoint, freeDisk, hooks };
  const reach = new ConnectivityCheck(ports.toFailure);
  const worker = new OutboxWorker({
    ...ports,
    ...deps,
    emit,
    office,
    services,
    transitions,
    gates,
    epoch,
    reach,
  });
  return { transitions, gates, epoch, worker, office, atKillPoint, services };
}
