import type { AgreementId, ApiName, ConnectionId } from '../../../shared/model/ids.ts';
import type { RemoteAgreement } from '../../../shared/model/agreement.ts';

/** Position of a page in its listing; `position` has a meaning only for the service. */
export interface PagePlace {
  /** Null for the first page. */
  readonly position: number | null;
  /** Number of pages up to and including this one. */
  readonly pages: number;
}

/** An unfinished full read. */
export interface FullReading {
  /** Start time, by the local clock. */
  readonly startedAt: number;
  /** Server time at the start; null before the first page, or if the service reports none. */
  readonly serverTime: number | null;
  /** Number of agreements at the start; null if the service does not report it. */
  readonly total: number | null;
  /** Last stored page; null before the first. */
  readonly place: PagePlace | null;
}

/** Result of the last comparison of the service's and the local number of open agreements. */
export interface OpenCount {
  /** Time of the last read of the service's open list, by the local clock. */
  readonly sweptAt: number;
  readonly count: number;
  /** Open agreements that the service counts minus those it lists; usually 0. */
  readonly difference: number;
}

/** Progress of each connection's copies. Times are epoch ms of the local clock. */
export interface SyncStore {
  full(id: ConnectionId): FullReading | null;
  saveFull(id: ConnectionId, reading: FullReading): void;
  /** The full read that began at `startedAt` is complete. */
  endFull(id: ConnectionId, startedAt: number): void;
  /**
   * Restarts unfinished full reads, and connections whose read time is after `now`, because the
   * progress came from another computer or clock.
   */
  readAnew(now: number): void;
  openCount(id: ConnectionId): OpenCount | null;
  saveOpenCount(id: ConnectionId, count: OpenCount): void;
  /** Number of these agreements with a local copy. */
  known(id: ConnectionId, agreements: readonly string[]): number;
  /** Number of copies that the service listed at `at` or later. */
  countSeenSince(id: ConnectionId, at: number): number;
  /** Same, for those that wait for signatures. */
  countOpenSeenSince(id: ConnectionId, at: number): number;
  /**
   * Copies that may be outdated without any list showing it, oldest first: missing from the last
   * full read, missing from the last open list, or expired or deleted by the local clock. Excludes
   * copies marked as gone.
   */
  possiblyStale(id: ConnectionId, now: number, limit: number): readonly AgreementId[];
}

/** One answer of the service. The same page may come again. */
export interface CopyPage {
  readonly connectionId: ConnectionId;
  readonly api: ApiName;
  readonly items: readonly RemoteAgreement[];
  /** By the local clock, epoch milliseconds. */
  readonly readAt: number;
  /** Progress of a full read including this page; written with the last of the page. */
  readonly full: FullReading | null;
}

/** Number of new copies, and of new or changed ones. */
export interface Written {
  readonly added: number;
  readonly changed: number;
}

/** Step that removes closed agreements from the copies. */
export interface Retirement {
  /** Closed before this time (epoch ms). */
  readonly before: number;
  /** End of the previous step; null to start with the oldest. */
  readonly after: RetirementPlace | null;
  /** Maximum number checked: most may have to stay. */
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
  /** Null once all were checked. */
  readonly next: RetirementPlace | null;
}

/**
 * Writes copies of agreements on another thread, in order of the calls. Each promise rejects with
 * the errors of `AgreementStore.put`.
 */
export interface CopyWriter {
  /** Resolves once the whole page is committed, including its progress. */
  store(page: CopyPage): Promise<Written>;
  /** As in `AgreementStore`, for later stores. */
  beginBulk(): void;
  endBulk(): void;
  /** As in `AgreementStore`. */
  buildIndex(): Promise<boolean>;
  /** As in `AgreementStore`. */
  retire(retirement: Retirement): Promise<RetirementResult>;
}
