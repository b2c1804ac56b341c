import type { Selection } from '../../../shared/contract/agreement-selection.ts';
import { SyncResult, type SyncStatus } from '../../../shared/contract/agreements.ts';
import type { ConnectionId } from '../../../shared/model/ids.ts';
import type { Failure } from '../../../shared/errors.ts';
import { api, failureOf, on } from '../../window/desk.ts';
import { sentenceFor } from '../../ui/failure-words.ts';
import { formatCount, formatNames } from '../../ui/format.ts';
import { m } from '../../ui/language.svelte.ts';
import { joinFacts } from '../../ui/join-facts.ts';
import { activity } from '../../window/activity.svelte.ts';
import { connections } from '../connections/state.svelte.ts';
import { jobs } from '../../window/jobs.svelte.ts';
import { Loaded } from '../../window/loaded.svelte.ts';
import { type Trouble, troublesOf } from './trouble.ts';

/** Age of the copies of the agreements, and the check that updates them. */
class Sync {
  readonly statuses = new Loaded(() => api['agreements.syncStatus']({}));
  readonly inScope: readonly SyncStatus[] = $derived(
    (this.statuses.value ?? []).filter(
      ({ connectionId }) => connections.current === null || connections.current.id === connectionId,
    ),
  );
  readonly isRunning = $derived(this.inScope.some((status) => status.running));
  readonly troubles: readonly Trouble[] = $derived(troublesOf(this.inScope));
  /** Time of the oldest of the last successful checks: no part of the list is older. */
  readonly checkedAt: number | null = $derived(
    this.inScope.reduce<number | null>(
      (oldest, { checkedAt }) =>
        oldest === null || checkedAt === null ? null : Math.min(oldest, checkedAt),
      this.inScope.length === 0 ? null : Infinity,
    ),
  );
  /** Number of agreements that the last check found new or changed. */
  changed = $state(0);
  asksSelection = $state(false);
  failure = $state.raw<Failure | null>(null);
  /** Whether the screen shows the troubles, so that a message would repeat them. */
  isShown = $state(false);

  constructor() {
    on('agreements.syncChanged', () => void this.statuses.refresh());
  }

  /** Whether the last check of the connection did not reach its service. */
  isOffline(id: ConnectionId): boolean {
    return this.#failureOf(id)?.code === 'offline';
  }

  /** Whether the service refused the API key of the connection at the last check. */
  isKeyRefused(id: ConnectionId): boolean {
    return this.#failureOf(id)?.reason === 'credential-refused';
  }

  #failureOf(id: ConnectionId): Failure | null {
    const status = this.statuses.value?.find(({ connectionId }) => connectionId === id);
    return status?.failure ?? null;
  }

  /** Runs a check that the user requested, and announces its result. */
  async checkNow(): Promise<void> {
    await this.check();
    const [trouble] = this.troubles;
    const failure = trouble?.failure ?? this.failure;
    const count = this.changed;
    if (failure !== null) this.#announceFailure(failure, trouble?.connectionIds ?? []);
    else if (count > 0) activity.notify(() => m.sync_said_new({ count }));
    else activity.notify(m.sync_said_fresh);
  }

  #announceFailure(failure: Failure, ids: readonly ConnectionId[]): void {
    if (this.isShown && failure.code !== 'offline') return;
    const names = formatNames(ids.map((id) => connections.find(id)?.name ?? ''));
    const words = (): string => joinFacts([names, sentenceFor(failure)]);
    activity.warn(words, null, 'service');
  }

  /** Reads agreements that the service selects, on the user's request; the result is announced. */
  async readSelection(connectionId: ConnectionId, selection: Selection): Promise<void> {
    try {
      const { jobId } = await api['agreements.syncSelection']({ connectionId, selection });
      const job = await jobs.outcome(jobId);
      if (job.failure !== null) return activity.fail(job.failure);
      const reading = SyncResult.safeParse(job.result).data?.connections[0];
      if (reading === undefined) return activity.notify(m.select_stopped);
      const { received, changed } = reading;
      activity.notify(() =>
        received === 0
          ? m.select_none()
          : m.select_done({ count: formatCount(received), changed: formatCount(changed) }),
      );
    } catch (error) {
      activity.fail(failureOf(error));
    }
  }

  /**
   * Reads the changes from the services. `statuses` then contains failures and times of the last
   * success.
   */
  async check(): Promise<void> {
    if (this.statuses.value === null) await this.statuses.refresh();
    if (this.isRunning) return;
    const isFirst = this.checkedAt === null;
    try {
      const { jobId } = await api['agreements.sync'](connections.scope);
      const { result } = await jobs.outcome(jobId);
      const parsed = SyncResult.safeParse(result);
      // For the first check every agreement is new, so none counts as a change.
      this.changed =
        parsed.success && !isFirst
          ? parsed.data.connections.reduce((sum, { changed }) => sum + changed, 0)
          : 0;
      this.failure = null;
    } catch (error) {
      const failure = failureOf(error);
      // The check that is already running announces its own outcome.
      this.failure = failure.reason === 'already-under-way' ? null : failure;
    } finally {
      await this.statuses.refresh();
      if (this.troubles.length === 0 && this.failure === null) activity.resolve('service');
    }
  }
}

export const sync = new Sync();
