import type { AgreementId, ApiName, ConnectionId } from '../../../shared/model/ids.ts';
import type { RemoteAgreement } from '../../../shared/model/agreement.ts';

/** Where a page lies in its listing; what the numbers mean is the service's affair. */
export interface PagePlace {
  /** Null is the first page. */
  readonly position: number | null;
  /** Pages up to this one, itself included. */
  readonly pages: number;
}

/** A reading of everything that has not come to its end. */
export interface FullReading {
  /** When it began, by the clock here. */
  readonly startedAt: number;
  /** The server's time when it began; null until a page was read, or where the service gives none. */
  readonly serverTime: number | null;
  /** How many there were when it began; null where the service does not count. */
  readonly total: number | null;
  /** The last page that is stored; null before the first. */
  readonly place: PagePlace | null;
}

/** The service's number of open agreements beside the number here, when the two were last compared. */
export interface OpenCount {
  /** When the service's list of them was last read, by the clock here. */
  readonly sweptAt: number;
  readonly count: number;
  /** What the service counts and does not list, or the other way round; mostly 0. */
  readonly difference: number;
}

/** How far the copy of each connection is. Instants are epoch milliseconds of the clock here. */
export interface SyncStore {
  full(id: ConnectionId): FullReading | null;
  saveFull(id: ConnectionId, reading: FullReading): void;
  /** The reading that began at `startedAt` has received everything there is. */
  endFull(id: ConnectionId, startedAt: number): void;
  /**
   * A reading that was half done begins anew, and so does that of a service which was read up to a time after `now`:
   * somebody else wrote how far it came.
   */
  readAnew(now: number): void;
  openCount(id: ConnectionId): OpenCount | null;
  saveOpenCount(id: ConnectionId, count: OpenCount): void;
  /** How many of these there is a copy of. */
  known(id: ConnectionId, agreements: readonly string[]): number;
  /** How many copies the service listed at `at` or later. */
  countSeenSince(id: ConnectionId, at: number): number;
  /** The same, of those that wait for signatures. */
  countOpenSeenSince(id: ConnectionId, at: number): number;
  /**
   * Copies that may be out of date without any list saying so, oldest first: missing from the last
   * full reading, missing from the last list of open ones, expired or deleted by the clock here.
   * What the service says is gone is left out.
   */
  possiblyStale(id: ConnectionId, now: number, limit: number): readonly AgreementId[];
}

/** One reply of the service. The same page may come again. */
export interface CopyPage {
  readonly connectionId: ConnectionId;
  readonly api: ApiName;
  readonly items: readonly RemoteAgreement[];
  /** By the clock here, epoch milliseconds. */
  readonly readAt: number;
  /** How far a reading of everything is with this page; written with the last of it. */
  readonly full: FullReading | null;
}

/** How many copies are new, and how many are new or different. */
export interface Written {
  readonly added: number;
  readonly changed: number;
}

/** Closed agreements that the copy may let go. */
export interface Retirement {
  /** They closed before this, epoch milliseconds. */
  readonly before: number;
  /** Where the step before ended; null: from the oldest on. */
  readonly after: RetirementPlace | null;
  /** How many are looked at: most may have to stay. */
  readonly limit: number;
  readonly at: number;
}

/** The last of them that was looked at, in the order in which they closed. */
export interface RetirementPlace {
  readonly doneAt: number;
  readonly row: number;
}

export interface Retired {
  readonly removed: number;
  /** Null once all were looked at. */
  readonly next: RetirementPlace | null;
}

/**
 * Writes copies of agreements where nobody waits for it, in the order in which they are given. Each
 * promise rejects with what `AgreementStore.put` throws.
 */
export interface CopyWriter {
  /** Resolves once all of the page is committed, its reading with it. */
  store(page: CopyPage): Promise<Written>;
  /** As in `AgreementStore`, for what is stored from now on. */
  beginBulk(): void;
  endBulk(): void;
  /** As in `AgreementStore`. */
  buildIndex(): Promise<boolean>;
  /** As in `AgreementStore`. */
  retire(retirement: Retirement): Promise<Retired>;
}
