import type { ConnectionId, OutboxRef } from '../../../shared/model/ids.ts';
import { Coalesced } from '../../../shared/coalesced.ts';
import { AppError, type Failure } from '../../../shared/errors.ts';
import { requireActive, deactivationOf } from '../deactivation.ts';
import { type AttemptPorts, OutboxAttempts } from './attempts.ts';
import { reconcile, type ScanPorts } from './scan.ts';
import type { StoredItem, WriterLock } from './ports.ts';
import { reviewClocks } from './service-clock.ts';
import { endImpossibleScans, shortenWaits } from './waits.ts';
import { CONCURRENCY, LONG_SLEEP } from './times.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

/** Another process works the outbox; it may end without a word. */
const LOCK_RETRY = 15_000;
/** What is on the wire when the program closes gets this long to answer. */
const CLOSING_GRACE = 5_000;
/** Read from the store at once; enough that the next row is always at hand. */
const DUE_AT_ONCE = 30;
/** So few rows left in hand, and more are read: each lane still has its next one meanwhile. */
const REFILL_AT = 2 * CONCURRENCY;
/** While something waits the clock is looked at this often; a longer gap was sleep. */
const TICK_MS = MINUTE;
const SLEPT = 3 * TICK_MS;
/** A computer that is told to sleep does by then. */
const FALLING_ASLEEP = 30_000;

type WorkerPorts = AttemptPorts & ScanPorts & { readonly lock: WriterLock };

/**
 * Sends what is due, a few requests at a time per connection, and looks the service through for
 * what is in doubt. It holds the writer's lock exactly while rows of this process wait or are on the
 * wire, so that whoever takes the lock next knows that rows it finds under way belong to nobody any
 * more.
 */
export class OutboxWorker {
  readonly #ports: WorkerPorts;
  readonly #closing = new AbortController();
  readonly #attempts: OutboxAttempts;
  readonly #own = new Set<OutboxRef>();
  /** One for each connection, kept while empty: whoever waits for room waits at this one. */
  readonly #lanes = new Map<ConnectionId, Set<Promise<unknown>>>();
  readonly #underWay = new Map<OutboxRef, Promise<StoredItem>>();
  readonly #reconciling = new Map<ConnectionId, Promise<Failure | null>>();
  readonly #drains = new Coalesced(() => this.#drain());
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

  /** Makes this process the one that works the outbox; false while another one is, and at rest. */
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

  /** The same. Throws 'conflict' with 'desk-busy' while another one is, and with 'desk-at-rest'. */
  requireHold(): void {
    requireActive(this.#ports.stores);
    if (!this.#take()) throw busy();
  }

  /** Lets another process work the outbox, unless something of ours waits or is on the wire. */
  release(): void {
    this.#rest();
  }

  /** Holds the lock for as long as `work` takes. Throws as `requireHold` does. */
  async holding<Result>(work: () => Promise<Result>): Promise<Result> {
    requireActive(this.#ports.stores);
    return this.alone(work);
  }

  /** The same, also at rest: for what puts this desk to rest, or ends it. */
  async alone<Result>(work: () => Promise<Result>): Promise<Result> {
    if (!this.#take()) throw busy();
    this.#holds += 1;
    try {
      return await work();
    } finally {
      this.#holds -= 1;
      this.#rest();
    }
  }

  /** Resolves once nothing of this process is on the wire; what begins meanwhile is waited for. */
  async quiet(): Promise<void> {
    const onWire = () => [...this.#lanes.values()].flatMap((lane) => [...lane]);
    for (let some = onWire(); some.length > 0; some = onWire()) await Promise.allSettled(some);
  }

  /** The row may go out in this run: a person of this process asked for it. */
  own(ref: OutboxRef): void {
    this.#own.add(ref);
  }

  /** One attempt for one row, when its connection has room for one more request. */
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

  /** Whether `halt` was asked for. */
  get isHalted(): boolean {
    return this.#isStopped;
  }

  /** Reconciles the connection now; gives why it could not. Sends nothing. */
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

  /** Sends what is due and reconciles what is in doubt, until only time or a person can help. */
  async drain(): Promise<void> {
    try {
      await this.#drains.run();
    } catch (error) {
      this.#wakeLater();
      throw error;
    } finally {
      // The drain itself could not: it was still under way.
      this.#freeWhenIdle();
    }
  }

  /** From now on sends what falls due, by the clock. */
  start(): void {
    this.#isStarted = true;
    this.wake();
  }

  /** Something changed: checks what is due. Does nothing before `start`. */
  wake(): void {
    if (!this.#isStarted || this.#isStopped) return;
    this.drain().catch((error: unknown) => {
      this.#ports.log.error(error, 'outbox.run');
    });
  }

  /**
   * The computer is about to sleep: what is not on the wire yet stays here for a moment, since its
   * answer would be lost. Should it stay awake after all, that moment ends by the clock.
   */
  sleepSoon(): void {
    const { reach, stores, gates, clock } = this.#ports;
    reach.doubt();
    const until = clock.now() + FALLING_ASLEEP;
    const waiting = new Set(stores.outbox.inState('queued').map((row) => row.connectionId));
    for (const id of waiting) gates.close(id, 'offline', until, null);
  }

  /** The computer woke. Each connection is asked whether it answers before anything is sent to it. */
  wokeUp(): void {
    const { reach, stores, gates } = this.#ports;
    reach.doubt();
    for (const { connectionId } of stores.outbox.gates()) gates.open(connectionId, 'offline');
    this.wake();
  }

  /** Begins nothing more in this process; resolves once what is on the wire has ended. */
  async halt(): Promise<void> {
    this.#isStopped = true;
    this.#attempts.close();
    const lanes = [...this.#lanes.values()].flatMap((lane) => [...lane]);
    await Promise.allSettled([this.#drains.ended(), ...lanes, ...this.#reconciling.values()]);
  }

  async stop(): Promise<void> {
    this.#isStarted = false;
    this.#callOff();
    const calm = this.#ports.clock.after(CLOSING_GRACE, () => this.#closing.abort());
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

  /** Keeps as many requests on the wire as each connection may have, oldest rows first. */
  async #sendDue(): Promise<void> {
    const { stores, clock } = this.#ports;
    const inHand = new Map<OutboxRef, Promise<void>>();
    const tried = new Set<OutboxRef>();
    const failed = Promise.withResolvers<void>();
    for (;;) {
      const due = stores.outbox.due(clock.now(), DUE_AT_ONCE + tried.size);
      const fresh = this.#isStopped ? [] : due.filter(({ ref }) => !tried.has(ref));
      // A row still due after its attempt was held back by something: another drain tries it.
      tried.clear();
      for (const ref of [...due.map((row) => row.ref), ...inHand.keys()]) tried.add(ref);
      for (const { ref } of fresh) {
        const attempt = this.attempt(ref).then(() => void inHand.delete(ref), failed.reject);
        inHand.set(ref, attempt);
      }
      const enough = fresh.length === 0 ? 0 : REFILL_AT;
      while (inHand.size > enough) await Promise.race([failed.promise, ...inHand.values()]);
      if (fresh.length === 0) return;
    }
  }

  /** A person, or a sync, may have settled what a breaker waits for. */
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

  /** Runs when the connection has room; those that come first go first. */
  async #inLane<Result>(id: ConnectionId, work: () => Promise<Result>): Promise<Result> {
    const lane = this.#lanes.get(id) ?? new Set();
    this.#lanes.set(id, lane);
    while (lane.size >= CONCURRENCY) await Promise.race(lane);
    const mine = work();
    const settled = mine.then(
      () => {},
      // Whoever asked for the attempt gets its error; the next in the lane goes ahead.
      () => {},
    );
    lane.add(settled);
    try {
      return await mine;
    } finally {
      lane.delete(settled);
    }
  }

  /** A copy of the data made while rows go out is behind once they have. */
  async #beginSession(): Promise<void> {
    this.#session ??= this.#ports.epoch.raise().catch((error: unknown) => {
      this.#session = null;
      // The attempt meets the same trouble, and closes its gate for it.
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
      // The numbers stay as they are, and agree.
      this.#ports.toFailure(error, 'outbox.run');
    }
  }

  /**
   * Time that passed without a look at the clock was sleep: what fell due in it asks. A clock that
   * was put back would make everything wait for what is long past.
   */
  #noticeSleep(): void {
    // A command lives as long as its work; only a window can sleep over something.
    if (!this.#isStarted) return;
    const now = this.#ports.clock.now();
    const since = this.#beat;
    this.#beat = now;
    if (since !== null && now < since) shortenWaits(this.#ports, since - now);
    if (since === null || now - since < SLEPT) return;
    this.#ports.reach.doubt();
    this.#ports.transitions.slept(since, now - since > LONG_SLEEP);
  }

  /** Frees the lock when nothing of ours is left, and sets the clock for what is. */
  #rest(): void {
    this.#callOff();
    this.#freeWhenIdle();
    const { clock } = this.#ports;
    const now = clock.now();
    const next = this.#nextAt(now);
    if (!this.#isStarted || !Number.isFinite(next) || deactivationOf(this.#ports.stores) !== null) return;
    const at = this.#isHeld ? Math.min(next, now + TICK_MS) : now + LOCK_RETRY;
    this.#callOff = clock.after(Math.max(0, at - now), () => this.wake());
  }

  /** One unexpected error must not hold up everything else until a person sends something. */
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

  /** When the next row or scan is due, as an instant; infinite when none is. */
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

const busy = (): AppError =>
  new AppError(
    'conflict',
    'Another window or command of this program is sending now. Try again when it is done',
    { reason: 'desk-busy' },
  );
