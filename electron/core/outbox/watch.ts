import type { ConnectionId } from '../../../shared/model/ids.ts';
import { reconcileRows, type ScanPorts, settledDuplicates } from './scan.ts';
import type { Suspect } from './ports.ts';
import type { Scheduler } from '../ports.ts';
import { OLD, WATCH_ABANDONED, WATCH_OVERLAP, WATCH_SENT } from './times.ts';

/**
 * Maximum number of suspects: more at a time are not duplicates but another user's sends with the
 * same names.
 */
const MAX_SUSPECTS = 100;

interface WatchPorts extends ScanPorts {
  readonly scheduler: Scheduler;
}

/**
 * T20: looks for a second agreement of a send, for as long as a late commit is possible. The copies
 * of a sync only raise a suspicion; a scan of the service's list decides, recorded like any other.
 */
export class DuplicatesWatch {
  readonly #ports: WatchPorts;
  /** Suspects that were checked and are not ours; not checked again in this run. */
  readonly #cleared = new Set<string>();
  /** Time of the last check of a connection's copies in this run, by the service's clock. */
  readonly #checkedAt = new Map<ConnectionId, number>();

  constructor(ports: WatchPorts) {
    this.#ports = ports;
  }

  /**
   * Called after the copies of a connection were read. If a check fails, the next call repeats it.
   */
  async check(connectionId: ConnectionId, signal: AbortSignal): Promise<void> {
    const { stores, clock, gates } = this.#ports;
    const now = clock.now();
    // The local clock may be ahead: later changes would then be dated before this time.
    const begunAt = Math.min(now, gates.serverTime(connectionId));
    const changed = await this.#suspects(connectionId, now, signal);
    const suspects = [...changed, ...this.#doubted(connectionId)]
      .filter((one) => !this.#cleared.has(nameOf(one)))
      .slice(0, MAX_SUSPECTS);
    if (signal.aborted) return;
    const refs = [...new Set(suspects.map(({ ref }) => ref))];
    const rows = refs.map((ref) => stores.outbox.get(ref));
    const failure = await reconcileRows(this.#ports, connectionId, rows, signal);
    if (failure !== null) return;
    for (const one of suspects) this.#cleared.add(nameOf(one));
    if (suspects.length < MAX_SUSPECTS) this.#checkedAt.set(connectionId, begunAt);
  }

  /** The first check covers all recent changes, later ones only the changes since. */
  async #suspects(
    connectionId: ConnectionId,
    now: number,
    signal: AbortSignal,
  ): Promise<readonly Suspect[]> {
    const { outbox } = this.#ports.stores;
    const since = { sent: now - WATCH_SENT, abandoned: now - WATCH_ABANDONED };
    const checkedAt = this.#checkedAt.get(connectionId) ?? since.abandoned - OLD;
    const found: Suspect[] = [];
    for (let from: number | null = checkedAt - WATCH_OVERLAP; from !== null && !signal.aborted;) {
      const end = outbox.watchEnd(from);
      const until: number | null = end === null ? null : Math.max(end, from + 1);
      found.push(...outbox.suspects(connectionId, since, { from, until }));
      from = until;
      if (from !== null) await this.#ports.scheduler.yield();
    }
    return found.filter(
      ({ ref, remoteId }) => !settledDuplicates(this.#ports, ref).includes(remoteId),
    );
  }

  /**
   * Rows of unknown outcome whose mark is on several agreements: a scan decides which are reported.
   */
  #doubted(connectionId: ConnectionId): readonly Suspect[] {
    const { outbox, agreements } = this.#ports.stores;
    return outbox.inDoubt(connectionId).flatMap(({ ref, mark }) => {
      const seen = mark.by === 'tag' ? agreements.withRef(connectionId, ref) : [];
      return seen.length > 1 ? seen.map((remoteId) => ({ ref, remoteId })) : [];
    });
  }
}

const nameOf = ({ ref, remoteId }: Suspect) => `${ref} ${remoteId}`;
