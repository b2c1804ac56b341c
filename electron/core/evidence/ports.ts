import type { EvidenceEntry, EvidenceQuery } from '../../../shared/contract/evidence.ts';
import type { AgreementId, ConnectionId } from '../../../shared/model/ids.ts';

/** A stored entry, with the exact text that was hashed. */
export interface StoredEvidence {
  /** Position of the entry in the log; must match the number in its text. */
  readonly number: number;
  readonly text: string;
  readonly hash: string;
}

/** Position in a log. */
export interface EvidencePlace {
  readonly entries: number;
  /** Hash of the entry with the number `entries`; empty if `entries` is 0. */
  readonly hash: string;
}

/** End of a log, as stored outside of this computer. */
interface NotedEvidenceEnd extends EvidencePlace {
  /** Name of the log at that time. */
  readonly log: string;
  /** Time at which the end was stored (epoch ms), by the clock of the storing location. */
  readonly at: number;
}

/** Location besides the office's folder that stores ends of logs. Its methods throw 'offline'. */
export interface ExternalEvidenceEnds {
  /** Stores an end of a log. Returns false if this computer has no such external location. */
  note(log: string, end: EvidencePlace): Promise<boolean>;
  /** Returns the stored ends of these logs, oldest first. */
  read(logs: readonly string[]): Promise<readonly NotedEvidenceEnd[]>;
}

/** Store to which entries can only be added. Every method commits to disk before it returns. */
export interface EvidenceStore {
  last(): StoredEvidence | null;
  at(number: number): StoredEvidence | null;
  /** Adds an entry. Reads the last entry in the same transaction: another process may write too. */
  append(make: (last: StoredEvidence | null) => StoredEvidence): StoredEvidence;
  /** Returns entries, newest first; skips unreadable entries, which `verify` reports. */
  list(query: EvidenceQuery): readonly EvidenceEntry[];
  count(query: Pick<EvidenceQuery, 'key' | 'from' | 'to'>): number;
  /** Connections with entries about this agreement. */
  connectionsOf(id: AgreementId): readonly ConnectionId[];
  /** Yields all entries in the order of their numbers; reads them in portions. */
  walk(): Iterable<StoredEvidence>;
  /** Intents without an outcome, and intents whose last outcome is `unknown`. */
  openIntents(): readonly EvidenceEntry[];
  /** Entries for restorations of all data, oldest first. */
  restorations(): readonly EvidenceEntry[];
  /**
   * Last entry that shows whether this computer was deactivated by a move or reactivated; null if
   * there is none.
   */
  lastMove(): EvidenceEntry | null;
  /** Entries for one row of the outbox or of the journal of actions, oldest first. */
  ofRef(ref: string): readonly EvidenceEntry[];
  /**
   * Head last stored outside the data file; 0 entries if the log was started but not stored yet.
   * Null if the log is empty, or was started by a version without this record.
   */
  noted(): EvidencePlace | null;
  setNoted(place: EvidencePlace): void;
}

/** User account, computer and program, recorded in each entry. */
export interface Origin {
  readonly user: string;
  readonly computer: string;
  readonly program: string;
}

/** Renders a statement as a PDF. */
export interface StatementPrinter {
  print(statement: Statement): Promise<Uint8Array>;
}

/** A readable report: headings with rows of name and value. */
export interface Statement {
  readonly title: string;
  readonly lead: readonly string[];
  readonly parts: readonly StatementPart[];
}

export interface StatementPart {
  readonly heading: string;
  readonly rows: readonly (readonly [name: string, value: string])[];
}
