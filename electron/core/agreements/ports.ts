import type {
  AgreementFilter,
  AgreementGroup,
  AgreementKeys,
  AgreementQuery,
  AgreementStretch,
  AgreementView,
  KeyStretch,
  RowMore,
} from '../../../shared/contract/agreement-query.ts';
import type {
  Agreement,
  AgreementCounts,
  AgreementDetails,
  AgreementPage,
  AgreementStorage,
  AgreementWindow,
} from '../../../shared/contract/agreements.ts';
import type {
  AgreementId,
  AgreementKey,
  ApiName,
  ConnectionId,
  OutboxRef,
} from '../../../shared/model/ids.ts';
import type { RemoteAgreement } from '../../../shared/model/agreement.ts';
import type { Retired, Retirement } from '../sync/ports.ts';

/** What lists ask. `now` is epoch milliseconds; the counters depend on it. */
export interface AgreementLists {
  list(query: AgreementQuery, now: number): AgreementPage;
  window(stretch: AgreementStretch, now: number): AgreementWindow;
  groups(view: AgreementView, now: number): AgreementGroup[];
  /** Null when the agreement does not match. */
  position(view: AgreementView, key: AgreementKey, now: number): number | null;
  keys(stretch: KeyStretch, now: number): AgreementKeys;
  /** All that match, in order and of one moment, by the numbers that `rows` takes. */
  numbers(view: AgreementView, now: number): Uint32Array;
  /** As they are now, in this order; without those that were forgotten. */
  rows(numbers: Uint32Array, more?: readonly RowMore[]): Agreement[];
  /** Those of which there is a copy, in this order. */
  named(keys: readonly AgreementKey[], more: readonly RowMore[]): Agreement[];
  /** How many match. */
  count(filter: AgreementFilter, now: number): number;
  counts(connectionId: ConnectionId | undefined, now: number): AgreementCounts;
  /** What `retire` would let go, and how many it leaves, each by its first reason. */
  retirable(before: number): Retirable;
}

/** The same, answered beside the loop that asks, so that the window goes on meanwhile. */
export type AgreementReader = {
  readonly [Question in keyof AgreementLists]: (
    ...asked: Parameters<AgreementLists[Question]>
  ) => Promise<ReturnType<AgreementLists[Question]>>;
};

/** Of closed agreements. */
interface Retirable {
  readonly number: number;
  readonly bytes: number;
  /** When the one closed that closed first. */
  readonly oldest: number | null;
  readonly younger: number;
  readonly unsettled: number;
  readonly notArchived: number;
}

interface SentElsewhereQuery {
  readonly connectionId: ConnectionId;
  readonly title: string;
  /** v2: also those whose name has something short behind the title, as a code is. */
  readonly isCoded: boolean;
  /** Those that name so many parties, or whose parties are not known. */
  readonly partyCount: number;
  /** Sent since then, or at an unknown time. */
  readonly since: number;
}

/** An agreement, and the names of its parties where the service has told them. */
interface NamedAgreement {
  readonly id: AgreementId;
  readonly title: string;
  readonly parties: readonly string[] | null;
}

export interface AgreementStore extends AgreementLists {
  /**
   * Inserts or updates; parts that are null in `remote` keep what is stored. Returns how many rows
   * changed. What was forgotten and is received unchanged stays forgotten.
   */
  put(
    connectionId: ConnectionId,
    api: ApiName,
    remote: readonly RemoteAgreement[],
    readAt: number,
  ): number;
  /**
   * Until `endBulk`, `put` leaves the search index for later, which is several times faster; lists
   * and searches are right meanwhile, and slower. May be nested.
   */
  beginBulk(): void;
  endBulk(): void;
  /**
   * Does some of what the search index lacks, after a bulk, a crash or an upgrade, until `isOver`, or
   * for a few milliseconds; true once it lacks nothing.
   */
  buildIndex(isOver?: () => boolean): boolean;
  /** Throws 'not-found'. */
  details(key: AgreementKey): AgreementDetails;
  find(id: AgreementId): readonly AgreementKey[];
  /** Agreements carrying this tag value under `desk.ref`. */
  withRef(connectionId: ConnectionId, ref: OutboxRef): readonly AgreementId[];
  /** Agreements of one title that nothing in the outbox here became. */
  sentElsewhere(query: SentElsewhereQuery): readonly NamedAgreement[];
  markGone(key: AgreementKey, gone: 'deleted' | 'no-access'): void;
  /** v2 names the template of an agreement in no list: here it is given. Unknown ids are ignored. */
  setTemplate(connectionId: ConnectionId, templateId: string, ids: readonly string[]): void;
  /** Those with a company party of ours that can sign through the API. */
  signable(connectionId: ConnectionId | undefined): readonly AgreementDetails[];
  /** These, and the copies of the same agreements through other connections to their service. */
  copiesOf(keys: readonly AgreementKey[]): readonly AgreementKey[];
  /**
   * Takes copies away; returns how many there were. Archive, journals and evidence stay. They come back through no
   * connection to their service until they change there.
   */
  forget(keys: readonly AgreementKey[], at: number): number;
  /**
   * Looks at some closed copies and takes away those that are done with. Never those that are open, signed
   * but not archived, archived since the connection was last read, or not settled here.
   */
  retire(retirement: Retirement): Retired;
  storage(): AgreementStorage;
}
