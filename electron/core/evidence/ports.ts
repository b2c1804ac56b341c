import type { EvidenceEntry, EvidenceQuery } from '../../../shared/contract/evidence.ts';
import type { AgreementId, ConnectionId } from '../../../shared/model/ids.ts';

/** An entry as it is stored: the text that was hashed, to the byte. */
export interface StoredEvidence {
  /** Where it stands; the entry says so too, and both must agree. */
  readonly number: number;
  readonly text: string;
  readonly hash: string;
}

/** Where the log stood once. */
export interface EvidencePlace {
  readonly entries: number;
  /** Of the entry with that number; empty before the first. */
  readonly hash: string;
}

/** Where a log ended, as it was noted at another place. */
interface NotedEnd extends EvidencePlace {
  /** What the log was called then. */
  readonly log: string;
  /** Epoch milliseconds, by the clock of that place. */
  readonly at: number;
}

/** A place beside the folder where word is left of where logs ended. Throws 'offline'. */
export interface EndsElsewhere {
  /** False where this desk has no such place. */
  note(log: string, end: EvidencePlace): Promise<boolean>;
  /** Of these logs, oldest first. */
  read(logs: readonly string[]): Promise<readonly NotedEnd[]>;
}

/** Only grows. Every method commits to disk before it returns. */
export interface EvidenceStore {
  last(): StoredEvidence | null;
  at(number: number): StoredEvidence | null;
  /** In one transaction with reading the last entry: another process may write too. */
  append(make: (last: StoredEvidence | null) => StoredEvidence): StoredEvidence;
  /** Newest first; entries that cannot be read are left to `verify`. */
  list(query: EvidenceQuery): readonly EvidenceEntry[];
  count(query: Pick<EvidenceQuery, 'key' | 'from' | 'to'>): number;
  /** Connections through which something was written of this agreement. */
  connectionsOf(id: AgreementId): readonly ConnectionId[];
  /** In the order of their numbers, some at a time. */
  walk(): Iterable<StoredEvidence>;
  /** Intents to which no ending was written, and those whose last ending is `unknown`. */
  openIntents(): readonly EvidenceEntry[];
  /** Entries of the times when all the data was restored, oldest first. */
  restorations(): readonly EvidenceEntry[];
  /** The last entry that says whether this computer rests since it moved, or goes on; null for none. */
  lastMove(): EvidenceEntry | null;
  /** What was written of one row of the outbox or of the journal of actions, oldest first. */
  ofRef(ref: string): readonly EvidenceEntry[];
  /**
   * How far the log had come when that was last noted outside of the data file; 0 entries when it
   * was begun and not noted yet. Null: empty, or begun by a version that did not keep this.
   */
  noted(): EvidencePlace | null;
  setNoted(place: EvidencePlace): void;
}

/** On whose account the program runs; noted in each entry. */
export interface Origin {
  readonly user: string;
  readonly computer: string;
  readonly program: string;
}

/** Lays out a statement as a PDF. */
export interface StatementPrinter {
  print(statement: Statement): Promise<Uint8Array>;
}

/** A readable account: headings with rows of a name and a value. */
export interface Statement {
  readonly title: string;
  readonly lead: readonly string[];
  readonly parts: readonly StatementPart[];
}

export interface StatementPart {
  readonly heading: string;
  readonly rows: readonly (readonly [name: string, value: string])[];
}
