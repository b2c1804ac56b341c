import type {
  AgreementId,
  BatchId,
  ConnectionId,
  DraftId,
  OutboxRef,
} from '../../../shared/model/ids.ts';
import type {
  BatchGate,
  ConnectionGate,
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
  /** End of the last attempt by the service's clock; null until an answer showed that clock. */
  readonly endedAt: number | null;
  readonly cleanPasses: number;
  /** Time of the last clean scan by the service's clock; null if there was none. */
  readonly cleanAt: number | null;
  /** Number of consecutive inconclusive scans, and local time of the first of them. */
  readonly inconclusiveScans: number;
  readonly inconclusiveSince: number | null;
  /** Number of scans for the row, and time of the next scan (null: no scan is scheduled). */
  readonly looks: number;
  readonly lookAt: number | null;
}

/** A row as stored. The field `doubt` is missing, because it is computed from `track`. */
export interface StoredItem extends Omit<OutboxItem, 'doubt'> {
  readonly track: RowTrack;
  /** Number that every write increases. A move is applied only to the version it was decided on. */
  readonly version: number;
  /** Hash of the name, parties and documents; two sends of the same content have the same hash. */
  readonly fingerprint: string | null;
  /** Fingerprints that earlier versions of the program computed, if they differ from today's. */
  readonly formerFingerprints: readonly string[];
  /** Names of the send that are independent of its content. An office sends each name only once. */
  readonly once: readonly (readonly string[])[];
  /** Hash of the parties as in the service's list; null if the list contains no parties. */
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
  /** For a repeated send: the earlier sends of its content that the user saw, for the journal. */
  readonly shown?: unknown;
  /** Files to be uploaded before the request, to complete it with their tokens; may be empty. */
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
  /** Token of the uploaded file; null until the service has the file. */
  readonly token: string | null;
}

export interface OutboxMove {
  readonly to: OutboxState;
  /** Cause for the journal: `person`, `answer`, `restart`, `sync` … */
  readonly cause: string;
  /** Actor of the move; by default the program itself. */
  readonly actor?: string;
  /** Information that the user saw when deciding, for the journal. */
  readonly shown?: unknown;
  readonly remoteId?: AgreementId;
  readonly reason?: Failure | null;
  readonly nextAt?: number | null;
  /** Scheduled time that the user chose; null if the user sends the row immediately instead. */
  readonly chosenAt?: number | null;
  readonly verify?: boolean;
  readonly track?: Partial<RowTrack>;
  /** Whether the attempt that this move ends never left this computer, so it is not counted. */
  readonly isUncounted?: boolean;
}

/** Ensures that only one computer of an office makes a send. */
export interface SendGuard {
  /**
   * Claims the send for this computer before each attempt, which uses `credential`. Returns null if
   * this computer may send the row, otherwise the reason why not.
   */
  claim(item: StoredItem, credential: string): Promise<Failure | null>;
  /** Whether the claim is recent enough that no other computer can have taken it over. */
  isCurrent(ref: OutboxRef): boolean;
  /** Called after a row was moved. */
  changed(ref: OutboxRef): void;
}

/** Record that is written before the first byte of an attempt leaves this computer. */
export interface AttemptClaim {
  readonly at: number;
  /** Lower bound of the service's clock; scans read the list from this time on. */
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
  /** Agreements that the scan found, by row. */
  readonly hits: ReadonlyMap<OutboxRef, readonly SearchHit[]>;
}

/** Times since when rows are watched for duplicates, by their final state (epoch ms). */
interface WatchSince {
  readonly sent: number;
  readonly abandoned: number;
}

export interface DuplicateSuspect {
  readonly ref: OutboxRef;
  readonly remoteId: AgreementId;
}

export interface SearchHit {
  readonly remoteId: AgreementId;
  readonly title: string;
  readonly sentAt: number | null;
  readonly state: string;
  readonly isMarked: boolean;
}

/** Epoch number in the data file, which must match the external state; see `OutboxEpoch`. */
export interface StoredEpoch {
  readonly current: number;
  /** Number that is being written to the external state; null if no write is in progress. */
  readonly next: number | null;
  /** Location of the data at the time of the write; null before versions that recorded it. */
  readonly place: Place | null;
}

/**
 * Called after a send. For a create, `made` contains the ID of the new agreement, if known. For a
 * signature, `made` is null.
 */
export type OnSent = (
  connectionId: ConnectionId,
  made: { readonly remoteId: AgreementId | null } | null,
) => void;

/** Every method commits to disk (`synchronous = FULL`) before it returns. */
export interface OutboxStore {
  /** Returns rows outside of batches that are open or changed after `since`, newest first. */
  list(since: number): readonly StoredItem[];
  /** Returns the rows of a batch in the order of the spreadsheet. */
  inBatch(batchId: BatchId): readonly StoredItem[];
  inState(state: OutboxState): readonly StoredItem[];
  /** Throws 'not-found'. */
  get(ref: OutboxRef): StoredItem;
  request(ref: OutboxRef): FrozenRequest;

  insert(entry: NewOutboxItem, at: number): void;
  /**
   * Stages a row of a batch; rows are staged separately because a batch may be too large for
   * memory. Staged rows are not visible.
   */
  stage(batchId: BatchId, entry: NewOutboxItem, at: number): void;
  /**
   * Queues all staged rows of a batch in one transaction, to be sent at `notBefore` at the
   * earliest. Returns their number.
   */
  arm(batch: NewOutboxBatch, at: number, notBefore?: number): number;
  /** Removes staged rows that were never armed; returns their number. */
  discardStaged(batchId: BatchId): number;

  /** Returns the uploads of a row in the order of the request, also if the row was sent. */
  uploads(ref: OutboxRef): readonly OutboxUpload[];
  /** Throws 'not-found' once the row was sent or abandoned. */
  uploadData(ref: OutboxRef, place: number): Uint8Array;
  /** Sets the token of an upload; null if the service no longer has the file. */
  setToken(ref: OutboxRef, place: number, token: string | null): void;
  /** Freezes the request of a queued row, once. Returns false if it needed no completion. */
  complete(ref: OutboxRef, body: Uint8Array): boolean;

  /**
   * Returns rows that may be sent now, oldest first. Excludes rows to be verified, held rows and
   * rows behind closed gates.
   */
  due(now: number, limit: number): readonly StoredItem[];
  /** Returns when the next row falls due; null if no row falls due by time alone. */
  nextDue(now: number): number | null;
  /** Returns the rows that require scans of the service, now or later. */
  inDoubt(connectionId: ConnectionId): readonly StoredItem[];
  /** Returns the time of the next scan by connection, without connections under a rate limit. */
  scanTimes(): ReadonlyMap<ConnectionId, number>;
  /**
   * Moves a row from `queued` to `sending` and counts the attempt. Returns false if the row was
   * moved in the meantime or lacks upload tokens.
   */
  claim(ref: OutboxRef, claim: AttemptClaim): boolean;
  /** Moves a row whose state is in `from`. Returns false if the row has another state. */
  move(ref: OutboxRef, from: readonly OutboxState[], move: OutboxMove, at: number): boolean;
  /** Reschedules waiting rows for the user, in one transaction; skips rows that no longer wait. */
  setTimes(times: ReadonlyMap<OutboxRef, number>, at: number): void;
  /**
   * Applies a move that was decided on this version of a row. Returns false if the row was written
   * after that.
   */
  apply(item: StoredItem, move: OutboxMove, at: number): boolean;

  attempts(ref: OutboxRef): readonly StoredAttempt[];
  recordScan(pass: NewScan): void;
  /** Returns the scans since the row's first attempt, oldest first. */
  scans(ref: OutboxRef): readonly OutboxScan[];
  hits(ref: OutboxRef): readonly SearchHit[];
  /**
   * Returns the newest rows of a connection that were sent after `since`: the control agreements
   * that a complete scan must show.
   */
  canaries(connectionId: ConnectionId, since: number, limit: number): readonly StoredItem[];
  /**
   * Returns the end of the period from `from` on that one check of changed copies reads; null if
   * the period has no end.
   */
  watchEnd(from: number): number | null;
  /**
   * Returns copies of agreements that a row which ended after `since` may have created as
   * duplicates. They were changed within a period (`until` null: until now), are not bound to a
   * row, and have the row's mark, or its name if the list contains no marks.
   */
  suspects(
    connectionId: ConnectionId,
    since: WatchSince,
    changed: { readonly from: number; readonly until: number | null },
  ): readonly DuplicateSuspect[];
  /** Returns the row that an agreement of the service is bound to; null if there is none. */
  boundTo(connectionId: ConnectionId, remoteId: AgreementId): StoredItem | null;
  /**
   * Returns sends after `since` with one of these fingerprints or of one of these drafts, if the
   * service has them, may have them or will get them. Newest first.
   */
  sentBefore(
    fingerprints: readonly string[],
    draftIds: readonly DraftId[],
    since: number,
  ): readonly StoredItem[];
  /** Returns the last send of these drafts that may have reached the service. */
  lastOf(draftIds: readonly DraftId[]): StoredItem | null;
  /** Returns waiting rows that replace this row, directly or through other rows. */
  replacing(ref: OutboxRef): readonly StoredItem[];
  /**
   * Returns the state of an earlier send that this row replaces, if the service has or may have the
   * earlier send, and the user has not decided about this row after that. Otherwise returns null.
   * Includes indirectly replaced sends, and rejected sends with the same content.
   */
  replacedOpen(ref: OutboxRef): OutboxState | null;
  journal(ref: OutboxRef): readonly OutboxStep[];
  wasInDoubt(ref: OutboxRef): boolean;
  /** Returns the number of the first entry that breaks the hash chain; null if it is intact. */
  journalBreak(): number | null;

  batches(since: number): readonly OutboxBatch[];
  /** Throws 'not-found'. */
  batch(batchId: BatchId): OutboxBatch;
  /** Returns the numbers of the rows that are also in a later batch of the same file. */
  takenOn(batchId: BatchId): ReadonlySet<number>;
  batchGate(batchId: BatchId): BatchGate;
  setBatchGate(batchId: BatchId, gate: BatchGate, reason: Failure | null): void;
  /** Cancels the waiting rows of a batch that were never sent, and returns their references. */
  cancelBatch(batchId: BatchId, at: number, actor: string): readonly OutboxRef[];

  gates(connectionId?: ConnectionId): readonly ConnectionGate[];
  closeGate(gate: ConnectionGate): void;
  /** Opens a gate. Returns false if the gate was not closed. */
  openGate(connectionId: ConnectionId, kind: GateKind): boolean;
  /**
   * Returns the current outcomes of the last creates through a connection, newest first. An outcome
   * is the state after the attempt, or `settled` if that state was `unknown` and has been resolved.
   */
  lastOutcomes(connectionId: ConnectionId, limit: number): readonly string[];
  /** Returns the number of creates of a connection with an unknown outcome. */
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
export interface SeenAgreement {
  readonly id: AgreementId;
  readonly title: string;
  readonly sentAt: number | null;
  readonly state: string;
  /** The tag `desk.ref` (v1). */
  readonly ref: string | null;
  /** Parties by `partyKey` (v2); null if the list does not contain them. */
  readonly parties: readonly string[] | null;
  /** Values of the template's fields (v2); null if they were not requested. */
  readonly fields: Readonly<Record<string, string>> | null;
}

export interface ScanReading {
  readonly seen: readonly SeenAgreement[];
  readonly pages: number;
  /** Reason why the reading is incomplete; null if it is complete. */
  readonly incompleteReason: Extract<IncompleteReason, 'unstable' | 'no-tags'> | null;
  /** Time in the server's `Date` header of the last page; null if it has none. */
  readonly serverTime: number | null;
}

/**
 * Lock that lets one process at a time work on the outbox of a data folder. The system releases it
 * after a kill.
 */
export interface WriterLock {
  /** Acquires the lock. Returns false if another process has it, true if this process has it. */
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

/** Called at a kill point. Tests end the process at that point; the program does nothing. */
export type AtKillPoint = (point: KillPoint) => void;
