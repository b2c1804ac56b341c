import type {
  AgreementFilter,
  AgreementGroup,
  AgreementKeys,
  AgreementQuery,
  AgreementSlice,
  AgreementView,
  AgreementKeySlice,
  OptionalRowPart,
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
import type { RetirementResult, Retirement } from '../sync/ports.ts';

/** Queries of lists. `now` is epoch ms; the counters depend on it. */
export interface AgreementLists {
  list(query: AgreementQuery, now: number): AgreementPage;
  window(stretch: AgreementSlice, now: number): AgreementWindow;
  groups(view: AgreementView, now: number): AgreementGroup[];
  /** Returns the index of the agreement in the view; null if the agreement does not match. */
  position(view: AgreementView, key: AgreementKey, now: number): number | null;
  keys(stretch: AgreementKeySlice, now: number): AgreementKeys;
  /** Row numbers (see `rows`) of all matches, in order, as one snapshot. */
  numbers(view: AgreementView, now: number): Uint32Array;
  /** Returns the current rows in the order of `numbers`, without forgotten ones. */
  rows(numbers: Uint32Array, more?: readonly OptionalRowPart[]): Agreement[];
  /** Returns the rows that have a local copy, in the order of `keys`. */
  named(keys: readonly AgreementKey[], more: readonly OptionalRowPart[]): Agreement[];
  count(filter: AgreementFilter, now: number): number;
  counts(connectionId: ConnectionId | undefined, now: number): AgreementCounts;
  /**
   * Returns the copies that `retire` would remove, and the number of kept copies, each counted
   * under its first reason.
   */
  retirable(before: number): RetirableCounts;
}

/** `AgreementLists` on another thread, so that the window stays responsive. */
export type AgreementReader = {
  readonly [Question in keyof AgreementLists]: (
    ...asked: Parameters<AgreementLists[Question]>
  ) => Promise<ReturnType<AgreementLists[Question]>>;
};

interface RetirableCounts {
  readonly number: number;
  readonly bytes: number;
  /** Closing time of the agreement that was closed earliest (epoch ms). */
  readonly oldest: number | null;
  readonly younger: number;
  readonly unsettled: number;
  readonly notArchived: number;
}

interface SentElsewhereQuery {
  readonly connectionId: ConnectionId;
  readonly title: string;
  /** For API v2: also finds agreements with a short suffix after the title, such as a code. */
  readonly isCoded: boolean;
  /** Number of parties. Agreements with unknown parties are found too. */
  readonly partyCount: number;
  /** Earliest time of sending (epoch ms). Agreements with an unknown time are found too. */
  readonly since: number;
}

/** An agreement, and the names of its parties if the service has reported them. */
interface NamedAgreement {
  readonly id: AgreementId;
  readonly title: string;
  readonly parties: readonly string[] | null;
}

interface OtherCompanies {
  readonly count: number;
  /** Numbers of the companies that these agreements name, the most frequent first. */
  readonly orgNos: readonly string[];
}

export interface AgreementStore extends AgreementLists {
  /**
   * Upserts agreements; null values in `remote` keep the stored ones. Returns the number of rows
   * changed. A forgotten agreement that is received unchanged stays forgotten.
   */
  put(
    connectionId: ConnectionId,
    api: ApiName,
    remote: readonly RemoteAgreement[],
    readAt: number,
  ): number;
  /**
   * Until `endBulk`, `put` postpones the search index, which makes `put` several times faster;
   * lists and searches stay correct but are slower. May be nested.
   */
  beginBulk(): void;
  endBulk(): void;
  /**
   * Completes part of the search index (after a bulk, a crash or an upgrade) until `isOver`, or for
   * a few milliseconds; returns true once the index is complete.
   */
  buildIndex(isOver?: () => boolean): boolean;
  /** Throws 'not-found'. */
  details(key: AgreementKey): AgreementDetails;
  find(id: AgreementId): readonly AgreementKey[];
  /** Agreements with this tag value under `desk.ref`. */
  withRef(connectionId: ConnectionId, ref: OutboxRef): readonly AgreementId[];
  /**
   * Returns the agreements with this title that do not come from an outbox row of this computer.
   */
  sentElsewhere(query: SentElsewhereQuery): readonly NamedAgreement[];
  markGone(key: AgreementKey, gone: 'deleted' | 'no-access'): void;
  /**
   * Sets the template of agreements, which API v2 does not include in lists. Ignores unknown ids.
   */
  setTemplate(connectionId: ConnectionId, templateId: string, ids: readonly string[]): void;
  /** Returns the agreements with a company party of ours that can be signed through the API. */
  signable(connectionId: ConnectionId | undefined): readonly AgreementDetails[];
  /**
   * Finds the party of our company again in the open agreements of API v2, after the number of our
   * company was changed; null offers every company. Returns the number of agreements read.
   */
  recogniseCompany(connectionId: ConnectionId, orgNo: string | null): number;
  /**
   * Open agreements of API v2 that name companies, if no agreement of the connection names our
   * number: the number may be wrong. Agreements that this program sent do not count.
   */
  otherCompanies(connectionId: ConnectionId, orgNo: string): OtherCompanies;
  /**
   * Returns these keys and the keys of the same agreements through other connections to their
   * service.
   */
  copiesOf(keys: readonly AgreementKey[]): readonly AgreementKey[];
  /**
   * Removes copies; returns the number removed. Archive, journals and evidence are kept. The copies
   * return through no connection to the service until the agreements change there.
   */
  forget(keys: readonly AgreementKey[], at: number): number;
  /**
   * Checks some closed copies and removes those no longer needed. Never removes a copy that is
   * open, signed but not archived, archived since the connection was last read, or not settled on
   * this computer.
   */
  retire(retirement: Retirement): RetirementResult;
  storage(): AgreementStorage;
}
