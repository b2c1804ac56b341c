import type { ConnectionId } from '../../../shared/model/ids.ts';
import type { Emit } from '../../../shared/contract/index.ts';
import type { ConnectionGate, GateKind } from '../../../shared/contract/outbox.ts';
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

/** Pause after a rate limit whose answer contains no retry time (ms). */
const LIMITED_PAUSE_MS = 30 * SECOND;
/** Maximum plausible pause in an answer of the service (ms). */
const MAX_PAUSE = DAY;
/**
 * Gates that "send now" of one row opens. If the cause of a gate remains, the gate closes again for
 * other rows.
 */
const GATES_OPENED_BY_ROW: readonly GateKind[] = [
  'auth',
  'disk',
  'keychain',
  'breaker',
  'offline',
  'rate',
  'office',
];
/** Gates that the user opens by resuming the connection. Other gates open when their cause ends. */
const GATES_OPENED_BY_USER: readonly GateKind[] = [...GATES_OPENED_BY_ROW, 'clock', 'user'];

/**
 * Gates that hold back the sends of a connection. They are on disk, so a restart does not open
 * them. Also tracks the difference between the service's clock and the local clock while the
 * process runs.
 */
export class OutboxGates {
  readonly #ports: GatePorts;
  /** Time by which the last answer's date, plausible or not, was ahead of the local clock (ms). */
  readonly #shown = new Map<ConnectionId, number>();
  readonly #skew = new Map<ConnectionId, number>();
  /** Date of the service's last answer with a plausible date (epoch ms). */
  readonly #serverTimes = new Map<ConnectionId, number>();
  /** Local time of the service's last answer, with or without a date. */
  readonly #heardAt = new Map<ConnectionId, number>();
  readonly #accepted = new Map<ConnectionId, number>();

  constructor(ports: GatePorts) {
    this.#ports = ports;
  }

  closed(id: ConnectionId): readonly ConnectionGate[] {
    const now = this.#ports.clock.now();
    const gates = this.#ports.stores.outbox.gates(id);
    return gates.filter(({ until }) => until === null || until > now);
  }

  /** Closes a gate. If `until` is null, time alone does not open the gate. */
  close(id: ConnectionId, kind: GateKind, until: number | null, reason: Failure | null): void {
    const { stores, clock, emit } = this.#ports;
    stores.outbox.closeGate({ connectionId: id, kind, until, reason, since: clock.now() });
    emit('outbox.gatesChanged', { connectionId: id });
  }

  /** Handles a rate limit. Returns the time until which no request is sent and no list is read. */
  limit(id: ConnectionId, reason: Failure): number {
    const now = this.#ports.clock.now();
    const until = Math.min(reason.retryAt ?? now + LIMITED_PAUSE_MS, now + MAX_PAUSE);
    this.close(id, 'rate', Math.max(until, now + LIMITED_PAUSE_MS), reason);
    return until;
  }

  /**
   * Opens gates with an impossible opening time: the local clock was ahead when they were closed,
   * and was corrected afterwards.
   */
  openImpossible(): void {
    const latest = this.#ports.clock.now() + MAX_PAUSE;
    for (const { connectionId, kind, until } of this.#ports.stores.outbox.gates()) {
      if (until !== null && until > latest) this.open(connectionId, kind);
    }
  }

  open(id: ConnectionId, ...kinds: readonly GateKind[]): void {
    const { stores, emit } = this.#ports;
    // This runs before every send. Reading first avoids most writes, which need a lock.
    const found = new Set(stores.outbox.gates(id).map(({ kind }) => kind));
    const opened = kinds.filter((kind) => found.has(kind) && stores.outbox.openGate(id, kind));
    if (opened.length > 0) emit('outbox.gatesChanged', { connectionId: id });
  }

  /**
   * Throws 'conflict' with 'connection-paused' or 'service-clock-differs' if a closed gate prevents
   * sending one row. Sending one row must not release the other waiting rows, or accept a wrong
   * clock for them.
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
    this.open(id, ...GATES_OPENED_BY_ROW);
  }

  /**
   * Resumes the connection for the user, who thereby accepts the local clock. If the cause of a
   * gate remains, the gate closes again.
   */
  resume(id: ConnectionId): void {
    const shown = this.#shown.get(id);
    if (shown !== undefined) this.#accepted.set(id, shown);
    this.open(id, ...GATES_OPENED_BY_USER);
  }

  /**
   * Whether the service's last answer is so recent (at most `CLOCK_WRONG`) that the local clock
   * cannot have become too wrong unnoticed.
   */
  isClockHeard(id: ConnectionId): boolean {
    const heardAt = this.#heardAt.get(id);
    return heardAt !== undefined && Math.abs(this.#ports.clock.now() - heardAt) <= CLOCK_WRONG;
  }

  /** Returns how far the service's clock is ahead (ms); null until an answer has shown it. */
  skew(id: ConnectionId): number | null {
    return this.#skew.get(id) ?? null;
  }

  /** Returns the current time by the service's clock; by the local clock if no answer showed it. */
  serverTime(id: ConnectionId): number {
    return this.#ports.clock.now() + (this.#skew.get(id) ?? 0);
  }

  /**
   * Returns the date of an answer if it is plausible, otherwise null. A date is implausible if it
   * is more than a day from both the local clock and the time predicted by earlier answers. A proxy
   * between this computer and the service may send any date.
   */
  credible(id: ConnectionId, dated: number): number | null {
    const isNear = (time: number): boolean => Math.abs(dated - time) <= OLD;
    return isNear(this.#ports.clock.now()) || isNear(this.serverTime(id)) ? dated : null;
  }

  /**
   * Returns the date if it is plausible, otherwise the time predicted by earlier answers. Without
   * any dated answer, returns the local time. Returns null if all dates so far were implausible.
   */
  timeOf(id: ConnectionId, dated: number | null = null): number | null {
    const credible = dated === null ? null : this.credible(id, dated);
    const isToldNothing = !this.#skew.has(id) && (dated !== null || this.#shown.has(id));
    return credible ?? (isToldNothing ? null : this.serverTime(id));
  }

  /** Converts a time of the service's clock to local time (whole ms). */
  timeHere(id: ConnectionId, serverTime: number): number {
    return Math.round(serverTime - (this.#skew.get(id) ?? 0));
  }

  /**
   * Returns a lower bound of the service's clock, even if the local clock was put back or
   * corrected. The bound is the time in an earlier answer, after which the service's clock has only
   * advanced, and at most a day before the current time, as far as known.
   */
  floor(id: ConnectionId): number {
    const now = this.#ports.clock.now();
    // Either the local clock or the service's clock may be right.
    const shown = now + (this.#shown.get(id) ?? 0);
    const dayBefore = Math.min(now, shown, this.serverTime(id)) - OLD;
    return Math.max(dayBefore, this.#serverTimes.get(id) ?? dayBefore) - CLOCK_SLACK;
  }

  /**
   * Records the service's clock from an answer (null if the answer has no date). If the clocks
   * differ too much, this is reported before times are sent.
   */
  noteServerTime(id: ConnectionId, serverTime: number | null): void {
    const now = this.#ports.clock.now();
    this.#heardAt.set(id, now);
    if (serverTime === null) return;
    const skew = serverTime - now;
    const before = this.#shown.get(id);
    this.#shown.set(id, skew);
    // If the local clock is wrong by years, consecutive answers show the same difference.
    const isSaidAgain = before !== undefined && Math.abs(skew - before) <= CLOCK_SLACK;
    if (Math.abs(skew) <= OLD || isSaidAgain) {
      this.#skew.set(id, skew);
      this.#serverTimes.set(id, serverTime);
    }
    const accepted = this.#accepted.get(id) ?? 0;
    const isWrong = Math.abs(skew) > CLOCK_WRONG && Math.abs(skew - accepted) > CLOCK_WRONG;
    if (isWrong) this.close(id, 'clock', null, clockWrongFailure(skew));
    else this.open(id, 'clock');
  }

  /**
   * Closes the gate 'breaker' if too many of the last attempts, or of all rows, have an unknown
   * outcome, and opens it when these outcomes are resolved. The outcomes are counted on disk, so a
   * restart changes nothing.
   */
  updateBreaker(id: ConnectionId): void {
    const { stores, clock } = this.#ports;
    const last = stores.outbox.lastOutcomes(id, BREAKER_OF);
    const isTripped =
      last.filter((outcome) => outcome === 'unknown').length >= BREAKER_UNKNOWN ||
      stores.outbox.countUnknown(id) > MAX_UNKNOWN;
    const isClosed = this.closed(id).some(({ kind }) => kind === 'breaker');
    if (!isTripped) this.open(id, 'breaker');
    else if (!isClosed) this.close(id, 'breaker', clock.now() + SETTLE, tooManyUnknownFailure);
  }
}

const tooManyUnknownFailure: Failure = {
  code: 'conflict',
  message: 'Too many answers were lost. Sending waits until their outcomes are checked',
  reason: 'outcome-unknown',
};

function clockWrongFailure(skew: number): Failure {
  const minutes = Math.round(Math.abs(skew) / 60_000);
  const where = skew > 0 ? 'behind' : 'ahead of';
  return {
    code: 'conflict',
    message: `The clock of this computer is ${String(minutes)} minutes ${where} the service's`,
  };
}
