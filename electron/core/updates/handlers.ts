import type { JobId } from '../../../shared/model/ids.ts';
import type { Emit, HandlersOf } from '../../../shared/contract/index.ts';
import type { UpdateFeed, UpdateState } from '../../../shared/contract/updates.ts';
import { AppError, type Failure } from '../../../shared/errors.ts';
import type { ToFailure } from '../../../shared/wire.ts';
import type { JobQueue, Progress } from '../job-queue.ts';
import type { Clock } from '../ports.ts';
import type { SignedRelease, Updater, UpdateRecord, UpdateSource, UpdateStore } from './ports.ts';
import { compareVersions } from './versions.ts';
import { DAY, HOUR, MINUTE } from '../../../shared/rules/time/units.ts';

/**
 * Interval between checks of whether a day has passed. One timer for a whole day would stop while
 * the computer sleeps.
 */
const UPDATE_POLL_MS = MINUTE;

interface UpdatePorts {
  readonly updates: UpdateStore;
  readonly updateSource: UpdateSource;
  readonly updater: Updater;
  /** Version of the running program. */
  readonly version: string;
  readonly jobs: JobQueue;
  /** Called when a version that the user accepted is ready to be installed at exit. */
  readonly onPrepared: () => void;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly toFailure: ToFailure;
}

/**
 * Returns an empty record with this feed; used after a change of feed, because the old feed's offer
 * is no longer valid.
 */
const recordWithFeed = (feed: UpdateFeed | null): UpdateRecord => ({
  feed,
  checkedAt: null,
  offered: null,
  highest: null,
});

/**
 * Updates of the program. Reads the feed when the user requests it, or once a day if the user chose
 * that. Offers only releases signed with the feed's key, and installs only a version that the user
 * accepted.
 */
export class Updates {
  readonly #ports: UpdatePorts;
  #failure: Failure | null = null;
  /** Time of the last failed check (epoch ms). */
  #failedAt: number | null = null;
  /** The version that is ready to install, and its feed; null if there is none. */
  #ready: { readonly version: string; readonly feed: UpdateFeed } | null = null;
  #preparing: JobId | null = null;
  #checking: Promise<void> | null = null;
  readonly #stopping = new AbortController();
  #callOff = () => {};

  constructor(ports: UpdatePorts) {
    this.#ports = ports;
  }

  readonly handlers: HandlersOf<'updates'> = {
    'updates.show': async () => this.#state(),
    'updates.setFeed': async ({ feed }) => {
      const { updates, updateSource } = this.#ports;
      const wanted = feed === null ? null : updateSource.check(feed);
      const record = updates.read();
      const isSame = isSameFeed(record.feed, wanted);
      updates.write(isSame ? { ...record, feed: wanted } : recordWithFeed(wanted));
      if (!isSame) this.#forget();
      return this.#changed();
    },
    'updates.check': async () => {
      await this.#check();
      return this.#state();
    },
    'updates.install': async ({ version }) => ({ jobId: this.#install(version) }),
    'updates.withdraw': async () => {
      if (!this.#canWithdraw()) {
        throw new AppError(
          'conflict',
          'The system is already installing the update, so it cannot be withdrawn',
        );
      }
      this.#withdraw();
      return this.#changed();
    },
  };

  /** Starts the daily checks, if the user chose them. */
  begin(): void {
    if (this.#isDue()) void this.#check().catch(() => undefined);
    this.#callOff = this.#ports.clock.after(UPDATE_POLL_MS, () => this.begin());
  }

  /** Stops what belongs to an old feed: another process may have changed the feed. */
  wake(): void {
    const { feed } = this.#ports.updates.read();
    if (this.#ready !== null && !isSameFeed(feed, this.#ready.feed)) this.#forget();
    this.#ports.emit('updates.changed', {});
  }

  end(): void {
    this.#callOff();
    this.#stopping.abort();
  }

  #isDue(): boolean {
    const { clock, updates } = this.#ports;
    const { feed, checkedAt } = updates.read();
    if (feed === null || !feed.daily) return false;
    const now = clock.now();
    if (this.#failedAt !== null && isWithin(now, this.#failedAt, HOUR)) return false;
    return checkedAt === null || !isWithin(now, checkedAt, DAY);
  }

  /** Checks the feed; parallel callers share one check. */
  #check(): Promise<void> {
    this.#checking ??= this.#checkOnce().finally(() => {
      this.#checking = null;
    });
    return this.#checking;
  }

  async #checkOnce(): Promise<void> {
    const { clock, toFailure } = this.#ports;
    try {
      await this.#ask(this.#stopping.signal);
      this.#failure = null;
      this.#failedAt = null;
    } catch (error) {
      this.#failure = toFailure(error, 'updates.check');
      this.#failedAt = clock.now();
      throw error;
    } finally {
      this.#changed();
    }
  }

  /** Reads the feed's current offer and records it. */
  async #ask(signal: AbortSignal): Promise<SignedRelease> {
    const { updates, updateSource, clock } = this.#ports;
    const { feed } = updates.read();
    if (feed === null) throw new AppError('invalid', 'No update feed is set');
    const release = await updateSource.read(feed, signal);
    const record = updates.read();
    if (!isSameFeed(record.feed, feed)) throw updateChangedError();
    const { version, size, notes } = release;
    const isHigher = compareVersions(version, record.highest ?? '') > 0;
    updates.write({
      feed: record.feed,
      checkedAt: clock.now(),
      offered: { version, size, notes },
      highest: isHigher ? version : record.highest,
    });
    return release;
  }

  #install(version: string): JobId {
    const { updater, jobs } = this.#ports;
    if (updater.way !== 'here') {
      throw new AppError('invalid', 'This installation cannot be updated by the program itself');
    }
    if (this.#preparing !== null) {
      throw new AppError('conflict', 'An update is already being downloaded', {
        reason: 'already-under-way',
      });
    }
    const jobId = jobs.start('prepare-update', async (signal, report) => {
      try {
        const feed = await this.#prepare(updater, version, { signal, report });
        this.#ready = { version, feed };
        this.#failure = null;
        // The feed may have changed, or the job may have been stopped, at the last moment.
        this.wake();
        if (this.#ready === null) throw updateChangedError();
        this.#ports.onPrepared();
        return { result: { version }, failure: null };
      } catch (error) {
        const failure = this.#ports.toFailure(error, 'updates.install');
        this.#failure = signal.aborted || failure.code === 'cancelled' ? null : failure;
        throw error;
      } finally {
        this.#preparing = null;
        this.#changed();
      }
    });
    this.#preparing = jobId;
    return jobId;
  }

  async #prepare(
    updater: Extract<Updater, { way: 'here' }>,
    version: string,
    { signal, report }: { signal: AbortSignal; report: (progress: Progress) => void },
  ): Promise<UpdateFeed> {
    const release = await this.#ask(signal);
    const { feed } = this.#ports.updates.read();
    if (release.version !== version || this.#kindOf(version) !== 'newer' || feed === null) {
      throw updateChangedError();
    }
    await updater.prepare(
      release,
      (bytes, total) => report(progressOf(bytes, total ?? release.size)),
      signal,
    );
    return feed;
  }

  /** Stops a download from another feed, and does not install its version. */
  #forget(): void {
    const { jobs } = this.#ports;
    if (this.#preparing !== null) void jobs.handlers['jobs.cancel']({ jobId: this.#preparing });
    this.#failure = null;
    this.#failedAt = null;
    this.#withdraw();
  }

  #canWithdraw(): boolean {
    const { updater } = this.#ports;
    return updater.way === 'here' && updater.canWithdraw;
  }

  #withdraw(): void {
    const { updater } = this.#ports;
    if (this.#ready === null || updater.way !== 'here' || !updater.canWithdraw) return;
    this.#ready = null;
    updater.withdraw();
  }

  #kindOf(version: string): 'newer' | 'same' | 'older' {
    const { highest } = this.#ports.updates.read();
    const difference = compareVersions(version, this.#ports.version);
    if (difference < 0 || compareVersions(version, highest ?? '') < 0) return 'older';
    return difference === 0 ? 'same' : 'newer';
  }

  #state(): UpdateState {
    const { updates, updater, version } = this.#ports;
    const { feed, checkedAt, offered } = updates.read();
    return {
      way: updater.way,
      version,
      feed,
      checkedAt,
      offer: offered === null ? null : { kind: this.#kindOf(offered.version), release: offered },
      failure: this.#failure,
      ready: this.#ready?.version ?? null,
      canWithdraw: this.#canWithdraw(),
    };
  }

  #changed(): UpdateState {
    this.#ports.emit('updates.changed', {});
    return this.#state();
  }
}

/** Whether two feeds have the same address and key; the check interval is ignored. */
function isSameFeed(a: UpdateFeed | null, b: UpdateFeed | null): boolean {
  return a?.url === b?.url && a?.key === b?.key;
}

/**
 * Returns the progress in percent, because a job counts in integers and percent suits every size.
 */
function progressOf(bytes: number, total: number | null): Progress {
  if (total === null || total === 0) return { bytes };
  return { bytes, done: Math.min(100, Math.floor((bytes / total) * 100)), total: 100 };
}

/**
 * Whether less than `span` has passed since `then`. A clock that was set back does not prolong the
 * wait.
 */
const isWithin = (now: number, then: number, span: number): boolean => Math.abs(now - then) < span;

function updateChangedError(): AppError {
  return new AppError(
    'conflict',
    'The update feed, or the version it offers, has changed in the meantime. Check again',
    { reason: 'update-changed' },
  );
}
