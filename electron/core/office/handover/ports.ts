import type { OfficeUserId } from '../../../../shared/contract/office/office.ts';
import type { HandoverKind } from '../../../../shared/contract/office/handovers.ts';

/** An item that one user hands over to another, with a note. */
export interface Handover {
  readonly id: string;
  readonly kind: HandoverKind;
  readonly from: OfficeUserId;
  readonly to: OfficeUserId;
  /** Null if this computer cannot read it. */
  readonly title: string | null;
  readonly note: string;
  /** Time of the handover (epoch ms by the office's clock). */
  readonly givenAt: number;
}

interface HandoverRequest extends Pick<Handover, 'id' | 'kind' | 'to' | 'note'> {
  readonly title: string;
  /** ID of the item. */
  readonly what: string;
  /** Revision of the item. The same revision is handed over only once. */
  readonly revision: number;
  readonly data: Uint8Array;
}

/** Handovers in the office. Every method throws 'offline' if the office is unreachable. */
export interface OfficeHandovers {
  /**
   * Hands an item over and returns the ID of the handover. If this revision of the item was handed
   * over before, returns the ID of that handover.
   */
  give(order: HandoverRequest): Promise<string>;
  /**
   * Returns handovers to this user, and handovers from this user that are not accepted yet; oldest
   * first.
   */
  list(): Promise<readonly Handover[]>;
  /** Reads the data of a handover. Throws 'not-found' if the handover no longer waits. */
  read(id: string): Promise<Uint8Array>;
  /** Accepts a handover and removes its data. Returns false if it was accepted before. */
  take(id: string): Promise<boolean>;
  /**
   * Returns, for handovers with these IDs, the accepted ones with the user who accepted them
   * (`taken`), and the ones that the office does not know (`unknown`).
   */
  ended(ids: readonly string[]): Promise<{
    readonly taken: ReadonlyMap<string, OfficeUserId>;
    readonly unknown: readonly string[];
  }>;
}

/** A handover from this computer, even if only attempted, until the other user accepts it. */
export interface HandedOverItem {
  /** ID of the handover. */
  readonly id: string;
  readonly kind: HandoverKind;
  readonly what: string;
  readonly title: string;
  readonly data: Uint8Array;
  readonly at: number;
  /** Revision in the request, until the office replies; null once the item is in the office. */
  readonly asked: number | null;
}
