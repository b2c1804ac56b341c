import type { EvidenceEntry, EvidenceQuery } from '../../../shared/contract/evidence.ts';
import type { AgreementId, ConnectionId } from '../../../shared/model/ids.ts';

/** A stored entry: the exact text that was hashed. */
export interface StoredEvidence {
  /** Position; must match the number in the entry. */
  readonly number: number;
  readonly text: string;
  readonly hash: string;
}

export interface EvidencePlace {
  readonly entries: number;
  /** Hash of the entry with that number; empty before the first. */
  readonly hash: string;
}

/** End of a log, as stored in another place. */
interface NotedEvidenceEnd extends EvidencePlace {
  /** Name of the log at that time. */
  readonly log: string;
  /** Epoch milliseconds, by the clock of that place. */
  readonly at: number;
}

/** A place besides the folder where ends of logs are stored. Throws 'offline'. */
export interface ExternalEvidenceEnds {
  /** False if this computer has no such place. */
  note(log: string, end: EvidencePlace): Promise<boolean>;
  /** Ends of these logs, oldest first. */
  read(logs: readonly string[]): Promise<readonly NotedEvidenceEnd[]>;
}

/** Append-only. Every method commits to disk before it returns. */
export interface EvidenceStore {
  last(): StoredEvidence | null;
  at(number: number): StoredEvidence | null;
  /** Reads the last entry in the same transaction: another process may write too. */
  append(make: (last: StoredEvidence | null) => StoredEvidence): StoredEvidence;
  /** Newest first; skips unreadable entries, which `verify` reports. */
  list(query: EvidenceQuery): readonly EvidenceEntry[];
  count(query: Pick<EvidenceQuery, 'key' | 'from' | 'to'>): number;
  /** Connections with entries about this agreement. */
  connectionsOf(id: AgreementId): readonly ConnectionId[];
  /** In number order, in portions. */
  walk(): Iterable<StoredEvidence>;
  /** Intents without an outcome, and those whose last outcome is `unknown`. */
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
