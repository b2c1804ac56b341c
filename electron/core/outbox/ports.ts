import type {
  AgreementId,
  BatchId,
  ConnectionId,
  DraftId,
  OutboxRef,
} from '../../../shared/model/ids.ts';
import type {
  BatchGate,
  Gate,
  GateKind,
  OutboxAttempt,
  OutboxBatch,
  OutboxItem,
  OutboxScan,
  OutboxState,
  OutboxStep,
  IncompleteReason,
} from '../../../shared/contract/outbox.ts';
import type { Failure } from '../../../shared/errors.ts';
import type { Place } from '../external-state-ports.ts';

/** What the outbox keeps of a row beside what people see of it. Times are epoch milliseconds. */
export interface RowTrack {
  /** By the service's clock: when the last attempt ended. Null until an answer showed that clock. */
  readonly endedAt: number | null;
  readonly cleanPasses: number;
  /** By the service's clock: when the last clean scan was made. */
  readonly cleanAt: number | null;
  /** Scans that proved nothing, in a row, and since when by the clock here. */
  readonly inconclusiveScans: number;
  readonly inconclusiveSince: number | null;
  /** How often the service was scanned for it, and when the next scan is due. */
  readonly looks: number;
  readonly lookAt: number | null;
}

/** A row as it is stored; `doubt` is worked out of its track. */
export interface StoredItem extends Omit<OutboxItem, 'doubt'> {
  readonly track: RowTrack;
  /** Raised by every write; a move names the one it was decided on. */
  readonly version: number;
  /** Hash over name, parties and document: equal for two sends of the same. */
  readonly fingerprint: string | null;
  /** The same as earlier versions of the program made it, where those were others. */
  readonly formerFingerprints: readonly string[];
  /** What it is whatever it says: names of which an office sends each once. */
  readonly once: readonly (readonly string[])[];
  /** Hash over the parties, as the service names them in its list. Null where it names none. */
  readonly parties: string | null;
}

/** Which party of which agreement signs, and by which of its ways. */
interface SignTarget {
  readonly agreementId: AgreementId;
  readonly partyId: string;
  readonly configurationId: string;
}

/** The request of an outbox row, frozen: the exact bytes, and where a signature goes. */
export interface FrozenRequest {
  readonly body: Uint8Array;
  readonly target: SignTarget | null;
  readonly signedAt: number | null;
}

export interface NewOutboxItem {
  readonly item: NewRow;
  readonly request: FrozenRequest;
  /** Earlier sends of the same that the person saw, as data for the journal: it goes out again. */
  readonly shown?: unknown;
  /** Files that go up before the request, which lacks their tokens; none when it is whole. */
  readonly uploads: readonly { readonly name: string; readonly data: Uint8Array }[];
}

/** A row before it is stored: what is not named here begins at nothing. */
export interface NewRow extends Pick<
  OutboxItem,
  'ref' | 'kind' | 'title' | 'connectionId' | 'people' | 'mark' | 'nextAt'
> {
  readonly remoteId?: AgreementId | null;
  readonly draftId?: DraftId | null;
  /** The spreadsheet's own number of the row. */
  readonly rowNo?: number | null;
  readonly isScheduled?: boolean;
  readonly supersedes?: OutboxRef | null;
  readonly fingerprint?: string | null;
  readonly formerFingerprints?: readonly string[];
  readonly once?: readonly (readonly string[])[];
  readonly parties?: string | null;
}

type NewOutboxBatch = Pick<
  OutboxBatch,
  'batchId' | 'connectionId' | 'title' | 'policy' | 'stopAfter'
>;

/** A file of an outbox row that goes up before its request. */
export interface OutboxUpload {
  /** Its index among the row's files, in the order of the request. */
  readonly place: number;
  readonly name: string;
  /** Null until the service has it. */
  readonly token: string | null;
}

/** What a move of an outbox row writes beside its state. */
export interface OutboxMove {
  readonly to: OutboxState;
  /** What moved it, for the journal: `person`, `answer`, `restart`, `sync` … */
  readonly cause: string;
  /** Who: the program itself unless named. */
  readonly actor?: string;
  /** What a person was shown when they decided, as data for the journal. */
  readonly shown?: unknown;
  readonly remoteId?: AgreementId;
  readonly reason?: Failure | null;
  readonly nextAt?: number | null;
  /** Null: a person says that it goes at once, whatever time was chosen before. */
  readonly chosenAt?: number | null;
  readonly verify?: boolean;
  readonly track?: Partial<RowTrack>;
  /** The attempt that ends here never left this computer. */
  readonly isUncounted?: boolean;
}

/** Keeps a send to one computer where several of an office could make it. */
export interface SendGuard {
  /** Before each attempt, with this credential: null when this desk may send it, else why not. */
  claim(item: StoredItem, credential: string): Promise<Failure | null>;
  /** Whether that was so recently enough that no other desk can have taken it over since. */
  isCurrent(ref: OutboxRef): boolean;
  /** A row was moved. */
  changed(ref: OutboxRef): void;
}

/** What is written before the first byte of an attempt leaves. */
export interface Claim {
  readonly at: number;
  /** The service's clock is not before this; its list is read from here on. */
  readonly floor: number;
  /** Fingerprint of the credential it goes out with. */
  readonly credential: string;
}

interface StoredAttempt extends OutboxAttempt {
  readonly floor: number;
  readonly credential: string;
}

interface NewScan extends Omit<OutboxScan, 'number'> {
  readonly connectionId: ConnectionId;
  readonly credential: string;
  /** By the service's clock. */
  readonly serverAt: number;
  readonly canary: OutboxRef | null;
  /** What it found, by row. */
  readonly hits: ReadonlyMap<OutboxRef, readonly Hit[]>;
}

/** From when on rows are watched for doubles, by how they ended. */
interface WatchSince {
  readonly sent: number;
  readonly abandoned: number;
}

export interface Suspect {
  readonly ref: OutboxRef;
  readonly remoteId: AgreementId;
}

export interface Hit {
  readonly remoteId: AgreementId;
  readonly title: string;
  readonly sentAt: number | null;
  readonly state: string;
  readonly isMarked: boolean;
}

/** What the data file must have in common with what is kept outside of it; see `OutboxEpoch`. */
export interface StoredEpoch {
  readonly current: number;
  /** The number that is being written outside. */
  readonly next: number | null;
  /** Where the data lay when it was written; null before versions that noted it. */
  readonly place: Place | null;
}

/** Hears what went out: for a create what it made, as far as the answer said; null for a signature. */
export type OnSent = (
  connectionId: ConnectionId,
  made: { readonly remoteId: AgreementId | null } | null,
) => void;

/** Every method commits to disk (`synchronous = FULL`) before it returns. */
export interface OutboxStore {
  /** Rows of no batch that are open or were changed since, newest first. */
  list(since: number): readonly StoredItem[];
  /** In the order of the spreadsheet. */
  inBatch(batchId: BatchId): readonly StoredItem[];
  inState(state: OutboxState): readonly StoredItem[];
  /** Throws 'not-found'. */
  get(ref: OutboxRef): StoredItem;
  request(ref: OutboxRef): FrozenRequest;

  insert(entry: NewOutboxItem, at: number): void;
  /**
   * The rows of a batch, which may be too large to be held together: staged rows are nowhere to be
   * seen, and `arm` makes them wait, all in one transaction, none of them for less than until
   * `notBefore`. Gives how many.
   */
  stage(batchId: BatchId, entry: NewOutboxItem, at: number): void;
  arm(batch: NewOutboxBatch, at: number, notBefore?: number): number;
  /** Staged rows that were never armed; gives how many went. */
  discardStaged(batchId: BatchId): number;

  /** In the order of the request; those of a row that was sent are still listed. */
  uploads(ref: OutboxRef): readonly OutboxUpload[];
  /** Throws 'not-found' once the row has left this computer or was given up. */
  uploadData(ref: OutboxRef, place: number): Uint8Array;
  /** Null when what the service had is gone. */
  setToken(ref: OutboxRef, place: number, token: string | null): void;
  /** Freezes the request of a queued row, once; false when there was nothing to complete. */
  complete(ref: OutboxRef, body: Uint8Array): boolean;

  /** The next rows that may go out now, oldest first: not verified ones, held ones or gated ones. */
  due(now: number, limit: number): readonly StoredItem[];
  /** When the next row falls due after now; null when none does by time alone. */
  nextDue(now: number): number | null;
  /** Rows that the service has to be scanned for, now or later. */
  inDoubt(connectionId: ConnectionId): readonly StoredItem[];
  /** When the next scan of the service is due, by connection: not while the service says "too many". */
  scanTimes(): ReadonlyMap<ConnectionId, number>;
  /** queued → sending, the attempt counted; false when it was moved, or lacks its files' tokens. */
  claim(ref: OutboxRef, claim: Claim): boolean;
  /** Moves a row that is in `from`; false when it is not there any more. */
  move(ref: OutboxRef, from: readonly OutboxState[], move: OutboxMove, at: number): boolean;
  /** A person gives rows that wait other times, all in one transaction; rows that wait no more are left. */
  setTimes(times: ReadonlyMap<OutboxRef, number>, at: number): void;
  /** Moves a row as decided on one version of it; false when it was written since. */
  apply(item: StoredItem, move: OutboxMove, at: number): boolean;

  attempts(ref: OutboxRef): readonly StoredAttempt[];
  recordScan(pass: NewScan): void;
  /** Scans since the row's first attempt, oldest first. */
  scans(ref: OutboxRef): readonly OutboxScan[];
  hits(ref: OutboxRef): readonly Hit[];
  /** The newest sent rows of a connection since then: what a complete scan must show. */
  canaries(connectionId: ConnectionId, since: number, limit: number): readonly StoredItem[];
  /** Where a check of copies that changed from then on has read enough in one go; null: never. */
  watchEnd(from: number): number | null;
  /**
   * Copies of agreements that changed in a time (null: till now), that no row is bound to, and that
   * a row sent since may have made beside its own: they carry its mark, or its name where the mark
   * lies deeper.
   */
  suspects(
    connectionId: ConnectionId,
    since: WatchSince,
    changed: { readonly from: number; readonly until: number | null },
  ): readonly Suspect[];
  /** The row an agreement of the service is bound to. */
  boundTo(connectionId: ConnectionId, remoteId: AgreementId): StoredItem | null;
  /**
   * Sends with one of these fingerprints, or of one of these drafts, since then: those the service has, may have or
   * will get. Newest first.
   */
  sentBefore(
    fingerprints: readonly string[],
    draftIds: readonly DraftId[],
    since: number,
  ): readonly StoredItem[];
  /** The last send of these drafts that may have reached the service. */
  lastOf(draftIds: readonly DraftId[]): StoredItem | null;
  /** Waiting rows that would go out in place of this one, or of one that did. */
  replacing(ref: OutboxRef): readonly StoredItem[];
  /**
   * The state of a send that this row replaces, of one before that, or of a refused one with the same content, if
   * the service has it or it is not proven that it made nothing, and no person was asked about this row since; null
   * when there is none.
   */
  replacedOpen(ref: OutboxRef): OutboxState | null;
  journal(ref: OutboxRef): readonly OutboxStep[];
  /** Whether it was ever of unknown outcome. */
  wasInDoubt(ref: OutboxRef): boolean;
  /** The number of the first entry that does not follow from the one before; null when all do. */
  journalBreak(): number | null;

  batches(since: number): readonly OutboxBatch[];
  /** Throws 'not-found'. */
  batch(batchId: BatchId): OutboxBatch;
  /** Numbers of the rows that stand in a later batch of the same file too. */
  takenOn(batchId: BatchId): ReadonlySet<number>;
  batchGate(batchId: BatchId): BatchGate;
  setBatchGate(batchId: BatchId, gate: BatchGate, reason: Failure | null): void;
  /** Cancels what waits and was never on the wire; gives that. */
  cancelBatch(batchId: BatchId, at: number, actor: string): readonly OutboxRef[];

  gates(connectionId?: ConnectionId): readonly Gate[];
  closeGate(gate: Gate): void;
  /** False when it was not closed. */
  openGate(connectionId: ConnectionId, kind: GateKind): boolean;
  /**
   * What is known now of the last creates that went out through a connection, newest first: the
   * state that the attempt led to, or `settled` where that was `unknown` and is not any more.
   */
  lastOutcomes(connectionId: ConnectionId, limit: number): readonly string[];
  /** How many creates of a connection are of unknown outcome. */
  countUnknown(connectionId: ConnectionId): number;

  epoch(): StoredEpoch;
  setEpoch(epoch: StoredEpoch): void;
}

/** What a scan reads: everything the service has since then, and what shows that it is all. */
export interface ScanQuery {
  /** By the service's clock. */
  readonly from: number;
  /** Templates whose fields are read, for marks that lie in one (v2). */
  readonly templates: readonly string[];
}

/** An agreement as a scan sees it. */
export interface Seen {
  readonly id: AgreementId;
  readonly title: string;
  readonly sentAt: number | null;
  readonly state: string;
  /** The tag `desk.ref` (v1). */
  readonly ref: string | null;
  /** Its parties by `partyKey` (v2); null where the list does not give them. */
  readonly parties: readonly string[] | null;
  /** Values of the fields of its template, when that was asked for (v2). */
  readonly fields: Readonly<Record<string, string>> | null;
}

export interface ScanReading {
  readonly seen: readonly Seen[];
  readonly pages: number;
  /** Why it is not everything; null when it is. */
  readonly incompleteReason: Extract<IncompleteReason, 'unstable' | 'no-tags'> | null;
  /** The server's `Date` of the last page. */
  readonly serverTime: number | null;
}

/** Only one process at a time works the outbox of a data folder; the system frees it after a kill. */
export interface WriterLock {
  /** False when another process holds it. Holding it already is true. */
  take(): boolean;
  free(): void;
}

/** Named points of a send, in the order in which they are reached. @internal */
export type KillPoint =
  | 'before-arm'
  | 'inside-arm'
  | 'after-arm'
  | 'before-claim'
  | 'inside-claim'
  | 'after-claim'
  | 'before-headers'
  | 'answer-headers'
  | 'before-sent'
  | 'inside-sent'
  | 'after-sent'
  | 'in-pass'
  | 'before-link'
  | 'between-passes'
  | 'inside-resend';

/** Called when a kill point is reached. Tests end the process there; the program itself does nothing. */
export type AtKillPoint = (point: KillPoint) => void;
