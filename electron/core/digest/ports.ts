import type { Party } from '../../../shared/model/agreement.ts';
import type { AgreementKey } from '../../../shared/model/ids.ts';
import type { DigestKind } from '../../../shared/contract/digest.ts';

/**
 * Positions of the daily summaries. Numbers count ended agreements in the order in which this
 * computer noticed them.
 */
export interface DigestBounds {
  /** Times of the last summary and of the one before it (epoch ms). */
  readonly takenAt: number;
  readonly before: number | null;
  /** Agreements after this number are in the last summary or in the next. */
  readonly since: number;
  /** Agreements after this number are in the next summary. */
  readonly until: number;
}

/** An agreement that ended while it was watched here, or that will expire. */
export interface DigestRow {
  readonly key: AgreementKey;
  readonly kind: DigestKind;
  readonly title: string;
  readonly partyNames: readonly string[];
  readonly at: number | null;
}

export interface DigestRows {
  readonly counts: ReadonlyMap<DigestKind, number>;
  /** Latest rows, at most as many as requested. */
  readonly rows: readonly DigestRow[];
}

/** A party of an open agreement whose messages bounced, as marked by the user. */
export interface BouncedParty {
  readonly key: AgreementKey;
  readonly title: string;
  /** Party in the current local copy; null if the service returned no parties. */
  readonly party: Pick<Party, 'name' | 'state' | 'email' | 'mobile'> | null;
  /** Hash of the address that bounced. */
  readonly addressHash: string | null;
}

export interface DigestStore {
  place(): DigestBounds | null;
  savePlace(place: DigestBounds): void;
  /** Returns the number of the agreement that ended last; 0 if there is none. */
  last(): number;
  /**
   * Returns the agreements of existing connections that ended after `since`. Excludes copies that
   * are gone or have changed state after that. Counts at most the latest 10,000.
   */
  ended(since: number, limit: number): DigestRows;
  /** Returns the open agreements that expire from `from` up to `to`, earliest first. */
  expiring(from: number, to: number, limit: number): DigestRows;
  /**
   * Returns the parties whose messages bounced, by title; includes parties whose address has
   * changed after that.
   */
  bounced(): readonly BouncedParty[];
  /** Removes ended agreements up to `number`. */
  trim(number: number): void;
}
