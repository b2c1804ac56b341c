import type { ConnectionId } from '../../shared/model/ids.ts';
import type { Failure } from '../../shared/errors.ts';
import type { OfficeTask } from '../../shared/contract/office/office.ts';

/**
 * The right to do a task for all computers of an office. The computer has lost this right if the
 * office has a higher number for the task.
 */
export interface Lease {
  readonly task: Uint8Array;
  readonly number: number;
}

/** Identity of the work in a folder; it is equal on every computer that would do the same work. */
interface FolderPurpose {
  readonly terms: object;
  readonly connections: readonly ConnectionId[];
  /**
   * Returns the IDs of the items that this computer sees; two computers may have different rights
   * on the same service.
   */
  readonly items: () => Promise<readonly string[]>;
}

export interface FolderWorkRequest {
  readonly kind: OfficeTask['kind'];
  /** Path of an existing folder, in the system's own spelling. */
  readonly folder: string;
  /** Title of the work, shown to users. */
  readonly title: string;
  /** Identity of the work; null for work that is never complete. */
  readonly what: FolderPurpose | null;
  /** How long the work has been due (ms); null if a user requested it now. */
  readonly dueFor: number | null;
}

export interface FolderTurn {
  /** Signal that aborts when another computer takes over the work. */
  readonly signal: AbortSignal;
  /** Returns why this computer lost the turn, as far as known; null while it has the turn. */
  failure(): Failure | null;
  /**
   * Checks that this computer still has the turn; to be called before permanent writes. Throws
   * 'conflict' with 'lease-lost'.
   */
  require(): Promise<void>;
  /** Reports the work as complete: other computers need not do it. */
  done(): Promise<void>;
  end(): Promise<void>;
}

/** Result if another member of the office did the work, is doing it, or will do it soon. */
export interface TurnElsewhere {
  readonly isOurs: false;
  readonly why: 'done' | 'later';
  /** Name of the other member. */
  readonly seat: string;
}

/** Result of `enter`; `turn` is null if this computer is not in an office. */
export type FolderTurnResult =
  | { readonly isOurs: true; readonly turn: FolderTurn | null }
  | TurnElsewhere;

/** Ensures that only one computer of an office works in a folder at a time. */
export interface FolderTurns {
  /**
   * Takes the turn for the work, if no other computer has it. Throws 'conflict' with
   * 'task-elsewhere' if a user requested the work now and another computer is doing it. Also throws
   * the errors of file access.
   */
  enter(order: FolderWorkRequest): Promise<FolderTurnResult>;
}
