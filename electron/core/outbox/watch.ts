import type { ConnectionId } from '../../../shared/model/ids.ts';
import { reconcileRows, type ScanPorts, settledDuplicates } from './scan.ts';
import type { DuplicateSuspect } from './ports.ts';
import type { Scheduler } from '../ports.ts';
import { OLD, WATCH_ABANDONED, WATCH_OVERLAP, WATCH_SENT } from './times.ts';

/**
 * Maximum number of suspects per check. A larger number are not duplicates, but another user's
 * sends with the same names.
 */
const MAX_SUSPECTS = 100;

interface WatchPorts extends ScanPorts {
  readonly scheduler: Scheduler;
}

/**
 * Looks for a second agreement of a send, for as long as the service may still create one (T20).
 * The copies that a sync reads only yield suspects. A scan of the service's list decides, and is
 * recorded as every other scan.
 */
export class DuplicatesWatch {
  readonly #ports: WatchPorts;
  /** Suspects that a scan has already covered in this run; they are not checked again. */
  readonly #cleared = new Set<string>();
  /** Time of the last check of a connection's copies in this run, by the service's clock. */
  readonly #checkedAt = new Map<ConnectionId, number>();

  constructor(ports: WatchPorts) {
    this.#ports = ports;
  }

  /**
   * Checks for duplicates after the copies of a connection were read. If a check fails, the next
   * call repeats it.
   */
  async check(connectionId: ConnectionId, signal: AbortSignal): Promise<void> {
    const { stores, clock, gates } = this.#ports;
    const now = clock.now();
    // The local clock may be ahead: changes after this check would then be dated before `now`.
    const begunAt = Math.min(now, gates.serverTime(connectionId));
    const changed = await this.#suspects(connectionId, now, signal);
    const suspects = [...changed, ...this.#doubted(connectionId)]
      .filter((one) => !this.#cleared.has(suspectKeyText(one)))
      .slice(0, MAX_SUSPECTS);
    if (signal.aborted) return;
    const refs = [...new Set(suspects.map(({ ref }) => ref))];
    const rows = refs.map((ref) => stores.outbox.get(ref));
    const failure = await reconcileRows(this.#ports, connectionId, rows, signal);
    if (failure !== null) return;
    for (const one of suspects) this.#cleared.add(suspectKeyText(one));
    if (suspects.length < MAX_SUSPECTS) this.#checkedAt.set(connectionId, begunAt);
  }

  /**
   * Returns the suspects among the changed copies. The first check covers all recent changes, each
   * later check only the changes since the previous check.
   */
  async #suspects(
    connectionId: ConnectionId,
    now: number,
    signal: AbortSignal,
  ): Promise<readonly DuplicateSuspect[]> {
    const { outbox } = this.#ports.stores;
    const since = { sent: now - WATCH_SENT, abandoned: now - WATCH_ABANDONED };
    const checkedAt = this.#checkedAt.get(connectionId) ?? since.abandoned - OLD;
    const found: DuplicateSuspect[] = [];
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
   * Returns rows of unknown outcome whose mark is on several agreements. A scan decides which of
   * them are reported.
   */
  #doubted(connectionId: ConnectionId): readonly DuplicateSuspect[] {
    const { outbox, agreements } = this.#ports.stores;
    return outbox.inDoubt(connectionId).flatMap(({ ref, mark }) => {
      const seen = mark.by === 'tag' ? agreements.withRef(connectionId, ref) : [];
      return seen.length > 1 ? seen.map((remoteId) => ({ ref, remoteId })) : [];
    });
  }
}

const suspectKeyText = ({ ref, remoteId }: DuplicateSuspect) => `${ref} ${remoteId}`;
