import type { HandoverItem } from '../../../../shared/contract/office/handovers.ts';
import type { OpenOffice } from '../ports.ts';

interface PackedHandover {
  /** ID of the item; differs from the requested one if a new item was created for the handover. */
  readonly id: string;
  readonly title: string;
  /** Revision of the item. The same revision is handed over only once. */
  readonly revision: number;
  readonly data: Uint8Array;
}

interface UnpackedHandover {
  readonly what: HandoverItem;
  /** Called if another computer of the user accepted the item first. */
  undo(): void;
}

/** Handover of one kind of item. Throws 'conflict' if the item cannot be handed over now. */
export interface HandoverAdapter {
  hasPersonNumbers(id: string): Promise<boolean>;
  pack(id: string, office: OpenOffice): Promise<PackedHandover>;
  /** Called when the complete item is in the office; removes it from this computer. */
  given(packed: PackedHandover): void;
  /**
   * Accepts an item. `office` is null if the office is unreachable. Returns null if there is
   * nothing left to accept.
   */
  unpack(data: Uint8Array, office: OpenOffice | null): Promise<UnpackedHandover | null>;
  /** Called when the other user has accepted the item. */
  taken(id: string, seat: string): void;
}
