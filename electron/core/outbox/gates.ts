import type { ConnectionId } from '../../../shared/model/ids.ts';
import type { Emit } from '../../../shared/contract/index.ts';
import type { Gate, GateKind } from '../../../shared/contract/outbox.ts';
import { AppError, type Failure } from '../../../shared/errors.ts';
import {
  BREAKER_OF,
  BREAKER_UNKNOWN,
  CLOCK_SLACK,
  CLOCK_WRONG,
  MAX_UNKNOWN,
  OLD,
  SETTLE,
} from './times.ts';
import type { Clock, Stores } from '../ports.ts';
import { DAY, SECOND } from '../../../shared/rules/time/units.ts';

interface GatePorts {
  readonly stores: Pick<Stores, 'outbox'>;
  readonly clock: Clock;
  readonly emit: Emit;
}

/** A service that says "too many" without saying until when. */
const LIMITED_PAUSE = 30 * SECOND;
/** Longer than any service means by "later". */
const MAX_PAUSE = DAY;
/** Gates that "send now" of one row opens. Those for other rows close again if their cause remains. */
const BY_ONE: readonly GateKind[] = [
  'auth',
  'disk',
  'keychain',
  'breaker',
  'offline',
  'rate',
  'office',
];
/** Gates that a person opens by saying that it goes on; the others open by what they wait for. */
const BY_PERSON: readonly GateKind[] = [...BY_ONE, 'clock', 'user'];

/**
 * What keeps a connection's sends back, on disk: a restart opens nothing. It also keeps how far the
 * service's clock lies from the one here, as long as this process runs.
 */
export class OutboxGates {
  readonly #ports: GatePorts;
  /** By how much its last answer was dated ahead of the clock here, whether or not that can be. */
  readonly #shown = new Map<ConnectionId, number>();
  readonly #skew = new Map<ConnectionId, number>();
  /** What the service's clock showed in its last answer that can be right. */
  readonly #serverTimes = new Map<ConnectionId, number>();
  /** When the service answered last, by the clock here, whether or not the answer showed its clock. */
  readonly #heardAt = new Map<ConnectionId, number>();
  readonly #accepted = new Map<ConnectionId, number>();

  constructor(ports: GatePorts) {
    this.#ports = ports;
  }

  /** Those that hold now. */
  closed(id: ConnectionId): readonly Gate[] {
    const now = this.#ports.clock.now();
    const gates = this.#ports.stores.outbox.gates(id);
    return gates.filter(({ until }) => until === null || until > now);
  }

  /** `until` null: time alone does not open it. */
  close(id: ConnectionId, kind: GateKind, until: number | null, reason: Failure | null): void {
    const { stores, clock, emit } = this.#ports;
    stores.outbox.closeGate({ connectionId: id, kind, until, reason, since: clock.now() });
    emit('outbox.gatesChanged', { connectionId: id });
  }

  /** The service said that there were too many requests: gives until when none is sent, and no list read. */
  limit(id: ConnectionId, reason: Failure): number {
    const now = this.#ports.clock.now();
    const until = Math.min(reason.retryAt ?? now + LIMITED_PAUSE, now + MAX_PAUSE);
    this.close(id, 'rate', Math.max(until, now + LIMITED_PAUSE), reason);
    return until;
  }

  /** Opens what can be closed no longer: the clock here was ahead when that was noted, and was set right since. */
  openImpossible(): void {
    const latest = this.#ports.clock.now() + MAX_PAUSE;
    for (const { connectionId, kind, until } of this.#ports.stores.outbox.gates()) {
      if (until !== null && until > latest) this.open(connectionId, kind);
    }
  }

  open(id: ConnectionId, ...kinds: readonly GateKind[]): void {
    const { stores, emit } = this.#ports;
    // Asked before every send: reading takes no lock.
    const found = new Set(stores.outbox.gates(id).map(({ kind }) => kind));
    const opened = kinds.filter((kind) => found.has(kind) && stores.outbox.openGate(id, kind));
    if (opened.length > 0) emit('outbox.gatesChanged', { connectionId: id });
  }

  /**
   * Throws 'conflict' with 'connection-paused' or 'service-clock-differs': sending one row must not send every other
   * waiting row, or accept a wrong clock for them.
   */
  requireForOne(id: ConnectionId): void {
    const kinds = this.closed(id).map(({ kind }) => kind);
    if (kinds.includes('user')) {
      const message =
        'Sending through this connection is paused, so nothing was sent. Resume it first';
      throw new AppError('conflict', message, { reason: 'connection-paused' });
    }
    if (kinds.includes('clock')) {
      const message =
        'The clock of this computer differs from the service’s, so nothing was sent. Set the clock, or resume the connection';
      throw new AppError('conflict', message, { reason: 'service-clock-differs' });
    }
  }

  /** Opens the gates that only report an earlier failure, so that one row can be sent. */
  tryAgain(id: ConnectionId): void {
    this.open(id, ...BY_ONE);
  }

  /** A person says that it goes on, by the clock here; what is still wrong closes its gate again. */
  resume(id: ConnectionId): void {
    const shown = this.#shown.get(id);
    if (shown !== undefined) this.#accepted.set(id, shown);
    this.open(id, ...BY_PERSON);
  }

  /**
   * Whether an answer came so recently that the clock here cannot have become wrong since without being noticed:
   * by as much as is reported, it would have to have moved since.
   */
  isClockHeard(id: ConnectionId): boolean {
    const heardAt = this.#heardAt.get(id);
    return heardAt !== undefined && Math.abs(this.#ports.clock.now() - heardAt) <= CLOCK_WRONG;
  }

  /** How far the service's clock is ahead; null while no answer has shown it. */
  skew(id: ConnectionId): number | null {
    return this.#skew.get(id) ?? null;
  }

  /** The time by the service's clock, as far as it is known. */
  serverTime(id: ConnectionId): number {
    return this.#ports.clock.now() + (this.#skew.get(id) ?? 0);
  }

  /**
   * When an answer was given by the service's clock, which dated it; null where that date is no clock's: it lies
   * further than a day from the clock here, and from what answers before it foretold. One answer of a box on the way
   * may bear any date.
   */
  credible(id: ConnectionId, dated: number): number | null {
    const isNear = (time: number): boolean => Math.abs(dated - time) <= OLD;
    return isNear(this.#ports.clock.now()) || isNear(this.serverTime(id)) ? dated : null;
  }

  /**
   * The same, or what answers before it foretell. Where none was dated ever, by the clock here; null where all dates
   * so far were no clock's.
   */
  timeOf(id: ConnectionId, dated: number | null = null): number | null {
    const credible = dated === null ? null : this.credible(id, dated);
    const isToldNothing = !this.#skew.has(id) && (dated !== null || this.#shown.has(id));
    return credible ?? (isToldNothing ? null : this.serverTime(id));
  }

  /** A time of the service's clock by the clock here, in whole milliseconds. */
  timeHere(id: ConnectionId, serverTime: number): number {
    return Math.round(serverTime - (this.#skew.get(id) ?? 0));
  }

  /**
   * The service's clock is not before this, even where the clock here was put back or set right
   * since: an answer showed it, and it goes on. At most a day before now, as far as now is known.
   */
  floor(id: ConnectionId): number {
    const now = this.#ports.clock.now();
    // Whichever of them is right.
    const shown = now + (this.#shown.get(id) ?? 0);
    const dayBefore = Math.min(now, shown, this.serverTime(id)) - OLD;
    return Math.max(dayBefore, this.#serverTimes.get(id) ?? dayBefore) - CLOCK_SLACK;
  }

  /**
   * Notes the service's clock, of each of its answers; null for one that does not show it. A clock that differs too
   * much is reported before times are sent.
   */
  noteServerTime(id: ConnectionId, serverTime: number | null): void {
    const now = this.#ports.clock.now();
    this.#heardAt.set(id, now);
    if (serverTime === null) return;
    const skew = serverTime - now;
    const before = this.#shown.get(id);
    this.#shown.set(id, skew);
    // The clock here may be wrong by years: then one answer after another says the same.
    const isSaidAgain = before !== undefined && Math.abs(skew - before) <= CLOCK_SLACK;
    if (Math.abs(skew) <= OLD || isSaidAgain) {
      this.#skew.set(id, skew);
      this.#serverTimes.set(id, serverTime);
    }
    const accepted = this.#accepted.get(id) ?? 0;
    const isWrong = Math.abs(skew) > CLOCK_WRONG && Math.abs(skew - accepted) > CLOCK_WRONG;
    if (isWrong) this.close(id, 'clock', null, clockWrong(skew));
    else this.open(id, 'clock');
  }

  /**
   * Closes while too many of the last attempts, or of all rows, are of unknown outcome; opens again
   * as they are settled. It counts what is on disk, so that a restart changes nothing.
   */
  updateBreaker(id: ConnectionId): void {
    const { stores, clock } = this.#ports;
    const last = stores.outbox.lastOutcomes(id, BREAKER_OF);
    const isTripped =
      last.filter((outcome) => outcome === 'unknown').length >= BREAKER_UNKNOWN ||
      stores.outbox.countUnknown(id) > MAX_UNKNOWN;
    const isClosed = this.closed(id).some(({ kind }) => kind === 'breaker');
    if (!isTripped) this.open(id, 'breaker');
    else if (!isClosed) this.close(id, 'breaker', clock.now() + SETTLE, tooManyUnknown);
  }
}

const tooManyUnknown: Failure = {
  code: 'conflict',
  message: 'Too many answers were lost. Sending waits until their outcomes are checked',
  reason: 'outcome-unknown',
};

function clockWrong(skew: number): Failure {
  const minutes = Math.round(Math.abs(skew) / 60_000);
  const where = skew > 0 ? 'behind' : 'ahead of';
  return {
    code: 'conflict',
    message: `The clock of this computer is ${String(minutes)} minutes ${where} the service's`,
  };
}
