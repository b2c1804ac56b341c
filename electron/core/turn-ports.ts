import type { ConnectionId } from '../../shared/model/ids.ts';
import type { Failure } from '../../shared/errors.ts';
import type { OfficeTask } from '../../shared/contract/office/office.ts';

/** The right to do a task for all desks of an office. It is lost once the number there is a higher one. */
export interface Lease {
  readonly task: Uint8Array;
  readonly number: number;
}

/** What is the same wherever the same is to be done. */
interface FolderPurpose {
  readonly terms: object;
  readonly connections: readonly ConnectionId[];
  /** Ids of all that it is about now: two desks may reach one service with other rights. */
  readonly items: () => Promise<readonly string[]>;
}

/** What is to be done in a folder. */
export interface FolderOrder {
  readonly kind: OfficeTask['kind'];
  /** As the system writes it; it is there. */
  readonly folder: string;
  /** For people. */
  readonly title: string;
  /** Null for what is never done in whole. */
  readonly what: FolderPurpose | null;
  /** Milliseconds since it has been due; null: a person asks for it now. */
  readonly dueFor: number | null;
}

/** A folder that this desk works in. */
export interface FolderTurn {
  /** Aborted once another desk works there. */
  readonly signal: AbortSignal;
  /** Why it is this desk's no more, as far as is known; null while it is. */
  failure(): Failure | null;
  /** Before anything is written for good. Throws 'conflict' with 'lease-lost'. */
  require(): Promise<void>;
  /** All that was to be done is done: other desks need not. */
  done(): Promise<void>;
  end(): Promise<void>;
}

/** Another seat did it, or does it now or soon. */
export interface NotOurs {
  readonly isOurs: false;
  readonly why: 'done' | 'later';
  /** Its name. */
  readonly seat: string;
}

/** `turn` null: for a desk in no office. */
export type Entered = { readonly isOurs: true; readonly turn: FolderTurn | null } | NotOurs;

/** One desk of an office works in a folder at a time. */
export interface FolderTurns {
  /** Throws 'conflict' with 'task-elsewhere' where a person asks, and another desk works there; and as files do. */
  enter(order: FolderOrder): Promise<Entered>;
}
