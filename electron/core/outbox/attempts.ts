import { AgreementId, type ConnectionId, type OutboxRef } from '../../../shared/model/ids.ts';
import type { Emit } from '../../../shared/contract/index.ts';
import { type Failure, isCode, isConnectionRejected } from '../../../shared/errors.ts';
import { Serial } from '../../../shared/serial.ts';
import type { ToFailure } from '../../../shared/wire.ts';
import type { OutboxTransitions } from './transitions.ts';
import type { OutboxEpoch } from './epoch.ts';
import type { OutboxGates } from './gates.ts';
import { SendFlow, isHeldUp, timeMissedFailure } from './missed.ts';
import type { ConnectivityCheck } from './connectivity.ts';
import { ensureServiceClock } from './service-clock.ts';
import type { FrozenRequest, OnSent, AtKillPoint, SendGuard, StoredItem } from './ports.ts';
import { MIN_FREE_DISK_BYTES } from '../disk-space.ts';
import { deactivationOf } from '../deactivation.ts';
import { requireBodyAllowed } from '../services/reach.ts';
import { type UploadObstacle, uploadOutboxFiles } from './uploads.ts';
import type {
  AgreementService,
  Clock,
  Encoding,
  Log,
  Scheduler,
  Stores,
  WriteResult,
} from '../ports.ts';
import type { Services } from '../services/services.ts';

/**
 * Retry delays (ms) after a request that never left this computer, for example because of a loose
 * cable, a missing network or a broken proxy.
 */
const RETRY_DELAYS_MS = [5_000, 30_000, 120_000, 600_000] as const;
/** Retry delay (ms) while the office is unreachable. */
const OFFICE_RETRY_DELAY_MS = 30_000;
/**
 * Maximum number of checks per attempt. If the computer sleeps between each check and its request,
 * the attempt is repeated when the row is due again.
 */
const MAX_CHECKS = 3;

/** Functions called before the first byte of every attempt leaves, and after its answer. */
export interface AttemptHooks {
  /** Called when the attempt is committed to disk. If it throws, the attempt is cancelled. */
  beforeAttempt(item: StoredItem, request: FrozenRequest): void;
  afterAttempt(item: StoredItem, result: WriteResult): void;
}

export interface AttemptPorts {
  readonly stores: Pick<Stores, 'outbox' | 'connections' | 'evidence'>;
  readonly transitions: OutboxTransitions;
  readonly gates: OutboxGates;
  readonly epoch: OutboxEpoch;
  readonly reach: ConnectivityCheck;
  readonly services: Services;
  readonly clock: Clock;
  readonly encoding: Encoding;
  readonly scheduler: Scheduler;
  readonly emit: Emit;
  readonly toFailure: ToFailure;
  readonly log: Pick<Log, 'error'>;
  /** Free bytes on the disk of the data; null if unknown. */
  readonly freeDisk: () => number | null;
  readonly hooks: AttemptHooks;
  readonly office: Pick<SendGuard, 'claim' | 'isCurrent'>;
  readonly atKillPoint: AtKillPoint;
  /** Called after a change on the service, so that the local copy can be read again. */
  readonly onSent: OnSent;
}

/**
 * Makes one attempt for one row: uploads its files, commits, sends exactly one request and records
 * the outcome.
 */
export class OutboxAttempts {
  readonly #ports: AttemptPorts;
  readonly #signal: AbortSignal;
  #isClosed = false;
  readonly #unsent = new Map<OutboxRef, number>();
  readonly #flow = new SendFlow();
  /**
   * Allows one commit per turn of the event loop. Otherwise, if several answers arrive together,
   * each next request would wait for the commits of all of them.
   */
  readonly #turns = new Serial();

  constructor(ports: AttemptPorts, signal: AbortSignal) {
    this.#ports = ports;
    this.#signal = signal;
  }

  /** Prevents new attempts; requests in flight continue. */
  close(): void {
    this.#isClosed = true;
  }

  /** Makes the attempt and returns the row after it. A row that is not due stays unchanged. */
  async run(ref: OutboxRef): Promise<StoredItem> {
    const { outbox } = this.#ports.stores;
    const item = outbox.get(ref);
    if (!this.#isDue(item) || !this.#isAllowed(item)) return outbox.get(ref);
    // This check detects restored file-system snapshots of the data, which no other check detects.
    if (this.#ports.transitions.doubtSeen(item)) return outbox.get(ref);
    for (let tries = 0; tries < MAX_CHECKS; tries += 1) {
      const service = await this.#ready(item);
      if (service === null || this.#asksForMissed(outbox.get(ref))) break;
      if (!(await this.#isWhole(service, ref))) break;
      if (!(await this.#isOurs(service, ref))) break;
      await this.#turns.run(() => this.#ports.scheduler.yield());
      if (!this.#isStillChecked(item)) continue;
      // The office or the service may have taken long to answer.
      if (!this.#isAllowed(item)) break;
      await this.#attempt(service, ref);
      break;
    }
    return outbox.get(ref);
  }

  /**
   * Whether the row missed its scheduled time. If so, the row waits for the user; for a row of a
   * batch, the rest of the batch waits, so that the user decides once.
   */
  #asksForMissed(item: StoredItem): boolean {
    const { stores, transitions, clock, emit } = this.#ports;
    const { ref, batchId, connectionId } = item;
    const now = clock.now();
    if (!isHeldUp(item, this.#flow.since(connectionId, now), now)) return false;
    if (batchId === null)
      transitions.postpone(ref, null, { cause: 'late', reason: timeMissedFailure });
    else {
      stores.outbox.setBatchGate(batchId, 'asks', timeMissedFailure);
      emit('batches.changed', { id: batchId });
    }
    return true;
  }

  /** Whether the earlier checks still hold; false if the computer has slept after them. */
  #isStillChecked({ connectionId, ref }: StoredItem): boolean {
    const { reach, office } = this.#ports;
    return reach.isReached(connectionId) && office.isCurrent(ref);
  }

  async #attempt(service: AgreementService, ref: OutboxRef): Promise<void> {
    const { stores, transitions, emit, gates, hooks, atKillPoint } = this.#ports;
    atKillPoint('before-claim');
    const waiting = stores.outbox.get(ref);
    if (!this.#isDue(waiting)) return;
    // This is also checked when the earlier send is found, but this row may have been in flight at
    // that time.
    if (transitions.askIfReplacedMayExist(ref) || !this.#claim(service, waiting)) return;
    atKillPoint('after-claim');
    emit('outbox.changed', { ref });
    const item = stores.outbox.get(ref);
    const request = stores.outbox.request(ref);
    const calledOff = this.#runBeforeHook(item, request);
    const result = calledOff ?? (await this.#request(service, request));
    this.#record(item, result);
    hooks.afterAttempt(stores.outbox.get(ref), result);
    gates.updateBreaker(item.connectionId);
  }

  /**
   * Whether the connection still allows the row's recipients; it may allow fewer than when the row
   * was frozen. If not, rejects the row. Runs before files are uploaded: nothing has left this
   * computer, so the user may send the row again.
   */
  #isAllowed({ ref, kind, connectionId }: StoredItem): boolean {
    if (kind !== 'create') return true;
    const { stores, transitions, toFailure } = this.#ports;
    try {
      requireBodyAllowed(this.#ports, connectionId, stores.outbox.request(ref).body);
      return true;
    } catch (error) {
      const reason = toFailure(error, 'outbox.run');
      transitions.apply(ref, { kind: 'refused', endedAt: null }, { cause: 'reach', reason });
      return false;
    }
  }

  #isDue({ state, nextAt, verify, connectionId, batchId }: StoredItem): boolean {
    if (this.#isClosed || state !== 'queued' || nextAt === null || verify) return false;
    const { outbox } = this.#ports.stores;
    if (batchId !== null && outbox.batchGate(batchId) !== 'open') return false;
    const isTime = nextAt <= this.#ports.clock.now() && deactivationOf(this.#ports.stores) === null;
    return isTime && this.#ports.gates.closed(connectionId).length === 0;
  }

  /** Returns the service, or null if nothing can be sent now; a gate records the reason. */
  async #ready(item: StoredItem): Promise<AgreementService | null> {
    const { epoch, services, toFailure, freeDisk, gates, stores } = this.#ports;
    const { connectionId: id, ref } = item;
    // The user may have opened the circuit breaker's gate. It closes again while too many outcomes
    // are unknown.
    gates.updateBreaker(id);
    const disk = freeDisk();
    if (disk !== null && disk < MIN_FREE_DISK_BYTES) {
      this.#hold(item, 'disk', diskFullFailure);
      return null;
    }
    const refused = services.refusal(id);
    if (refused !== null) {
      this.#hold(item, 'auth', refused);
      return null;
    }
    try {
      await epoch.check();
      const service = await services.open(id);
      const isReached = await this.#isReached(service, item);
      return isReached && this.#isDue(stores.outbox.get(ref)) ? service : null;
    } catch (error) {
      const failure = toFailure(error, 'outbox.run');
      this.#hold(item, gateFor(failure), failure);
      return null;
    }
  }

  /**
   * Whether the service answers after sleep. If not, the row waits as after a request that never
   * left this computer.
   */
  async #isReached(service: AgreementService, item: StoredItem): Promise<boolean> {
    const { reach, transitions } = this.#ports;
    const reason =
      (await reach.check(item.connectionId, service, this.#signal)) ??
      (await this.#hearClock(service, item));
    if (reason === null || this.#isClosed) return reason === null;
    const nextAt = isConnectionRejected(reason)
      ? this.#closeFor(item, reason)
      : this.#backOff(item, reason);
    transitions.postpone(item.ref, nextAt, { cause: 'gate', reason });
    return false;
  }

  /** For a scheduled row, reads the service's clock first, because the local clock may be ahead. */
  async #hearClock(service: AgreementService, item: StoredItem): Promise<Failure | null> {
    if (!item.isScheduled) return null;
    return ensureServiceClock(this.#ports, item.connectionId, service, this.#signal);
  }

  /**
   * Whether this computer may send the row. False if another computer of the office has claimed the
   * row or the office is unreachable; the row then records the reason.
   */
  async #isOurs({ credential }: AgreementService, ref: OutboxRef): Promise<boolean> {
    const { office, stores, transitions, gates, clock } = this.#ports;
    const item = stores.outbox.get(ref);
    const reason = await office.claim(item, credential);
    if (reason === null) return true;
    // For these reasons, the claim is retried automatically.
    const isAway = reason.reason === 'office-away' || reason.reason === 'office-put-back';
    const nextAt = isAway ? clock.now() + OFFICE_RETRY_DELAY_MS : null;
    if (isAway) gates.close(item.connectionId, 'office', nextAt, reason);
    transitions.postpone(ref, nextAt, { cause: 'office', reason });
    return false;
  }

  #hold({ ref, connectionId }: StoredItem, kind: 'disk' | 'auth' | 'keychain', reason: Failure) {
    this.#ports.gates.close(connectionId, kind, null, reason);
    const { nextAt } = this.#ports.stores.outbox.get(ref);
    this.#ports.transitions.postpone(ref, nextAt, { cause: 'gate', reason });
  }

  /** Commits the attempt before the request. If the disk cannot store it, nothing is sent. */
  #claim(service: AgreementService, { ref, connectionId }: StoredItem): boolean {
    const { stores, clock, gates, toFailure } = this.#ports;
    const claim = { at: clock.now(), floor: gates.floor(connectionId) };
    try {
      return stores.outbox.claim(ref, { ...claim, credential: service.credential });
    } catch (error) {
      if (!isCode(error, 'storage')) throw error;
      gates.close(connectionId, 'disk', null, toFailure(error, 'outbox.claim'));
      return false;
    }
  }

  #runBeforeHook(item: StoredItem, request: FrozenRequest): WriteResult | null {
    try {
      this.#ports.hooks.beforeAttempt(item, request);
      return null;
    } catch (error) {
      return { kind: 'not-sent', failure: this.#ports.toFailure(error, 'outbox.run') };
    }
  }

  /**
   * Uploads the row's missing files. Returns whether the request is complete; if not, the row
   * records the reason.
   */
  async #isWhole({ uploadFirst }: AgreementService, ref: OutboxRef): Promise<boolean> {
    const item = this.#ports.stores.outbox.get(ref);
    if (item.progress === undefined || uploadFirst === null) return true;
    const isClosed = () => this.#isClosed;
    const notUploaded = await uploadOutboxFiles(
      this.#ports,
      uploadFirst,
      item,
      this.#signal,
      isClosed,
    );
    if (notUploaded !== null) this.#recordNotUploaded(item, notUploaded);
    return notUploaded === null;
  }

  /**
   * Records an upload that failed. The request of the row has not been sent, so the row waits or is
   * rejected, regardless of the outcome of the upload.
   */
  #recordNotUploaded(item: StoredItem, notUploaded: UploadObstacle): void {
    const { transitions } = this.#ports;
    switch (notUploaded.kind) {
      case 'stopped':
        return;
      case 'refused':
        transitions.apply(
          item.ref,
          { kind: 'refused', endedAt: null },
          { cause: 'upload', reason: notUploaded.failure },
        );
        return;
      case 'turned-away': {
        const nextAt = this.#closeFor(item, notUploaded.failure);
        transitions.postpone(item.ref, nextAt, { cause: 'upload', reason: notUploaded.failure });
        return;
      }
      case 'not-sent':
      case 'unknown': {
        // A lost answer to an upload is harmless, but the retries must end if the service never
        // answers.
        const hasExhaustedScans =
          notUploaded.kind === 'unknown' &&
          (this.#unsent.get(item.ref) ?? 0) >= RETRY_DELAYS_MS.length;
        const nextAt = hasExhaustedScans ? null : this.#backOff(item, notUploaded.failure);
        transitions.postpone(item.ref, nextAt, { cause: 'upload', reason: notUploaded.failure });
      }
    }
  }

  async #request(service: AgreementService, { body, target }: FrozenRequest): Promise<WriteResult> {
    try {
      if (target === null) return await service.create(body, this.#signal);
      return await service.sign({ ...target, body }, this.#signal);
    } catch (error) {
      // A write that throws leaves its outcome unknown.
      return { kind: 'unknown', failure: this.#ports.toFailure(error, 'outbox.run') };
    }
  }

  #record(item: StoredItem, result: WriteResult): void {
    const { transitions, gates, onSent } = this.#ports;
    const { ref, connectionId } = item;
    if (result.kind === 'done' || result.kind === 'refused') {
      this.#flow.note(connectionId, this.#ports.clock.now());
    }
    switch (result.kind) {
      case 'done': {
        const remoteId = result.remoteId === null ? null : AgreementId.parse(result.remoteId);
        transitions.apply(ref, { kind: 'done', remoteId }, { cause: 'answer' });
        onSent(connectionId, item.kind === 'create' ? { remoteId } : null);
        return;
      }
      case 'refused':
        transitions.apply(
          ref,
          { kind: 'refused', endedAt: this.#endedAt(connectionId, result.serverTime) },
          { cause: 'answer', reason: result.failure },
        );
        this.#countRefusals(item);
        return;
      case 'not-sent': {
        const nextAt = this.#backOff(item, result.failure);
        transitions.apply(
          ref,
          { kind: 'not-sent', nextAt },
          { cause: 'not-sent', reason: result.failure },
        );
        return;
      }
      case 'turned-away': {
        const nextAt = this.#closeFor(item, result.failure);
        const reason = result.failure;
        const endedAt = this.#endedAt(connectionId, result.serverTime);
        transitions.apply(
          ref,
          { kind: 'turned-away', nextAt, endedAt },
          { cause: 'answer', reason },
        );
        return;
      }
      case 'unknown': {
        const reason = { ...result.failure, reason: 'outcome-unknown' } as const;
        const dated = result.serverTime ?? null;
        const isKnown = dated !== null || gates.skew(connectionId) !== null;
        const endedAt = isKnown ? gates.timeOf(connectionId, dated) : null;
        const lost = { kind: 'lost', endedAt } as const;
        transitions.apply(ref, lost, { cause: 'answer', reason });
      }
    }
  }

  /** Returns the time of the answer by the service's clock (epoch ms). */
  #endedAt(id: ConnectionId, serverTime: number | null | undefined): number {
    const { gates } = this.#ports;
    const dated = serverTime ?? null;
    const now = gates.serverTime(id);
    // If it is not known which clock is right, the later time is used.
    return gates.timeOf(id, dated) ?? Math.max(now, dated ?? now);
  }

  /** Stops a batch that the service keeps rejecting; the user decides whether it continues. */
  #countRefusals({ batchId }: StoredItem): void {
    const { outbox } = this.#ports.stores;
    if (batchId === null) return;
    const { stopAfter, counts, gate } = outbox.batch(batchId);
    if (stopAfter === null || gate !== 'open' || (counts.rejected ?? 0) < stopAfter) return;
    outbox.setBatchGate(batchId, 'asks', tooManyRefusedFailure);
  }

  #backOff({ ref, connectionId }: StoredItem, reason: Failure): number {
    const { clock, gates } = this.#ports;
    const count = this.#unsent.get(ref) ?? 0;
    this.#unsent.set(ref, count + 1);
    const nextAt =
      clock.now() + (RETRY_DELAYS_MS[Math.min(count, RETRY_DELAYS_MS.length - 1)] ?? 0);
    gates.close(connectionId, 'offline', nextAt, reason);
    return nextAt;
  }

  /**
   * Closes the gate for a failure. After an authentication failure, sending waits for the user;
   * after a rate limit, it waits until the time in the service's answer.
   */
  #closeFor({ connectionId: id }: StoredItem, reason: Failure): number {
    const { clock, services, gates } = this.#ports;
    const now = clock.now();
    services.note(id, reason);
    if (reason.code !== 'limited') {
      gates.close(id, 'auth', null, reason);
      return now;
    }
    return gates.limit(id, reason);
  }
}

function gateFor({ code }: Failure): 'disk' | 'auth' | 'keychain' {
  if (code === 'vault') return 'keychain';
  return code === 'storage' ? 'disk' : 'auth';
}

const diskFullFailure: Failure = {
  code: 'storage',
  message: 'The disk is too full to record what is sent. Free some space',
  reason: 'disk-full',
};

const tooManyRefusedFailure: Failure = {
  code: 'conflict',
  message: 'The service refused several rows. Check them before the batch continues',
  reason: 'rows-refused',
};
