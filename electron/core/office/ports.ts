import type {
  OfficeActivity,
  OfficeActivityKind,
  OfficeCheck,
  OfficeMembership,
  OfficeOwner,
  OfficeUser,
  OfficeServerAddress,
  OfficeTask,
  ConfirmedClaim,
  OfficeUserId,
  OfficeUserRight,
} from '../../../shared/contract/office/office.ts';
import type { OfficeBatchNumbers } from '../../../shared/contract/office/batches.ts';
import type { OfficeItemKind, SharedItemSet } from '../../../shared/contract/office/items.ts';
import type {
  AgreementId,
  BatchId,
  ConnectionId,
  DraftId,
  OutboxRef,
} from '../../../shared/model/ids.ts';
import type { NumberedClaim } from '../../../shared/rules/office/seen-claim.ts';
import type { ApprovalDecision, ApprovalRequest } from '../../../shared/rules/office/approvals.ts';
import type { ExternalEvidenceEnds } from '../evidence/ports.ts';
import type { Lease } from '../turn-ports.ts';
import type { FormerDesk, OfficeMark } from '../mark-ports.ts';
import type { SharedItems, SharedFiles, KnownItem } from './items/ports.ts';
import type { OfficeHandovers, HandedOverItem } from './handover/ports.ts';

/** Kind of an operation; the database allows a user the kinds of their roles. */
export type OperationKind = OfficeActivityKind;

/** Request for a page of the activity list. A null field does not restrict the list. */
interface OfficeActivityPage {
  readonly before: string | null;
  readonly seat: OfficeUserId | null;
  readonly kind: OperationKind | null;
}

/**
 * State of an operation as other computers see it. In the order of the values: it may be in flight,
 * the service has it, its outcome is unknown, a user abandoned it with an unknown outcome, the
 * service has nothing of it.
 */
export type OperationState = 'claimed' | 'done' | 'unknown' | 'given-up' | 'released';

/** Something that may happen once in an office, under a hash that reveals nothing to its server. */
export interface ClaimKey {
  /** Hash that is the claim key (32 bytes). */
  readonly key: Uint8Array;
  /** Claims of the key that the user saw and wants to follow; empty if the user was not asked. */
  readonly seen: readonly NumberedClaim[];
  /** Whether only earlier versions claimed the key. Such a key is looked up but never claimed. */
  readonly isOlder?: boolean;
}

/**
 * Facts that another computer needs to settle an operation. They are encrypted before they are sent
 * to the office's server.
 */
export interface OperationDescription {
  readonly title: string;
  /** Address of the service, the same on every computer of the office. */
  readonly service: string;
  /** Data for a scan; null if the data contains personal numbers that this user may not see. */
  readonly scan: unknown;
}

/** One send, signature, reminder or removal, before the first byte of its request is sent. */
export interface Operation {
  /** `OutboxRef` or `ActionId`. Every attempt of the operation has the same ID. */
  readonly id: string;
  readonly kind: OperationKind;
  /** Keys of the operation. Either all of them are claimed, or none. */
  readonly keys: readonly ClaimKey[];
  readonly about: OperationDescription;
}

/** An operation that holds a key. Times are epoch milliseconds by the office's clock. */
export interface ClaimHolder {
  /** Claim key, in hexadecimal. */
  readonly key: string;
  readonly id: string;
  readonly generation: number;
  readonly desk: string;
  readonly seat: string;
  readonly state: OperationState;
  readonly startedAt: number;
  readonly settledAt: number | null;
  /** Milliseconds since the operation was settled; if it is not settled, since it began. */
  readonly age: number;
}

/** Result of a claim. If `ok` is false, nothing was claimed; `held` has the current holders. */
export type ClaimResult =
  | { readonly id: string; readonly ok: true }
  | { readonly id: string; readonly ok: false; readonly held: readonly ClaimHolder[] };

export interface SettledOperation {
  readonly id: string;
  readonly state: Exclude<OperationState, 'claimed'>;
}

export interface OpenOperation {
  readonly id: string;
  readonly kind: OperationKind;
  readonly desk: string;
  readonly seat: string;
  readonly state: 'claimed' | 'unknown';
  readonly startedAt: number;
  /** Milliseconds since its computer last claimed or reported it, by the office's clock. */
  readonly age: number;
  /** Whether the user of its computer was removed, so that the computer sends nothing any more. */
  readonly isGone: boolean;
  /** Null if this computer cannot read it. */
  readonly about: OperationDescription | null;
}

/**
 * Minimum time (ms) without a change of an operation before another computer may settle it, by the
 * operation's state. If `claimed`, its own computer may still be sending it; if `unknown`, its own
 * computer may still be scanning for it.
 */
export interface AdoptionDelays {
  readonly claimed: number;
  readonly unknown: number;
}

/** Every method throws 'offline' if the office is unreachable. */
export interface OfficeClaims {
  /**
   * Claims operations in this order, each completely or not at all. An operation that this computer
   * already holds can be claimed again, for example if the first reply was lost. Throws 'forbidden'
   * if the user may not do one of the operations. Throws 'conflict' with 'lease-lost', without a
   * claim, if another computer has taken over the task of `lease`. Throws 'offline' with
   * 'office-put-back' while it is unknown what a restored office has lost.
   */
  claim(operations: readonly Operation[], lease?: Lease | null): Promise<readonly ClaimResult[]>;
  /** Returns the last holder of each key; keys without a holder are not in the result. */
  holders(keys: readonly Uint8Array[]): Promise<readonly ClaimHolder[]>;
  /**
   * Returns all holders of the keys, newest first. A key has several holders after the user let a
   * send or an action follow an earlier claim, or after a restore of the office.
   */
  allHolders(keys: readonly Uint8Array[]): Promise<readonly ClaimHolder[]>;
  /** Records outcomes. A done operation stays done, regardless of later reports. */
  settle(outcomes: readonly SettledOperation[]): Promise<void>;
  /**
   * Returns the unsettled operations of this computer: only their IDs, because each computer
   * requests them every minute.
   */
  unsettled(): Promise<readonly string[]>;
  /** Returns the unsettled operations of all computers. */
  open(): Promise<readonly OpenOperation[]>;
  /**
   * Takes over the settling of an operation. Returns false if the operation is settled or changed
   * recently, or if another computer has taken it over.
   */
  takeOver(
    operation: Pick<OpenOperation, 'id' | 'desk'>,
    silence: AdoptionDelays,
  ): Promise<boolean>;
  /**
   * Returns reminders that were claimed, settled or reported at `since` or later by the office's
   * clock, ordered by that time. The start of a reminder is not used, because a restored office
   * receives earlier reminders late.
   */
  reminded(since: number, limit: number): Promise<readonly OfficeReminder[]>;
}

/** A reminder that a computer of the office claimed. */
export interface OfficeReminder {
  readonly id: string;
  readonly startedAt: number;
  /** Time at which the office last received news of the reminder. */
  readonly movedAt: number;
  /** Whether nothing of the reminder was sent. */
  readonly isReleased: boolean;
  /** Null if this computer cannot read it. */
  readonly about: OperationDescription | null;
}

/** A task that one computer of an office does for all of them. */
export type TaskKind = OfficeTask['kind'];

interface Task {
  readonly kind: TaskKind;
  /** Key of the task: 32 bytes that reveal nothing to the server. */
  readonly key: Uint8Array;
  /** Title that users see. It is encrypted before it is sent to the office's server. */
  readonly title: string;
}

/** The current or last holder of a task. Times are epoch milliseconds by the office's clock. */
export interface HeldLease extends Omit<OfficeTask, 'isOwn'> {
  readonly desk: string;
  readonly number: number;
}

type LeaseResult =
  /** `now`: the office's time (epoch ms). */
  | { readonly ok: true; readonly lease: Lease; readonly now: number }
  | { readonly ok: false; readonly held: HeldLease };

/**
 * Leases of the office's tasks. Lengths are milliseconds from now, by the office's clock. Every
 * method throws 'offline' if the office is unreachable.
 */
export interface TaskLeases {
  /**
   * Takes a task that is free, whose lease has expired, or that this computer already holds. Thus,
   * after a restart, the program continues with the same lease number. A new number is higher than
   * `above`.
   */
  take(task: Task, length: number, above?: number): Promise<LeaseResult>;
  /**
   * Renews a lease, even an expired one. Returns false if another computer has the task or if the
   * lease was given back.
   */
  renew(lease: Lease, length: number): Promise<boolean>;
  giveBack(lease: Lease): Promise<void>;
  /** Returns the tasks that a computer holds now. */
  list(): Promise<readonly HeldLease[]>;
}

/** A request for approval by another user. Times are epoch milliseconds by the office's clock. */
export interface RequestedApproval {
  readonly id: string;
  readonly from: OfficeUserId;
  readonly askedAt: number;
  /** Null if this computer cannot read the request or its decision. */
  readonly request: ApprovalRequest | null;
  /** Decision of a user; null until then. */
  readonly decision: (ApprovalDecision & { readonly by: OfficeUserId; readonly at: number }) | null;
}

/** Requests for approval. Every method throws 'offline' if the office is unreachable. */
export interface OfficeApprovals {
  ask(id: string, request: ApprovalRequest): Promise<void>;
  /**
   * Returns requests of the last 30 days, oldest first: the undecided requests of all users, and
   * all requests from this user.
   */
  list(): Promise<readonly RequestedApproval[]>;
  /**
   * Records a decision. Returns false if the request was already decided or is this user's own.
   * Throws 'forbidden' if this user may not decide.
   */
  decide(id: string, decision: ApprovalDecision): Promise<boolean>;
}

/** Progress of a batch on a computer. `at`: epoch milliseconds by the office's clock. */
export interface ReportedBatch extends Omit<OfficeBatchNumbers, 'title'> {
  /** Title of the batch; null if this computer cannot read the report: its numbers are then 0. */
  readonly title: string | null;
  readonly batch: BatchId;
  readonly desk: string;
  readonly seat: OfficeUserId;
  readonly at: number;
}

/** Reports on batches. Every method throws 'offline' if the office is unreachable. */
export interface OfficeBatchReports {
  /** Replaces this computer's earlier report of the batch. */
  report(batch: BatchId, numbers: OfficeBatchNumbers): Promise<void>;
  /** Returns the reports of the last seven days, latest change first. */
  list(): Promise<readonly ReportedBatch[]>;
  /** Removes reports of this computer that are older than seven days. */
  dropOld(): Promise<void>;
}

/**
 * Ends of evidence logs, stored in the office's database, where no computer can undo them. Every
 * method throws 'offline' if the office is unreachable.
 */
export interface OfficeEvidenceEnds extends Pick<ExternalEvidenceEnds, 'read'> {
  note(...end: Parameters<ExternalEvidenceEnds['note']>): Promise<void>;
}

/** A restore of the office's database that was detected. Times are by the office's clock. */
export interface DetectedOfficeRestore {
  readonly id: string;
  readonly noticedAt: number;
  /** Time of the newest visit of any computer in the restored database (epoch ms). */
  readonly asOf: number;
  /** Number of the newest change in the restored database. */
  readonly last: number;
  /**
   * Whether this computer has reported after this restore. `hasMissed`: whether this computer did
   * not report after an earlier restore, so that it may know older operations.
   */
  readonly isTold: boolean;
  readonly hasMissed: boolean;
  /** Computers that have not reported; nothing is claimed until all have. */
  readonly awaited: readonly {
    readonly desk: string;
    readonly seat: OfficeUserId;
    readonly seenAt: number;
  }[];
}

/** An operation that the office had before it was restored. */
export interface LostOperation extends Operation {
  readonly state: Exclude<OperationState, 'claimed' | 'released'>;
  /** Time of the start (epoch ms by this computer's clock). */
  readonly startedAt: number;
}

/** A computer, as the office last saw it, or a user without a computer. */
export interface LastSeenComputer {
  /** ID of the computer; for a user without a computer, the ID of the user. */
  readonly desk: string;
  readonly seat: OfficeUserId;
  /** Name of the user's database role. */
  readonly role: string;
  /**
   * Time of the computer's last visit, or of the invitation of a user without a computer (epoch ms
   * by the office's clock).
   */
  readonly seenAt: number;
}

/** A remembered computer with the name of its user. */
export interface KnownComputer extends LastSeenComputer {
  readonly name: string;
}

/** Restores of the office. Every method throws 'offline' if the office is unreachable. */
export interface OfficeRestores {
  /** Returns the last restore; null if there was none. */
  read(): Promise<DetectedOfficeRestore | null>;
  /** Returns which of these operations the office has, with their states in the office. */
  known(ids: readonly string[]): Promise<ReadonlyMap<string, OperationState>>;
  /**
   * Writes lost operations of this computer again, in this order. Operations among them that the
   * office still has get their missing keys. An operation is written even if another computer has
   * claimed one of its keys since the restore. Returns the holders of such keys, by the ID of the
   * lost operation.
   */
  bringBack(lost: readonly LostOperation[]): Promise<ReadonlyMap<string, readonly ClaimHolder[]>>;
  /** Returns the computers of active users, and active users without a computer. */
  desks(): Promise<readonly LastSeenComputer[]>;
  /** Registers computers and users that the office lost. Claims then wait for their reports. */
  miss(id: string, desks: readonly LastSeenComputer[]): Promise<void>;
  /** Marks this computer's report as complete. */
  told(id: string): Promise<void>;
  /** Lets claims no longer wait for the reports of these computers, at a user's request. */
  excuse(id: string, desks: readonly string[]): Promise<void>;
}

export interface JoinedOffice {
  readonly desk: string;
  readonly claims: OfficeClaims;
  readonly leases: TaskLeases;
  /**
   * Returns the claim key of the parts: 32 bytes, the same on every computer of the office, that
   * reveal nothing to the server.
   */
  claimKey(parts: readonly string[]): Uint8Array;
  /** Whether this computer may send without a claim while the office is unreachable. */
  readonly goesOnWithout: boolean;
}

export interface Member {
  readonly membership: OfficeMembership;
  /** Password and keys. Only the credential store has them, and only the adapter parses them. */
  readonly secret: string;
}

/** An office with an open connection. */
export interface OpenOffice {
  readonly joined: JoinedOffice;
  readonly items: SharedItems;
  readonly files: SharedFiles;
  readonly handovers: OfficeHandovers;
  readonly approvals: OfficeApprovals;
  readonly batches: OfficeBatchReports;
  readonly evidenceEnds: OfficeEvidenceEnds;
  readonly putBacks: OfficeRestores;
  /**
   * Calls `heard` with null when a computer wrote shared items, and with the key of a service (hex)
   * when another computer sent something to that service. If the connection was lost, another call
   * of `listen` connects again.
   */
  listen(heard: (service: string | null) => void): Promise<void>;
  /**
   * Notifies the other computers that something was sent to the service with this 32-byte key.
   */
  hint(service: Uint8Array): Promise<void>;
  /** New secret to store, if keys were renewed; otherwise null. */
  readonly renewedSecret: string | null;
  /** Records this computer's visit. Returns the new secret; null if no keys were renewed. */
  visit(): Promise<string | null>;
  /**
   * Returns the users of the office. Throws 'storage' with 'data-damaged' if the entry of a user
   * was not written by the program.
   */
  seats(): Promise<readonly OfficeUser[]>;
  /** Returns the names of current and former users, as far as this computer can read them. */
  seatNames(): Promise<ReadonlyMap<string, string>>;
  checks(): Promise<readonly OfficeCheck[]>;
  /**
   * Returns a page of the operations of all computers that began before `before`, newest first.
   */
  activity(page: OfficeActivityPage): Promise<{ items: OfficeActivity[]; hasMore: boolean }>;
  invite(order: InvitationParameters): Promise<CreatedInvitation>;
  /**
   * Removes a user. Returns the number of the user's database sessions that were still open; they
   * have no rights any more.
   */
  remove(owner: OfficeOwner, seat: OfficeUserId): Promise<{ readonly sessions: number }>;
  close(): Promise<void>;
}

interface OfficeCreation {
  readonly address: OfficeServerAddress;
  readonly owner: OfficeOwner;
  readonly name: string;
  readonly goesOnWithout: boolean;
}

interface InvitationParameters {
  readonly owner: OfficeOwner;
  readonly name: string;
  readonly rights: readonly OfficeUserRight[];
}

interface CreatedInvitation {
  readonly seat: OfficeUserId;
  /** Name of the user's database role. */
  readonly role: string;
  /** Invitation, encrypted with `age` (ASCII armor). */
  readonly invitation: string;
  /**
   * Passphrase of the invitation. The user sends it through another channel; the program stores it
   * nowhere.
   */
  readonly phrase: string;
}

/**
 * Offices and their databases. The module is loaded at the first call, so never while this computer
 * neither is in an office nor creates or joins one.
 */
export interface Offices {
  /** Creates an office. Throws 'conflict' if the database already has one. */
  create(order: OfficeCreation): Promise<Member>;
  /**
   * Joins the office of an invitation. Throws 'invalid' with 'phrase-wrong', 'phrase-other' or
   * 'not-an-invitation'.
   */
  join(invitation: string, phrase: string): Promise<Member>;
  /** Returns the server's address in an invitation. Throws like `join`; sends nothing. */
  addressIn(invitation: string, phrase: string): Promise<OfficeServerAddress>;
  /** Connects to the office. `version`: version of this program, which other computers show. */
  open(member: Member, version: string, mark: OfficeMark): Promise<OpenOffice>;
  upgrade(membership: OfficeMembership, owner: OfficeOwner): Promise<void>;
}

/** A portion of the office's reminders. */
interface ReminderPortion {
  readonly sent: readonly {
    readonly id: string;
    readonly connectionId: ConnectionId;
    readonly agreementId: AgreementId;
    readonly partyId: string;
    readonly at: number;
  }[];
  /** IDs of reminders that were claimed but of which nothing was sent. */
  readonly released: readonly string[];
  /** The office and the services whose reminders were read. */
  readonly source: string;
  readonly upTo: number;
}

/** Office data and users' decisions that are stored on this computer. */
export interface OfficeStore {
  /** Returns null if this computer is in no office. */
  membership(): OfficeMembership | null;
  join(membership: OfficeMembership): void;
  /** Leaves the office. `alongside` writes in the same commit. */
  leave(alongside: () => void): void;
  /** Returns the counter of `OfficeMark`; 0 if this computer has never visited its office. */
  mark(): number;
  reach(mark: number): void;
  /** Returns the former IDs of this computer; see `OfficeMark`. */
  former(): readonly FormerDesk[];
  forgetFormer(former: readonly FormerDesk[]): void;
  /**
   * Returns the known computers of the office. A restored database may lack some of them, which are
   * then registered again.
   */
  desks(): readonly KnownComputer[];
  keepDesks(desks: readonly KnownComputer[]): void;
  /**
   * Returns the value of `NAMES` at this computer's last report of its sends; 0 after it joined
   * another office.
   */
  told(): number;
  /**
   * Records that this computer, with the ID `desk`, reported its sends under the version `names` of
   * `NAMES`. Changes nothing if this computer has another ID by now or is in no office.
   */
  tell(desk: string, names: number): void;
  /**
   * Returns the claims of a key (hex) that the user has seen and lets the send `by` follow. If `by`
   * is null, returns those that the user lets actions follow.
   */
  seen(key: string, by: OutboxRef | null): readonly NumberedClaim[];
  see(claim: ConfirmedClaim, by: OutboxRef | null): void;
  /** Whether the user allowed this send although the office was unreachable. */
  isWithout(ref: OutboxRef): boolean;
  goWithout(ref: OutboxRef): void;
  /** Returns rows that were sent without a claim and not reported to the office yet. */
  unclaimed(): readonly OutboxRef[];
  claimed(ref: OutboxRef): void;
  /**
   * Returns the time up to which reminders of other computers were read; 0 if they were read from
   * another `source`.
   */
  remindersReadUpTo(source: string): number;
  keepReminders(read: ReminderPortion): void;
  /**
   * Returns the shared sets of items, each with the number up to which the office's changes were
   * read.
   */
  shared(): ReadonlyMap<SharedItemSet, number>;
  share(set: SharedItemSet, readUpTo: number): void;
  /** Forgets the office's versions of these kinds. */
  unshare(set: SharedItemSet, kinds: readonly OfficeItemKind[]): void;
  /**
   * Forgets the office's versions of all items, so that they are read again. Removes no items.
   */
  shareAnew(): void;
  item(kind: OfficeItemKind, id: string): KnownItem | null;
  /** Returns the number of the office's items of a kind, without removed ones. */
  countItems(kind: OfficeItemKind): number;
  asked(): readonly KnownItem[];
  /** Returns up to `limit` items whose ID is after `id`, in the order of their IDs. */
  itemsBehind(kind: OfficeItemKind, id: string, limit: number): readonly KnownItem[];
  /** Returns items that cannot be stored on this computer yet. */
  late(kind: OfficeItemKind): readonly KnownItem[];
  putItem(item: KnownItem): void;
  /** Returns the shared drafts, including sent drafts and drafts in the trash. */
  sharedDrafts(): readonly DraftId[];
  isTogether(draft: DraftId): boolean;
  setTogether(draft: DraftId, isTogether: boolean): void;
  given(): readonly HandedOverItem[];
  keepGiven(item: HandedOverItem): void;
  dropGiven(id: string): void;
  /**
   * Records that this computer's version of a draft was kept as the separate draft `draft`, because
   * the user `seat` had changed the draft too.
   */
  keepVersion(draft: DraftId, seat: OfficeUserId, at: number): void;
  keptVersions(): readonly { readonly draft: DraftId; readonly seat: OfficeUserId }[];
}
