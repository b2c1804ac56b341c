import type { ConnectionId } from '../../shared/model/ids.ts';
import type { Failure } from '../../shared/errors.ts';
import type { OfficeTask } from '../../shared/contract/office/office.ts';

/**
 * The right to do a task for all computers of an office. It is lost when the office has a higher
 * number.
 */
export interface Lease {
  readonly task: Uint8Array;
  readonly number: number;
}

/** Identity of the work: equal on every computer that would do the same work. */
interface FolderPurpose {
  readonly terms: object;
  readonly connections: readonly ConnectionId[];
  /** IDs of the current items: two computers may have different rights on the same service. */
  readonly items: () => Promise<readonly string[]>;
}

export interface FolderOrder {
  readonly kind: OfficeTask['kind'];
  /** Path of an existing folder, as the system writes it. */
  readonly folder: string;
  /** Shown to users. */
  readonly title: string;
  /** Null for work that never completes. */
  readonly what: FolderPurpose | null;
  /** How long the work has been due (ms); null if a user requested it now. */
  readonly dueFor: number | null;
}

export interface FolderTurn {
  /** Aborted when another computer takes over. */
  readonly signal: AbortSignal;
  /** Why the turn was lost, as far as known; null while this computer has it. */
  failure(): Failure | null;
  /** To be called before permanent writes. Throws 'conflict' with 'lease-lost'. */
  require(): Promise<void>;
  /** Reports the work as complete: other computers need not do it. */
  done(): Promise<void>;
  end(): Promise<void>;
}

/** Another member did the work, or does it now or soon. */
export interface TakenTurn {
  readonly isOurs: false;
  readonly why: 'done' | 'later';
  /** Name of the other member. */
  readonly seat: string;
}

/** `turn` is null if this computer is not in an office. */
export type Entered = { readonly isOurs: true; readonly turn: FolderTurn | null } | TakenTurn;

/** Ensures that only one computer of an office works in a folder at a time. */
export interface FolderTurns {
  /**
   * Throws 'conflict' with 'task-elsewhere' if a user requested the work and another computer does
   * it. Also throws the errors of file access.
   */
  enter(order: FolderOrder): Promise<Entered>;
}
