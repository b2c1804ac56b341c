import type { ConnectionId, OutboxRef } from '../../../shared/model/ids.ts';
import { CoalescedTask } from '../../../shared/coalesced.ts';
import { AppError, type Failure } from '../../../shared/errors.ts';
import { requireActive, deactivationOf } from '../deactivation.ts';
import { type AttemptPorts, OutboxAttempts } from './attempts.ts';
import { reconcile, type ScanPorts } from './scan.ts';
import type { StoredItem, WriterLock } from './ports.ts';
import { reviewClocks } from './service-clock.ts';
import { endImpossibleScans, shortenWaits } from './waits.ts';
import { CONCURRENCY, LONG_SLEEP } from './times.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

/** Retry delay (ms) while another process works on the outbox; that process may end unnoticed. */
const WORKER_LOCK_RETRY_MS = 15_000;
/** Time (ms) for requests in flight to finish when the program closes. */
const WORKER_CLOSING_GRACE_MS = 5_000;
/** Number of due rows that are read at a time, so that a next row is always available. */
const DUE_ROWS_PER_READ = 30;
/**
 * Refill threshold: more due rows are read when only this many attempts remain, so that each lane
 * still has a next row.
 */
const REFILL_BELOW_ROWS = 2 * CONCURRENCY;
/** Interval of clock checks while rows or scans wait (ms). */
const TICK_MS = MINUTE;
/** Gap between two clock checks that means that the computer slept (ms). */
const SLEEP_THRESHOLD_MS = 3 * TICK_MS;
/** Time within which a computer that announced sleep is asleep (ms). */
const FALL_ASLEEP_MS = 30_000;

type WorkerPorts = AttemptPorts & ScanPorts & { readonly lock: WriterLock };

/**
 * Sends due rows, a few requests at a time per connection, and scans the service for rows of
 * unknown outcome. The worker has the writer lock exactly while rows of this process wait or are in
 * flight. So the next process with the lock knows that rows in flight belong to no live process.
 */
export class OutboxWorker {
  readonly #ports: WorkerPorts;
  readonly #closing = new AbortController();
  readonly #attempts: OutboxAttempts;
  readonly #own = new Set<OutboxRef>();
  /** Lanes by connection. An empty lane is kept, because waiting attempts share it. */
  readonly #lanes = new Map<ConnectionId, Set<Promise<unknown>>>();
  readonly #underWay = new Map<OutboxRef, Promise<StoredItem>>();
  readonly #reconciling = new Map<ConnectionId, Promise<Failure | null>>();
  readonly #drains = new CoalescedTask(() => this.#drain());
  #isHeld = false;
  #isStarted = false;
  #isStopped = false;
  #holds = 0;
  #session: Promise<void> | null = null;
  #beat: number | null = null;
  #callOff = () => {};

  constructor(ports: WorkerPorts) {
    this.#ports = ports;
    this.#attempts = new OutboxAttempts(ports, this.#closing.signal);
  }

  /**
   * Makes this process work on the outbox. Returns false if another process works on it, or if this
   * computer is deactivated.
   */
  hold(): boolean {
    return deactivationOf(this.#ports.stores) === null && this.#take();
  }

  #take(): boolean {
    if (this.#isHeld) return true;
    if (!this.#ports.lock.take()) return false;
    this.#isHeld = true;
    this.#ports.transitions.recover(this.#own);
    this.#ports.gates.openImpossible();
    endImpossibleScans(this.#ports);
    return true;
  }

  /** Does the same as `hold`, but throws 'conflict' with 'desk-busy' or 'desk-at-rest'. */
  requireHold(): void {
    requireActive(this.#ports.stores);
    if (!this.#take()) throw deskBusyError();
  }

  /** Releases the lock, unless rows of this process wait or are in flight. */
  release(): void {
    this.#rest();
  }

  /** Runs `work` while this process has the lock. Throws the errors of `requireHold`. */
  async holding<Result>(work: () => Promise<Result>): Promise<Result> {
    requireActive(this.#ports.stores);
    return this.alone(work);
  }

  /**
   * Does the same as `holding`, but also on a deactivated computer: for work that deactivates or
   * reactivates this computer.
   */
  async alone<Result>(work: () => Promise<Result>): Promise<Result> {
    if (!this.#take()) throw deskBusyError();
    this.#holds += 1;
    try {
      return await work();
    } finally {
      this.#holds -= 1;
      this.#rest();
    }
  }

  /**
   * Resolves once no request of this process is in flight. Requests that begin during the wait are
   * also awaited.
   */
  async quiet(): Promise<void> {
    const onWire = () => [...this.#lanes.values()].flatMap((lane) => [...lane]);
    for (let some = onWire(); some.length > 0; some = onWire()) await Promise.allSettled(some);
  }

  /** Allows this process to send the row, because a user of this process requested the send. */
  own(ref: OutboxRef): void {
    this.#own.add(ref);
  }

  /** Makes one attempt for one row, once its connection allows another request in flight. */
  async attempt(ref: OutboxRef): Promise<StoredItem> {
    const known = this.#underWay.get(ref);
    if (known !== undefined) return known;
    const mine = this.#inLane(this.#ports.stores.outbox.get(ref).connectionId, async () => {
      await this.#beginSession();
      return this.#attempts.run(ref);
    });
    this.#underWay.set(ref, mine);
    try {
      return await mine;
    } finally {
      this.#underWay.delete(ref);
    }
  }

  get isHalted(): boolean {
    return this.#isStopped;
  }

  /**
   * Reconciles the connection's rows of unknown outcome now. Returns the failure, or null on
   * success. Sends nothing.
   */
  async reconcileConnection(id: ConnectionId): Promise<Failure | null> {
    const before = this.#reconciling.get(id);
    if (before !== undefined) return before;
    const mine = reconcile(this.#ports, id, this.#closing.signal);
    this.#reconciling.set(id, mine);
    try {
      return await mine;
    } finally {
      this.#reconciling.delete(id);
    }
  }

  /**
   * Sends due rows and reconciles unknown outcomes, until every other row waits for a time or for
   * the user.
   */
  async drain(): Promise<void> {
    try {
      await this.#drains.run();
    } catch (error) {
      this.#wakeLater();
      throw error;
    } finally {
      // The drain could not release the lock, because a running drain needs the lock.
      this.#freeWhenIdle();
    }
  }

  start(): void {
    this.#isStarted = true;
    this.wake();
  }

  /** Checks for due rows after a change. Does nothing before `start`. */
  wake(): void {
    if (!this.#isStarted || this.#isStopped) return;
    this.drain().catch((error: unknown) => {
      this.#ports.log.error(error, 'outbox.run');
    });
  }

  /**
   * Called when the computer is about to sleep. Waiting requests are held back for a moment,
   * because their answers would be lost. If the computer stays awake, the gates open again after
   * `FALL_ASLEEP_MS`.
   */
  sleepSoon(): void {
    const { reach, stores, gates, clock } = this.#ports;
    reach.doubt();
    const until = clock.now() + FALL_ASLEEP_MS;
    const waiting = new Set(stores.outbox.inState('queued').map((row) => row.connectionId));
    for (const id of waiting) gates.close(id, 'offline', until, null);
  }

  /** Called when the computer woke up. Each connection is checked before the next send. */
  wokeUp(): void {
    const { reach, stores, gates } = this.#ports;
    reach.doubt();
    for (const { connectionId } of stores.outbox.gates()) gates.open(connectionId, 'offline');
    this.wake();
  }

  /** Starts no more requests in this process; resolves once the requests in flight have ended. */
  async halt(): Promise<void> {
    this.#isStopped = true;
    this.#attempts.close();
    const lanes = [...this.#lanes.values()].flatMap((lane) => [...lane]);
    await Promise.allSettled([this.#drains.ended(), ...lanes, ...this.#reconciling.values()]);
  }

  async stop(): Promise<void> {
    this.#isStarted = false;
    this.#callOff();
    const calm = this.#ports.clock.after(WORKER_CLOSING_GRACE_MS, () => this.#closing.abort());
    await this.halt();
    calm();
    this.#closing.abort();
    await this.#endSession();
    this.#free();
  }

  async #drain(): Promise<void> {
    for (let hasMore = true; hasMore && !this.#isStopped && this.hold();) {
      this.#noticeSleep();
      this.#reviewBreakers();
      await reviewClocks(this.#ports, this.#closing.signal);
      await Promise.all([this.#sendDue(), this.#reconcileDue()]);
      hasMore = this.#hasMore();
    }
    if (!this.#isStopped) await this.#endSession();
    this.#rest();
  }

  #hasMore(): boolean {
    const { stores, clock } = this.#ports;
    const now = clock.now();
    const isScanDue = [...stores.outbox.scanTimes().values()].some((at) => at <= now);
    return isScanDue || stores.outbox.due(now, 1).length > 0;
  }

  /** Sends due rows, oldest first, with as many requests in flight as each connection allows. */
  async #sendDue(): Promise<void> {
    const { stores, clock } = this.#ports;
    const inHand = new Map<OutboxRef, Promise<void>>();
    const tried = new Set<OutboxRef>();
    const failed = Promise.withResolvers<void>();
    for (;;) {
      const due = stores.outbox.due(clock.now(), DUE_ROWS_PER_READ + tried.size);
      const fresh = this.#isStopped ? [] : due.filter(({ ref }) => !tried.has(ref));
      // A row that is still due after its attempt was held back. The next drain tries it again.
      tried.clear();
      for (const ref of [...due.map((row) => row.ref), ...inHand.keys()]) tried.add(ref);
      for (const { ref } of fresh) {
        const attempt = this.attempt(ref).then(() => void inHand.delete(ref), failed.reject);
        inHand.set(ref, attempt);
      }
      const enough = fresh.length === 0 ? 0 : REFILL_BELOW_ROWS;
      while (inHand.size > enough) await Promise.race([failed.promise, ...inHand.values()]);
      if (fresh.length === 0) return;
    }
  }

  /** Updates circuit breakers: the user or a sync may have resolved the unknown outcomes. */
  #reviewBreakers(): void {
    const { stores, gates } = this.#ports;
    for (const { connectionId, kind } of stores.outbox.gates()) {
      if (kind === 'breaker') gates.updateBreaker(connectionId);
    }
  }

  async #reconcileDue(): Promise<void> {
    const { stores, clock } = this.#ports;
    const now = clock.now();
    const due = [...stores.outbox.scanTimes()].flatMap(([id, at]) => (at <= now ? id : []));
    await Promise.all(due.map((id) => this.reconcileConnection(id)));
  }

  /** Runs `work` once the connection allows another request in flight. */
  async #inLane<Result>(id: ConnectionId, work: () => Promise<Result>): Promise<Result> {
    const lane = this.#lanes.get(id) ?? new Set();
    this.#lanes.set(id, lane);
    while (lane.size >= CONCURRENCY) await Promise.race(lane);
    const mine = work();
    const settled = mine.then(
      () => {},
      // The caller of the attempt receives its error; the lane continues with the next attempt.
      () => {},
    );
    lane.add(settled);
    try {
      return await mine;
    } finally {
      lane.delete(settled);
    }
  }

  /** Raises the epoch, so that a copy of the data made before the sends counts as outdated. */
  async #beginSession(): Promise<void> {
    this.#session ??= this.#ports.epoch.raise().catch((error: unknown) => {
      this.#session = null;
      // The attempt fails for the same reason and closes its gate.
      this.#ports.toFailure(error, 'outbox.run');
    });
    await this.#session;
  }

  async #endSession(): Promise<void> {
    if (this.#session === null) return;
    this.#session = null;
    try {
      await this.#ports.epoch.raise();
    } catch (error) {
      // The epoch numbers are unchanged and still match.
      this.#ports.toFailure(error, 'outbox.run');
    }
  }

  /**
   * Detects sleep by gaps between clock checks: rows that fell due during the sleep require a
   * decision. If the clock was put back, waits are shortened; otherwise, rows and scans would wait
   * too long.
   */
  #noticeSleep(): void {
    // A command of the command line ends with its work, so only a window can sleep past a due time.
    if (!this.#isStarted) return;
    const now = this.#ports.clock.now();
    const since = this.#beat;
    this.#beat = now;
    if (since !== null && now < since) shortenWaits(this.#ports, since - now);
    if (since === null || now - since < SLEEP_THRESHOLD_MS) return;
    this.#ports.reach.doubt();
    this.#ports.transitions.slept(since, now - since > LONG_SLEEP);
  }

  /**
   * Releases the lock if this process has nothing left to do. Otherwise sets the timer for the next
   * row or scan.
   */
  #rest(): void {
    this.#callOff();
    this.#freeWhenIdle();
    const { clock } = this.#ports;
    const now = clock.now();
    const next = this.#nextAt(now);
    if (!this.#isStarted || !Number.isFinite(next) || deactivationOf(this.#ports.stores) !== null)
      return;
    const at = this.#isHeld ? Math.min(next, now + TICK_MS) : now + WORKER_LOCK_RETRY_MS;
    this.#callOff = clock.after(Math.max(0, at - now), () => this.wake());
  }

  /**
   * Sets a timer for the next drain after an unexpected error. Without it, waiting rows would be
   * blocked until the user sends something.
   */
  #wakeLater(): void {
    if (!this.#isStarted || this.#isStopped) return;
    this.#callOff();
    this.#callOff = this.#ports.clock.after(TICK_MS, () => this.wake());
  }

  #freeWhenIdle(): void {
    const isWireFree = [...this.#lanes.values()].every((lane) => lane.size === 0);
    if (!isWireFree || this.#holds > 0) return;
    if (deactivationOf(this.#ports.stores) !== null) return this.#free();
    if (Number.isFinite(this.#nextAt(this.#ports.clock.now()))) return;
    this.#beat = null;
    const isWaiting = this.#ports.stores.outbox
      .inState('queued')
      .some(({ nextAt }) => nextAt !== null);
    if (!isWaiting && this.#drains.isIdle) this.#free();
  }

  /** Time of the next row or scan; infinite if there is none. */
  #nextAt(now: number): number {
    const { outbox } = this.#ports.stores;
    const dueAt = outbox.due(now, 1).length > 0 ? now : outbox.nextDue(now);
    return Math.min(...outbox.scanTimes().values(), dueAt ?? Number.POSITIVE_INFINITY);
  }

  #free(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#ports.lock.free();
  }
}

const deskBusyError = (): AppError =>
  new AppError(
    'conflict',
    'Another window or command of this program is sending now. Try again when it is done',
    { reason: 'desk-busy' },
  );
