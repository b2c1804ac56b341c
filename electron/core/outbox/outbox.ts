import type { Emit } from '../../../shared/contract/index.ts';
import type { ToFailure } from '../../../shared/wire.ts';
import type { AttemptHooks } from './attempts.ts';
import { createOutboxBook, type OutboxBook } from './transitions.ts';
import { OutboxEpoch } from './epoch.ts';
import { OutboxGates } from './gates.ts';
import type { OnSent, Passing, WriterLock } from './ports.ts';
import { OutboxWorker } from './worker.ts';
import type { Hashing } from './marks.ts';
import type { Clock, Log, Stores, Vault } from '../ports.ts';
import type { Services } from '../services/services.ts';
import type { Witness } from '../witness-ports.ts';

/** What the outbox can be lent beside what every feature has. */
export interface OutboxLent {
  /** Free bytes where the data lies; null when that cannot be told. */
  readonly freeDisk?: () => number | null;
  readonly hooks?: AttemptHooks;
  readonly passing?: Passing;
}

interface Given extends OutboxLent, Hashing {
  readonly stores: Stores;
  readonly services: Services;
  readonly vault: Vault;
  readonly witness: Witness;
  readonly lock: WriterLock;
  readonly clock: Clock;
  readonly log: Log;
  readonly emit: Emit;
  readonly toFailure: ToFailure;
  readonly giveWay: () => Promise<void>;
  readonly onSent: OnSent;
}

export interface OutboxWork {
  readonly book: OutboxBook;
  readonly gates: OutboxGates;
  readonly epoch: OutboxEpoch;
  readonly worker: OutboxWorker;
  readonly passing: Passing;
  /** As given; what is forgotten also opens the gates that its secret had closed. */
  readonly services: Services;
}

/** Puts together what sends, and what decides whether it may. */
export function createOutboxWork(given: Given): OutboxWork {
  const {
    passing = () => undefined,
    freeDisk = () => null,
    hooks = { beforeAttempt: () => undefined, afterAttempt: () => undefined },
  } = given;
  const { stores, clock, emit } = given;
  const book = createOutboxBook({ stores, clock, emit, passing });
  const gates = new OutboxGates({ stores, clock, emit });
  const epoch = new OutboxEpoch({ ...given, distrust: () => book.distrust() });
  const services: Services = {
    ...given.services,
    forget(id) {
      given.services.forget(id);
      gates.open(id, 'auth', 'keychain');
    },
  };
  const lent = { passing, freeDisk, hooks };
  const worker = new OutboxWorker({ ...given, ...lent, services, book, gates, epoch });
  return { book, gates, epoch, worker, passing, services };
}
