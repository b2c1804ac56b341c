import type { ConnectionId, OutboxRef } from '../../shared/contract/ids.ts';
import type { OutboxItem } from '../../shared/contract/outbox.ts';
import { type AttemptPorts, OutboxAttempts } from './outbox-attempts.ts';
import type { WriterLock } from './ports.ts';

/** Another process works the outbox; it may end without a word. */
const LOCK_RETRY = 15_000;
/** What is on the wire when the program closes gets this long to answer. */
const CLOSING_GRACE = 5_000;

/**
 * Sends what is due, one request at a time per connection. It holds the writer's lock exactly while
 * rows of this process wait or are on the wire, so that whoever takes the lock next knows that
 * rows it finds under way belong to nobody any more.
 */
export class OutboxWorker {
  readonly #ports: AttemptPorts & { readonly lock: WriterLock };
  readonly #closing = new AbortController();
  readonly #attempts: OutboxAttempts;
  readonly #own = new Set<OutboxRef>();
  readonly #lanes = new Map<ConnectionId, Promise<void>>();
  #draining: Promise<void> = Promise.resolve();
  #isHeld = false;
  #isStarted = false;
  #isStopped = false;
  #holds = 0;
  #callOff = () => {};

  constructor(ports: AttemptPorts & { readonly lock: WriterLock }) {
    this.#ports = ports;
    this.#attempts = new OutboxAttempts(ports, this.#closing.signal);
  }

  /** Makes this process the one that works the outbox; false while another one is. */
  hold(): boolean {
    if (this.#isHeld) return true;
    if (!this.#ports.lock.take()) return false;
    this.#isHeld = true;
    this.#ports.book.recover(this.#own);
    return true;
  }

  /** Lets another process work the outbox, unless something of ours waits or is on the wire. */
  release(): void {
    this.#rest();
  }

  /** Holds the lock for as long as `work` takes; null when another process has it. */
  async holding<Result>(work: () => Promise<Result>): Promise<Result | null> {
    if (!this.hold()) return null;
    this.#holds += 1;
    try {
      return await work();
    } finally {
      this.#holds -= 1;
      this.#rest();
    }
  }

  /** The row may go out in this run: a person of this process asked for it. */
  own(ref: OutboxRef): void {
    this.#own.add(ref);
  }

  /** What paused the connection is mended, or is to be tried again. */
  endPause(id: ConnectionId): void {
    this.#attempts.endPause(id);
  }

  /** One attempt for one row, after whatever goes out through its connection now. */
  async attempt(ref: OutboxRef): Promise<OutboxItem> {
    const { connectionId } = this.#ports.stores.outbox.get(ref);
    const before = this.#lanes.get(connectionId) ?? Promise.resolve();
    const mine = before.then(() => this.#attempts.run(ref));
    const settled = mine.then(
      () => {},
      // Whoever asked for the attempt gets its error; the next in the lane goes ahead.
      () => {},
    );
    this.#lanes.set(connectionId, settled);
    try {
      return await mine;
    } finally {
      if (this.#lanes.get(connectionId) === settled) this.#lanes.delete(connectionId);
    }
  }

  /** Sends what is due, until nothing is. */
  async drain(): Promise<void> {
    while (!this.#isStopped && this.hold()) {
      const due = this.#waiting().filter((item) => this.#isDue(item));
      if (due.length === 0) break;
      const inOrder = due.toSorted((a, b) => a.createdAt - b.createdAt);
      await Promise.all(inOrder.map(({ ref }) => this.attempt(ref)));
    }
    this.#rest();
  }

  /** From now on sends what falls due, by the clock. */
  start(): void {
    this.#isStarted = true;
    this.wake();
  }

  /** Something changed: looks what is due. Does nothing before `start`. */
  wake(): void {
    if (!this.#isStarted) return;
    this.#draining = this.drain().catch((error: unknown) => {
      this.#ports.log.error(error, 'outbox.run');
    });
  }

  async stop(): Promise<void> {
    this.#isStarted = false;
    this.#isStopped = true;
    this.#callOff();
    this.#attempts.close();
    const calm = this.#ports.clock.after(CLOSING_GRACE, () => this.#closing.abort());
    await Promise.all([this.#draining, ...this.#lanes.values()]);
    calm();
    this.#closing.abort();
    this.#free();
  }

  #waiting(): readonly OutboxItem[] {
    return this.#ports.stores.outbox.inState('queued').filter(({ nextAt }) => nextAt !== null);
  }

  #startsAt({ nextAt, connectionId }: OutboxItem): number {
    return Math.max(nextAt ?? 0, this.#attempts.pausedUntil(connectionId));
  }

  /** Signatures are sent by the person who waits for them, never from here. */
  #isDue(item: OutboxItem): boolean {
    return item.kind === 'create' && this.#startsAt(item) <= this.#ports.clock.now();
  }

  /** Frees the lock when nothing of ours is left, and sets the clock for what is. */
  #rest(): void {
    this.#callOff();
    const open = this.#waiting();
    if (open.length === 0 && this.#lanes.size === 0 && this.#holds === 0) this.#free();
    if (!this.#isStarted || open.length === 0) return;
    const now = this.#ports.clock.now();
    const next = this.#isHeld
      ? Math.min(...open.map((item) => this.#startsAt(item)))
      : now + LOCK_RETRY;
    this.#callOff = this.#ports.clock.after(Math.max(0, next - now), () => this.wake());
  }

  #free(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#ports.lock.free();
  }
}
