import type { Selection } from '../../../shared/contract/agreement-selection.ts';
import { SyncResult, type SyncStatus } from '../../../shared/contract/agreements.ts';
import type { ConnectionId } from '../../../shared/model/ids.ts';
import type { Failure } from '../../../shared/errors.ts';
import { api, failureOf, on } from '../../window/desk.ts';
import { formatCount } from '../../ui/format.ts';
import { m } from '../../ui/language.svelte.ts';
import { activity } from '../../window/activity.svelte.ts';
import { connections } from '../connections/state.svelte.ts';
import { jobs } from '../../window/jobs.svelte.ts';
import { Loaded } from '../../window/loaded.svelte.ts';

/** How fresh the copies of the agreements are, and the check that freshens them. */
class Sync {
  readonly statuses = new Loaded(() => api['agreements.syncStatus']({}));
  /** Those of the connections the window works with. */
  readonly inScope: readonly SyncStatus[] = $derived(
    (this.statuses.value ?? []).filter(
      ({ connectionId }) => connections.current === null || connections.current.id === connectionId,
    ),
  );
  readonly isRunning = $derived(this.inScope.some((status) => status.running));
  readonly failing = $derived(this.inScope.find((status) => status.failure !== null) ?? null);
  /** The oldest good check: what all of the list is at least as fresh as. */
  readonly checkedAt: number | null = $derived(
    this.inScope.reduce<number | null>(
      (oldest, { checkedAt }) =>
        oldest === null || checkedAt === null ? null : Math.min(oldest, checkedAt),
      this.inScope.length === 0 ? null : Infinity,
    ),
  );
  /** Agreements that the last check found new or changed. */
  changed = $state(0);
  /** The dialog that asks what to read again is open. */
  asksSelection = $state(false);
  /** The check could not even be started. */
  failure = $state.raw<Failure | null>(null);

  constructor() {
    on('agreements.syncChanged', () => void this.statuses.refresh());
  }

  /** The last check of the connection did not reach its service. */
  isOffline(id: ConnectionId): boolean {
    const status = this.statuses.value?.find(({ connectionId }) => connectionId === id);
    return status?.failure?.code === 'offline';
  }

  /** Checks because a person asked, who is notified how it went. */
  async checkNow(): Promise<void> {
    await this.check();
    const failure = this.failing?.failure ?? this.failure;
    const count = this.changed;
    if (failure !== null) activity.fail(failure);
    else if (count > 0) activity.say(() => m.sync_said_new({ count }));
    else activity.say(m.sync_said_fresh);
  }

  /** Reads what the service itself selects; a person asked, and is told how it went. */
  async readSelection(connectionId: ConnectionId, selection: Selection): Promise<void> {
    try {
      const { jobId } = await api['agreements.syncSelection']({ connectionId, selection });
      const job = await jobs.outcome(jobId);
      if (job.failure !== null) return activity.fail(job.failure);
      const reading = SyncResult.safeParse(job.result).data?.connections[0];
      if (reading === undefined) return activity.say(m.select_stopped);
      const { received, changed } = reading;
      activity.say(() =>
        received === 0
          ? m.select_none()
          : m.select_done({ count: formatCount(received), changed: formatCount(changed) }),
      );
    } catch (error) {
      activity.fail(failureOf(error));
    }
  }

  /** Asks the services what changed. What fails shows in `statuses`, with the time of the last good check. */
  async check(): Promise<void> {
    if (this.statuses.value === null) await this.statuses.refresh();
    if (this.isRunning) return;
    const isFirst = this.checkedAt === null;
    try {
      const { jobId } = await api['agreements.sync'](connections.scope);
      const { result } = await jobs.outcome(jobId);
      const parsed = SyncResult.safeParse(result);
      // To the first check everything is new, which is no news.
      this.changed =
        parsed.success && !isFirst
          ? parsed.data.connections.reduce((sum, { changed }) => sum + changed, 0)
          : 0;
      this.failure = null;
    } catch (error) {
      const failure = failureOf(error);
      // The check that is under way tells its own outcome.
      this.failure = failure.reason === 'already-under-way' ? null : failure;
    } finally {
      await this.statuses.refresh();
    }
  }
}

export const sync = new Sync();
