import type { AgreementId, ApiName, ConnectionId } from '../../../shared/model/ids.ts';
import type { RemoteAgreement } from '../../../shared/model/agreement.ts';

/** Position of a page in its listing; `position` has a meaning only for the service. */
export interface PagePlace {
  /** Position of the page by the service; null for the first page. */
  readonly position: number | null;
  /** Number of pages up to and including this one. */
  readonly pages: number;
}

/** An unfinished read of all agreements of a connection. */
export interface FullReading {
  /** Start time, by the local clock. */
  readonly startedAt: number;
  /** Server time at the start; null before the first page, or if the service reports none. */
  readonly serverTime: number | null;
  /** Number of agreements at the start; null if the service does not report it. */
  readonly total: number | null;
  /** Last stored page; null before the first page. */
  readonly place: PagePlace | null;
}

/** Result of the last comparison of the service's and the local number of open agreements. */
export interface OpenCount {
  /** Time of the last read of the service's open list, by the local clock. */
  readonly sweptAt: number;
  readonly count: number;
  /** Number of open agreements by the service's count, minus the number in its list; usually 0. */
  readonly difference: number;
}

/** Progress of each connection's copies. Times are epoch ms of the local clock. */
export interface SyncStore {
  full(id: ConnectionId): FullReading | null;
  saveFull(id: ConnectionId, reading: FullReading): void;
  /** Records that the full read that began at `startedAt` is complete. */
  endFull(id: ConnectionId, startedAt: number): void;
  /**
   * Restarts unfinished full reads, and begins a full read of connections that were read up to a
   * time after `now`: their progress came from another computer or clock.
   */
  readAnew(now: number): void;
  openCount(id: ConnectionId): OpenCount | null;
  saveOpenCount(id: ConnectionId, count: OpenCount): void;
  /** Number of these agreements that have a local copy, or had one that was forgotten. */
  known(id: ConnectionId, agreements: readonly string[]): number;
  /** Number of copies that the service listed at `at` or later. */
  countSeenSince(id: ConnectionId, at: number): number;
  /** Number of open copies (waiting for signatures) that the service listed at `at` or later. */
  countOpenSeenSince(id: ConnectionId, at: number): number;
  /**
   * Returns copies that may be outdated without any list showing it, oldest first: missing from the
   * last full read, missing from the last open list, or past their expiry or deletion by the local
   * clock. Excludes copies marked as gone.
   */
  possiblyStale(id: ConnectionId, now: number, limit: number): readonly AgreementId[];
}

/** One page of agreements that the service returned. The same page may be stored again. */
export interface CopyPage {
  readonly connectionId: ConnectionId;
  readonly api: ApiName;
  readonly items: readonly RemoteAgreement[];
  /** Time of the read by the local clock (epoch ms). */
  readonly readAt: number;
  /**
   * Progress of a full read including this page, written with the last copy of the page; null if
   * this is no full read.
   */
  readonly full: FullReading | null;
}

/** Number of new copies, and of new or changed ones. */
export interface WrittenCounts {
  readonly added: number;
  readonly changed: number;
}

/** One step of the removal of closed agreements from the local copies. */
export interface Retirement {
  /** The step removes only agreements closed before this time (epoch ms). */
  readonly before: number;
  /** Last copy that the previous step checked; null to start with the oldest copy. */
  readonly after: RetirementPlace | null;
  /** Maximum number of copies that the step checks: most of them may have to stay. */
  readonly limit: number;
  readonly at: number;
}

/** Last copy checked, in order of closing. */
export interface RetirementPlace {
  readonly doneAt: number;
  readonly row: number;
}

export interface RetirementResult {
  readonly removed: number;
  /** Last copy that this step checked; null once all copies were checked. */
  readonly next: RetirementPlace | null;
}

/**
 * Writes copies of agreements on another thread, in order of the calls. Each promise rejects with
 * the errors of `AgreementStore.put`.
 */
export interface CopyWriter {
  /** Resolves once the whole page is committed, including its progress. */
  store(page: CopyPage): Promise<WrittenCounts>;
  /** As in `AgreementStore`; applies to the pages stored afterwards. */
  beginBulk(): void;
  endBulk(): void;
  /** As in `AgreementStore`. */
  buildIndex(): Promise<boolean>;
  /** As in `AgreementStore`. */
  retire(retirement: Retirement): Promise<RetirementResult>;
}
