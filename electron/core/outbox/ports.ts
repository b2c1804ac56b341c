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

/** Internal tracking of a row, not shown to users. Times are epoch milliseconds. */
export interface RowTrack {
  /** End of the last attempt by the service's clock. Null until an answer showed that clock. */
  readonly endedAt: number | null;
  readonly cleanPasses: number;
  /** Time of the last clean scan by the service's clock. */
  readonly cleanAt: number | null;
  /** Number of consecutive inconclusive scans, and local time of the first. */
  readonly inconclusiveScans: number;
  readonly inconclusiveSince: number | null;
  /** Number of scans for the row, and time of the next one. */
  readonly looks: number;
  readonly lookAt: number | null;
}

/** A row as stored; `doubt` is computed from its track. */
export interface StoredItem extends Omit<OutboxItem, 'doubt'> {
  readonly track: RowTrack;
  /** Raised by every write; a move names the version that it was decided on. */
  readonly version: number;
  /** Hash of name, parties and document: equal for two sends of the same. */
  readonly fingerprint: string | null;
  /** Fingerprints that earlier versions of the program computed, if different. */
  readonly formerFingerprints: readonly string[];
  /** Names, independent of the content, that an office sends only once each. */
  readonly once: readonly (readonly string[])[];
  /** Hash of the parties as in the service's list. Null if the list has none. */
  readonly parties: string | null;
}

interface SignTarget {
  readonly agreementId: AgreementId;
  readonly partyId: string;
  readonly configurationId: string;
}

/** Frozen request of an outbox row: the exact bytes, and the target of a signature. */
export interface FrozenRequest {
  readonly body: Uint8Array;
  readonly target: SignTarget | null;
  readonly signedAt: number | null;
}

export interface NewOutboxItem {
  readonly item: NewRow;
  readonly request: FrozenRequest;
  /** For a repeated send: the earlier sends of the same that the user saw, for the journal. */
  readonly shown?: unknown;
  /** Files to be uploaded before the request, which lacks their tokens; empty if it is complete. */
  readonly uploads: readonly { readonly name: string; readonly data: Uint8Array }[];
}

/** A row before it is stored; omitted fields get their initial values. */
export interface NewRow extends Pick<
  OutboxItem,
  'ref' | 'kind' | 'title' | 'connectionId' | 'people' | 'mark' | 'nextAt'
> {
  readonly remoteId?: AgreementId | null;
  readonly draftId?: DraftId | null;
  /** Row number in the spreadsheet. */
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

/** A file of an outbox row that is uploaded before its request. */
export interface OutboxUpload {
  /** Index of the file in the request. */
  readonly place: number;
  readonly name: string;
  /** Null until the service has it. */
  readonly token: string | null;
}

export interface OutboxMove {
  readonly to: OutboxState;
  /** Cause for the journal: `person`, `answer`, `restart`, `sync` … */
  readonly cause: string;
  /** The actor; by default the program itself. */
  readonly actor?: string;
  /** Information that the user saw when deciding, for the journal. */
  readonly shown?: unknown;
  readonly remoteId?: AgreementId;
  readonly reason?: Failure | null;
  readonly nextAt?: number | null;
  /** Null: the user sends it immediately, regardless of the scheduled time. */
  readonly chosenAt?: number | null;
  readonly verify?: boolean;
  readonly track?: Partial<RowTrack>;
  /** The attempt that ends here never left this computer, so it does not count. */
  readonly isUncounted?: boolean;
}

/** Ensures that only one computer of an office makes a send. */
export interface SendGuard {
  /**
   * Called before each attempt with the credential to be used. Returns null if this computer may
   * send it, else the reason.
   */
  claim(item: StoredItem, credential: string): Promise<Failure | null>;
  /** Whether the claim is recent enough that no other computer can have taken it over. */
  isCurrent(ref: OutboxRef): boolean;
  /** Called after a row was moved. */
  changed(ref: OutboxRef): void;
}

/** Record that is written before the first byte of an attempt leaves. */
export interface Claim {
  readonly at: number;
  /** Lower bound of the service's clock; the list is read from this time on. */
  readonly floor: number;
  /** Fingerprint of the credential used. */
  readonly credential: string;
}

interface StoredAttempt extends OutboxAttempt {
  readonly floor: number;
  readonly credential: string;
}

interface NewScan extends Omit<OutboxScan, 'number'> {
  readonly connectionId: ConnectionId;
  readonly credential: string;
  /** Time of the scan by the service's clock. */
  readonly serverAt: number;
  readonly canary: OutboxRef | null;
  /** Agreements found, by row. */
  readonly hits: ReadonlyMap<OutboxRef, readonly Hit[]>;
}

/** Start times of watching rows for duplicates, by their final state. */
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

/** Values of the data file that must match the external state; see `OutboxEpoch`. */
export interface StoredEpoch {
  readonly current: number;
  /** Number that is being written to the external state. */
  readonly next: number | null;
  /** Location of the data at the time of the write; null before versions that recorded it. */
  readonly place: Place | null;
}

/**
 * Called after a send. For a create, `made` holds the ID of the new agreement if known; null for a
 * signature.
 */
export type OnSent = (
  connectionId: ConnectionId,
  made: { readonly remoteId: AgreementId | null } | null,
) => void;

/** Every method commits to disk (`synchronous = FULL`) before it returns. */
export interface OutboxStore {
  /** Rows outside of batches that are open or changed since then, newest first. */
  list(since: number): readonly StoredItem[];
  /** In the order of the spreadsheet. */
  inBatch(batchId: BatchId): readonly StoredItem[];
  inState(state: OutboxState): readonly StoredItem[];
  /** Throws 'not-found'. */
  get(ref: OutboxRef): StoredItem;
  request(ref: OutboxRef): FrozenRequest;

  insert(entry: NewOutboxItem, at: number): void;
  /**
   * Stages a row of a batch, which may be too large for memory. Staged rows are not visible. `arm`
   * makes them wait, all in one transaction and at least until `notBefore`; it returns their
   * number.
   */
  stage(batchId: BatchId, entry: NewOutboxItem, at: number): void;
  arm(batch: NewOutboxBatch, at: number, notBefore?: number): number;
  /** Removes staged rows that were never armed; returns their number. */
  discardStaged(batchId: BatchId): number;

  /** Uploads in the order of the request, also for rows that were sent. */
  uploads(ref: OutboxRef): readonly OutboxUpload[];
  /** Throws 'not-found' once the row was sent or abandoned. */
  uploadData(ref: OutboxRef, place: number): Uint8Array;
  /** Sets the token; null if the service no longer has the file. */
  setToken(ref: OutboxRef, place: number, token: string | null): void;
  /** Freezes the request of a queued row, once; false if there is nothing to complete. */
  complete(ref: OutboxRef, body: Uint8Array): boolean;

  /**
   * Rows that may be sent now, oldest first; without rows to be verified, held rows and rows behind
   * closed gates.
   */
  due(now: number, limit: number): readonly StoredItem[];
  /** Time at which the next row falls due; null if none does by time alone. */
  nextDue(now: number): number | null;
  /** Rows that require scans of the service, now or later. */
  inDoubt(connectionId: ConnectionId): readonly StoredItem[];
  /** Time of the next scan per connection; connections under a rate limit are excluded. */
  scanTimes(): ReadonlyMap<ConnectionId, number>;
  /** queued → sending, counts the attempt; false if the row was moved or lacks upload tokens. */
  claim(ref: OutboxRef, claim: Claim): boolean;
  /** Moves a row whose state is in `from`; false if it is not. */
  move(ref: OutboxRef, from: readonly OutboxState[], move: OutboxMove, at: number): boolean;
  /** Reschedules waiting rows for the user, in one transaction; skips rows that no longer wait. */
  setTimes(times: ReadonlyMap<OutboxRef, number>, at: number): void;
  /**
   * Applies a move that was decided on one version of a row; false if the row was written since.
   */
  apply(item: StoredItem, move: OutboxMove, at: number): boolean;

  attempts(ref: OutboxRef): readonly StoredAttempt[];
  recordScan(pass: NewScan): void;
  /** Scans since the row's first attempt, oldest first. */
  scans(ref: OutboxRef): readonly OutboxScan[];
  hits(ref: OutboxRef): readonly Hit[];
  /**
   * The newest sent rows of a connection since then: control agreements that a complete scan must
   * show.
   */
  canaries(connectionId: ConnectionId, since: number, limit: number): readonly StoredItem[];
  /**
   * End of the period, from `from` on, that one check of changed copies reads; null if it has no
   * end.
   */
  watchEnd(from: number): number | null;
  /**
   * Copies of agreements, changed within a period (null: until now) and not bound to a row, that a
   * row sent since may have created as duplicates: they carry its mark, or its name if the mark is
   * not in the list.
   */
  suspects(
    connectionId: ConnectionId,
    since: WatchSince,
    changed: { readonly from: number; readonly until: number | null },
  ): readonly Suspect[];
  /** The row that an agreement of the service is bound to. */
  boundTo(connectionId: ConnectionId, remoteId: AgreementId): StoredItem | null;
  /**
   * Sends with one of these fingerprints, or of one of these drafts, since then, if the service has
   * them, may have them or will get them. Newest first.
   */
  sentBefore(
    fingerprints: readonly string[],
    draftIds: readonly DraftId[],
    since: number,
  ): readonly StoredItem[];
  /** The last send of these drafts that may have reached the service. */
  lastOf(draftIds: readonly DraftId[]): StoredItem | null;
  /** Waiting rows that replace this one, directly or through other rows. */
  replacing(ref: OutboxRef): readonly StoredItem[];
  /**
   * State of an earlier send that this row replaces, if the service has it or may have it and the
   * user has not decided about this row since; else null. Includes indirectly replaced sends and
   * rejected sends with the same content.
   */
  replacedOpen(ref: OutboxRef): OutboxState | null;
  journal(ref: OutboxRef): readonly OutboxStep[];
  wasInDoubt(ref: OutboxRef): boolean;
  /** Number of the first entry that breaks the hash chain; null if the chain is intact. */
  journalBreak(): number | null;

  batches(since: number): readonly OutboxBatch[];
  /** Throws 'not-found'. */
  batch(batchId: BatchId): OutboxBatch;
  /** Numbers of the rows that are also in a later batch of the same file. */
  takenOn(batchId: BatchId): ReadonlySet<number>;
  batchGate(batchId: BatchId): BatchGate;
  setBatchGate(batchId: BatchId, gate: BatchGate, reason: Failure | null): void;
  /** Cancels waiting rows that were never sent; returns them. */
  cancelBatch(batchId: BatchId, at: number, actor: string): readonly OutboxRef[];

  gates(connectionId?: ConnectionId): readonly Gate[];
  closeGate(gate: Gate): void;
  /** False if it was not closed. */
  openGate(connectionId: ConnectionId, kind: GateKind): boolean;
  /**
   * Current outcomes of the last creates through a connection, newest first: the state after the
   * attempt, or `settled` if that was `unknown` and has been resolved.
   */
  lastOutcomes(connectionId: ConnectionId, limit: number): readonly string[];
  /** Number of creates of a connection with an unknown outcome. */
  countUnknown(connectionId: ConnectionId): number;

  epoch(): StoredEpoch;
  setEpoch(epoch: StoredEpoch): void;
}

/** Query of a scan: everything on the service since `from`. */
export interface ScanQuery {
  /** Start time by the service's clock. */
  readonly from: number;
  /** Templates whose fields are read, for marks in a field (v2). */
  readonly templates: readonly string[];
}

/** An agreement in the list of a scan. */
export interface Seen {
  readonly id: AgreementId;
  readonly title: string;
  readonly sentAt: number | null;
  readonly state: string;
  /** The tag `desk.ref` (v1). */
  readonly ref: string | null;
  /** Parties by `partyKey` (v2); null if the list does not contain them. */
  readonly parties: readonly string[] | null;
  /** Values of its template's fields, if requested (v2). */
  readonly fields: Readonly<Record<string, string>> | null;
}

export interface ScanReading {
  readonly seen: readonly Seen[];
  readonly pages: number;
  /** Reason why the reading is incomplete; null if it is complete. */
  readonly incompleteReason: Extract<IncompleteReason, 'unstable' | 'no-tags'> | null;
  /** The server's `Date` of the last page. */
  readonly serverTime: number | null;
}

/**
 * Lock that lets one process at a time work on the outbox of a data folder. The system releases it
 * after a kill.
 */
export interface WriterLock {
  /** False if another process holds it; true if this process already does. */
  take(): boolean;
  free(): void;
}

/** Named points of a send, in their order. @internal */
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

/** Called at a kill point. Tests end the process there; the program does nothing. */
export type AtKillPoint = (point: KillPoint) => void;
