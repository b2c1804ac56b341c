import type { HandoverItem } from '../../../../shared/contract/office/handovers.ts';
import type { OpenOffice } from '../ports.ts';

/** What leaves this desk. */
interface Packed {
  /** What is given in the end, where this desk made another one of it. */
  readonly id: string;
  readonly title: string;
  /** The same one is given once. */
  readonly revision: number;
  readonly data: Uint8Array;
}

/** What arrived at this desk. */
interface Unpacked {
  readonly what: HandoverItem;
  /** Another desk of the seat was faster. */
  undo(): void;
}

/** How one kind goes from seat to seat. Throws 'conflict' where it cannot leave now. */
export interface HandoverAdapter {
  /** Whether anything in it is, or may be, a personal number. */
  hasPersonNumbers(id: string): Promise<boolean>;
  pack(id: string, office: OpenOffice): Promise<Packed>;
  /** It waits in the office, whole: what is here goes. */
  given(packed: Packed): void;
  /** `office` null: it cannot be asked. Null: nothing of it is left to take. */
  unpack(data: Uint8Array, office: OpenOffice | null): Promise<Unpacked | null>;
  /** The other seat has it. */
  taken(id: string, seat: string): void;
}
