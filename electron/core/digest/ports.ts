import type { Party } from '../../../shared/model/agreement.ts';
import type { AgreementKey } from '../../../shared/model/ids.ts';
import type { DigestKind } from '../../../shared/contract/digest.ts';

/** How far the digests are. Numbers count what ended, in the order in which it was noticed here. */
export interface DigestPlace {
  /** When the last digest was given, and the one before it; epoch milliseconds. */
  readonly takenAt: number;
  readonly before: number | null;
  /** What is beyond this number stands in the last digest or in the next. */
  readonly since: number;
  /** What is beyond this number stands in the next. */
  readonly until: number;
}

/** An agreement that ended while it was watched here, or is going to expire. */
export interface DigestRow {
  readonly key: AgreementKey;
  readonly kind: DigestKind;
  readonly title: string;
  readonly partyNames: readonly string[];
  readonly at: number | null;
}

export interface DigestRows {
  /** All, by kind. */
  readonly counts: ReadonlyMap<DigestKind, number>;
  /** The latest, as many as were asked for. */
  readonly rows: readonly DigestRow[];
}

/** A person said that messages to a party of an open agreement come back. */
export interface BouncedParty {
  readonly key: AgreementKey;
  readonly title: string;
  /** As the copy here has it now; null where the service gave no parties. */
  readonly party: Pick<Party, 'name' | 'state' | 'email' | 'mobile'> | null;
  /** Of where the messages came back from. */
  readonly addressHash: string | null;
}

export interface DigestStore {
  place(): DigestPlace | null;
  savePlace(place: DigestPlace): void;
  /** The number of what ended last; 0 when nothing did. */
  last(): number;
  /**
   * What ended beyond `since`, of connections that are still there. Copies that are gone, or are in
   * another state by now, are not among the rows, nor among the latest 10,000 that are counted.
   */
  ended(since: number, limit: number): DigestRows;
  /** Open agreements that expire from `from` up to `to`, the first of them first. */
  expiring(from: number, to: number, limit: number): DigestRows;
  /** By title; whoever has another address by now is among them. */
  bounced(): readonly BouncedParty[];
  /** Forgets up to `number` what ended. */
  trim(number: number): void;
}
