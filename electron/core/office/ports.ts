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
import type { HandoverKind } from '../../../shared/contract/office/handovers.ts';
import type { OfficeItemKind, SharedItemSet } from '../../../shared/contract/office/items.ts';
import type {
  AgreementId,
  BatchId,
  ConnectionId,
  DraftId,
  OutboxRef,
} from '../../../shared/model/ids.ts';
import type { Json } from '../../../shared/rules/evidence/canonical-json.ts';
import type { NumberedClaim } from '../../../shared/rules/office/seen-claim.ts';
import type { ApprovalDecision, ApprovalRequest } from '../../../shared/rules/office/approvals.ts';
import type { ExternalEvidenceEnds } from '../evidence/ports.ts';
import type { Lease } from '../turn-ports.ts';
import type { FormerDesk, OfficeMark } from '../mark-ports.ts';

/** Kind of an operation; the database allows a user the kinds of their roles. */
export type OperationKind = OfficeActivityKind;

/** A page of the activity list; null means no restriction. */
interface OfficeActivityPage {
  readonly before: string | null;
  readonly seat: OfficeUserId | null;
  readonly kind: OperationKind | null;
}

/**
 * State of an operation as other computers see it: it may be in flight; the service has it; unknown
 * outcome; a user abandoned it with an unknown outcome; the service has nothing of it.
 */
export type OperationState = 'claimed' | 'done' | 'unknown' | 'given-up' | 'released';

/** Something that may happen once in an office, under a hash that reveals nothing to its server. */
export interface ClaimKey {
  /** 32 bytes. */
  readonly key: Uint8Array;
  /** Claims of the key that the user saw and wants to follow; empty if the user was not asked. */
  readonly seen: readonly NumberedClaim[];
  /** A key that only earlier versions claimed: it is looked up but never claimed. */
  readonly isOlder?: boolean;
}

/** Facts that another computer needs to settle an operation. Encrypted before they leave. */
export interface OperationAbout {
  readonly title: string;
  /** Address of the service, the same on every computer of the office. */
  readonly service: string;
  /** Data for a scan; null if it contains personal numbers that this user may not see. */
  readonly scan: unknown;
}

/** One send, signature, reminder or removal, before its first byte leaves. */
export interface Operation {
  /** `OutboxRef` or `ActionId`; the same for every attempt. */
  readonly id: string;
  readonly kind: OperationKind;
  /** Either all keys are claimed or none. */
  readonly keys: readonly ClaimKey[];
  readonly about: OperationAbout;
}

/** An operation that holds a key. Times are epoch milliseconds by the office's clock. */
export interface HeldBy {
  /** The key, in hexadecimal. */
  readonly key: string;
  readonly id: string;
  readonly generation: number;
  readonly desk: string;
  readonly seat: string;
  readonly state: OperationState;
  readonly startedAt: number;
  readonly settledAt: number | null;
  /** Milliseconds since it was settled, or else since it began. */
  readonly age: number;
}

/** Result of a claim. `held`: the current holders; nothing was claimed. */
export type ClaimResult =
  | { readonly id: string; readonly ok: true }
  | { readonly id: string; readonly ok: false; readonly held: readonly HeldBy[] };

export interface Settled {
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
  /** The user of its computer was removed, so that computer no longer sends anything. */
  readonly isGone: boolean;
  /** Null if this computer cannot read it. */
  readonly about: OperationAbout | null;
}

/**
 * Minimum time (ms) without a change of a claim before another computer may settle it, by state:
 * its computer may still be sending a `claimed` one, and is scanning for an `unknown` one.
 */
export interface Silence {
  readonly claimed: number;
  readonly unknown: number;
}

/** Every method throws 'offline' if the office is unreachable. */
export interface OfficeClaims {
  /**
   * Claims operations in this order, each completely or not at all. An operation that this computer
   * already holds is claimed again, which repeats a lost reply. Throws 'forbidden' if the user may
   * not do one of them; 'conflict' with 'lease-lost', without a claim, if another computer has
   * taken over their task; and 'offline' with 'office-put-back' while it is unknown what a restored
   * office has lost.
   */
  claim(operations: readonly Operation[], lease?: Lease | null): Promise<readonly ClaimResult[]>;
  /** The last holder of each key; nothing for keys without one. */
  holders(keys: readonly Uint8Array[]): Promise<readonly HeldBy[]>;
  /** All holders of the keys, newest first; several after a follow or a restore of the office. */
  allHolders(keys: readonly Uint8Array[]): Promise<readonly HeldBy[]>;
  /** Records outcomes. A done operation stays done, regardless of later reports. */
  settle(outcomes: readonly Settled[]): Promise<void>;
  /** Unsettled operations of this computer: IDs only, because each computer asks every minute. */
  unsettled(): Promise<readonly string[]>;
  /** Unsettled operations of all computers. */
  open(): Promise<readonly OpenOperation[]>;
  /** Takes over settling; false if it is settled, changed recently, or another took it over. */
  takeOver(operation: Pick<OpenOperation, 'id' | 'desk'>, silence: Silence): Promise<boolean>;
  /**
   * Reminders that were claimed, settled or reported at `since` or later by the office's clock, in
   * that order: a restored office learns late about earlier ones.
   */
  reminded(since: number, limit: number): Promise<readonly OfficeReminder[]>;
}

/** A reminder that a computer of the office claimed. */
export interface OfficeReminder {
  readonly id: string;
  readonly startedAt: number;
  /** Time at which the office last received news of it. */
  readonly movedAt: number;
  /** Whether nothing of it was sent. */
  readonly isReleased: boolean;
  /** Null if this computer cannot read it. */
  readonly about: OperationAbout | null;
}

/** A task that one computer of an office does for all of them. */
export type TaskKind = OfficeTask['kind'];

interface Task {
  readonly kind: TaskKind;
  /** 32 bytes that reveal nothing to the server. */
  readonly key: Uint8Array;
  /** Shown to users. Encrypted before it leaves. */
  readonly title: string;
}

/** The current or last holder of a task. Times are epoch milliseconds by the office's clock. */
export interface HeldLease extends Omit<OfficeTask, 'isOwn'> {
  readonly desk: string;
  readonly number: number;
}

type TakenLease =
  /** `now`: the office's time (epoch ms). */
  | { readonly ok: true; readonly lease: Lease; readonly now: number }
  | { readonly ok: false; readonly held: HeldLease };

/** Lengths are milliseconds from now, by the office's clock. Every method throws 'offline'. */
export interface TaskLeases {
  /**
   * Takes a task that is free, has expired, or already belongs to this computer: after a restart, a
   * process continues with the same number. A new number is higher than `above`.
   */
  take(task: Task, length: number, above?: number): Promise<TakenLease>;
  /** False if another computer has it or it was given back. Renews a lease that only expired. */
  renew(lease: Lease, length: number): Promise<boolean>;
  giveBack(lease: Lease): Promise<void>;
  /** Tasks that are held now. */
  list(): Promise<readonly HeldLease[]>;
}

/** A version of a shared item, as written by this computer. */
export interface NewItemVersion {
  readonly kind: OfficeItemKind;
  readonly id: string;
  /** One more than the previous version; 1 for the first. */
  readonly version: number;
  /** Null: the item was removed. */
  readonly content: Json | null;
  /**
   * For a draft without content: a user removed it for everyone. Otherwise, it may still exist for
   * the user who took it out of the office, or a computer with an older version removed it.
   */
  readonly isRemoved?: true;
}

export interface SharedItem extends NewItemVersion {
  readonly seat: OfficeUserId;
  /** Increases in the order in which versions are committed. */
  readonly number: number;
  /** Milliseconds since the commit, by the office's clock. */
  readonly age: number;
  /** Not written by the program, or not decryptable: only `seat`, its writer, is meaningful. */
  readonly isUnreadable?: true;
}

/** Every method throws 'offline' if the office is unreachable. */
export interface SharedItems {
  /** Kinds that this user may see. */
  kinds(): Promise<readonly { readonly kind: OfficeItemKind; readonly mayWrite: boolean }[]>;
  /**
   * The newest versions of items that changed after the number `after`, in ascending order.
   * Unreadable ones are included and marked. Returns fewer than `limit` if they are long.
   */
  changes(
    kinds: readonly OfficeItemKind[],
    after: number,
    limit: number,
  ): Promise<{ readonly items: readonly SharedItem[]; readonly hasMore: boolean }>;
  /**
   * Returns the versions that were written. The others conflict with a version that another
   * computer wrote first. The files of a removed draft are removed in the same transaction.
   */
  write(versions: readonly NewItemVersion[]): Promise<ReadonlySet<NewItemVersion>>;
}

/** Owner of a shared file. Templates share their files. */
export interface FileOwner {
  readonly kind: 'template' | 'draft';
  readonly id: string;
}

/** Files of templates and drafts. Every method throws 'offline' if the office is unreachable. */
export interface SharedFiles {
  /** Keeps an existing file. If a different one is there, the owner's next version says where. */
  put(owner: FileOwner, sha256: string, data: Uint8Array): Promise<void>;
  /** Throws 'storage' with 'data-damaged' if the file is missing, incomplete or another one. */
  read(owner: FileOwner, sha256: string): Promise<Uint8Array>;
}

/** An item as in the office when this computer last read or wrote it. */
export interface KnownItem extends NewItemVersion {
  readonly seat: OfficeUserId;
  /** Fields with an open question to the user here. */
  readonly open: readonly string[];
  /** False: the office has it, but there is no place for it here yet. */
  readonly isHere: boolean;
}

/** An item that one user hands over to another, with a note. */
export interface Handover {
  readonly id: string;
  readonly kind: HandoverKind;
  readonly from: OfficeUserId;
  readonly to: OfficeUserId;
  /** Null if this computer cannot read it. */
  readonly title: string | null;
  readonly note: string;
  /** Epoch milliseconds by the office's clock. */
  readonly givenAt: number;
}

interface HandoverOrder extends Pick<Handover, 'id' | 'kind' | 'to' | 'note'> {
  readonly title: string;
  /** ID of the item. */
  readonly what: string;
  /** Revision of the item; the same revision is handed over only once. */
  readonly revision: number;
  readonly data: Uint8Array;
}

/** Every method throws 'offline' if the office is unreachable. */
export interface OfficeHandovers {
  /** Returns the ID of the handover; the existing one for a repeated call with this revision. */
  give(order: HandoverOrder): Promise<string>;
  /** Handovers to this user, and those from this user that are not accepted; oldest first. */
  list(): Promise<readonly Handover[]>;
  /** Throws 'not-found' if it no longer waits. */
  read(id: string): Promise<Uint8Array>;
  /** Ends the wait and removes the data; false if it had already ended. */
  take(id: string): Promise<boolean>;
  /** Returns, of these, the accepted ones with the user who accepted them, and the unknown ones. */
  ended(ids: readonly string[]): Promise<{
    readonly taken: ReadonlyMap<string, OfficeUserId>;
    readonly unknown: readonly string[];
  }>;
}

/** A handover from here, or an attempted one, until the other user has accepted it. */
export interface GivenItem {
  /** ID of the handover. */
  readonly id: string;
  readonly kind: HandoverKind;
  readonly what: string;
  readonly title: string;
  readonly data: Uint8Array;
  readonly at: number;
  /** Revision that was requested, until the office replies; null once the item waits there. */
  readonly asked: number | null;
}

/** A request for approval by another user. Times are epoch milliseconds by the office's clock. */
export interface RequestedApproval {
  readonly id: string;
  readonly from: OfficeUserId;
  readonly askedAt: number;
  /** Null if this computer cannot read it or its decision. */
  readonly request: ApprovalRequest | null;
  /** Null until a user decided. */
  readonly decision: (ApprovalDecision & { readonly by: OfficeUserId; readonly at: number }) | null;
}

/** Every method throws 'offline' if the office is unreachable. */
export interface OfficeApprovals {
  ask(id: string, request: ApprovalRequest): Promise<void>;
  /** Requests of the last 30 days: undecided ones, and all from this user; oldest first. */
  list(): Promise<readonly RequestedApproval[]>;
  /** False if it was already decided or is this user's own request. Throws 'forbidden'. */
  decide(id: string, decision: ApprovalDecision): Promise<boolean>;
}

/** Progress of a batch on a computer. `at`: epoch milliseconds by the office's clock. */
export interface ReportedBatch extends Omit<OfficeBatchNumbers, 'title'> {
  /** Null if this computer cannot read it; its numbers are 0 then. */
  readonly title: string | null;
  readonly batch: BatchId;
  readonly desk: string;
  readonly seat: OfficeUserId;
  readonly at: number;
}

/** Every method throws 'offline' if the office is unreachable. */
export interface OfficeBatchReports {
  /** Replaces this computer's earlier report of the batch. */
  report(batch: BatchId, numbers: OfficeBatchNumbers): Promise<void>;
  /** Reports of the last seven days, latest change first. */
  list(): Promise<readonly ReportedBatch[]>;
  /** Removes older reports of this computer. */
  dropOld(): Promise<void>;
}

/** Ends of evidence logs, stored where no computer can undo them. Throws 'offline'. */
export interface OfficeEvidenceEnds extends Pick<ExternalEvidenceEnds, 'read'> {
  note(...end: Parameters<ExternalEvidenceEnds['note']>): Promise<void>;
}

/** A restore of the office's database that was detected. Times are by the office's clock. */
export interface DetectedOfficeRestore {
  readonly id: string;
  readonly noticedAt: number;
  /** The newest visit of any computer in the restored database. */
  readonly asOf: number;
  /** Number of the newest change in the restored database. */
  readonly last: number;
  /**
   * Whether this computer has reported. `hasMissed`: it did not report after an earlier restore, so
   * it may know older operations.
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
  /** Epoch milliseconds by this computer's clock. */
  readonly startedAt: number;
}

/** A computer of the office as last seen there, or a user without a computer. */
export interface SeenDesk {
  /** ID of the user if there was no computer. */
  readonly desk: string;
  readonly seat: OfficeUserId;
  /** Name of the user's database role. */
  readonly role: string;
  /** Epoch milliseconds by the office's clock. */
  readonly seenAt: number;
}

/** A remembered computer with the name of its user. */
export interface KnownDesk extends SeenDesk {
  readonly name: string;
}

/** Every method throws 'offline' if the office is unreachable. */
export interface OfficeRestores {
  /** The last restore; null if there was none. */
  read(): Promise<DetectedOfficeRestore | null>;
  /** The operations among these that the office has, with their states there. */
  known(ids: readonly string[]): Promise<ReadonlyMap<string, OperationState>>;
  /**
   * Restores lost operations, in this order, and missing keys of others, even if others hold them
   * now. Returns these holders by operation: they claimed the same since.
   */
  bringBack(lost: readonly LostOperation[]): Promise<ReadonlyMap<string, readonly HeldBy[]>>;
  /** Computers of active users, and active users without a computer. */
  desks(): Promise<readonly SeenDesk[]>;
  /** Registers computers and users that the office lost; claims wait for their reports. */
  miss(id: string, desks: readonly SeenDesk[]): Promise<void>;
  /** Marks this computer's report as complete. */
  told(id: string): Promise<void>;
  /** Excludes these computers from the wait, at a user's request. */
  excuse(id: string, desks: readonly string[]): Promise<void>;
}

export interface JoinedOffice {
  readonly desk: string;
  readonly claims: OfficeClaims;
  readonly leases: TaskLeases;
  /** 32 bytes, the same on every computer; they reveal nothing to the server. */
  claimKey(parts: readonly string[]): Uint8Array;
  /** Whether this computer may send without a claim while the office is unreachable. */
  readonly goesOnWithout: boolean;
}

export interface Member {
  readonly membership: OfficeMembership;
  /** Password and keys, only for the credential store; only the adapter reads them. */
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
   * when another computer sent something there. A repeated call replaces a lost connection.
   */
  listen(heard: (service: string | null) => void): Promise<void>;
  /** Notifies the others that something was sent to the service with this 32-byte key. */
  hint(service: Uint8Array): Promise<void>;
  /** The new secret to store if keys were renewed; else null. */
  readonly renewedSecret: string | null;
  /** Records this computer's visit. Returns the new secret if keys were renewed, else null. */
  visit(): Promise<string | null>;
  /** Throws 'storage' with 'data-damaged' if one of them was not written by the program. */
  seats(): Promise<readonly OfficeUser[]>;
  /** Names of current and former users that this computer can read. */
  seatNames(): Promise<ReadonlyMap<string, string>>;
  checks(): Promise<readonly OfficeCheck[]>;
  /** Operations of all computers, newest first: a page of those that began before `before`. */
  activity(page: OfficeActivityPage): Promise<{ items: OfficeActivity[]; hasMore: boolean }>;
  invite(order: InviteOrder): Promise<Invited>;
  /** `sessions`: number of the user's open sessions, which have no rights any more. */
  remove(owner: OfficeOwner, seat: OfficeUserId): Promise<{ readonly sessions: number }>;
  close(): Promise<void>;
}

interface CreateOrder {
  readonly address: OfficeServerAddress;
  readonly owner: OfficeOwner;
  readonly name: string;
  readonly goesOnWithout: boolean;
}

interface InviteOrder {
  readonly owner: OfficeOwner;
  readonly name: string;
  readonly rights: readonly OfficeUserRight[];
}

interface Invited {
  readonly seat: OfficeUserId;
  /** Name of the user's database role. */
  readonly role: string;
  /** ASCII-armored age text. */
  readonly invitation: string;
  /** Passphrase of the invitation; sent through another channel and stored nowhere. */
  readonly phrase: string;
}

/** Offices and their databases. Loaded at the first call, so never outside of an office. */
export interface Offices {
  script(names: { readonly database: string; readonly owner: string }): string;
  /** Throws 'conflict' if an office exists already. */
  create(order: CreateOrder): Promise<Member>;
  /** Throws 'invalid' with 'phrase-wrong', 'phrase-other' or 'not-an-invitation'. */
  join(invitation: string, phrase: string): Promise<Member>;
  /** Address of the server in an invitation. Throws like `join`; sends nothing. */
  addressIn(invitation: string, phrase: string): Promise<OfficeServerAddress>;
  /** `version`: version of this program, shown to other computers. */
  open(member: Member, version: string, mark: OfficeMark): Promise<OpenOffice>;
  upgrade(membership: OfficeMembership, owner: OfficeOwner): Promise<void>;
}

/** A portion of the office's reminders. */
interface ReadReminders {
  readonly sent: readonly {
    readonly id: string;
    readonly connectionId: ConnectionId;
    readonly agreementId: AgreementId;
    readonly partyId: string;
    readonly at: number;
  }[];
  /** IDs of reminders of which nothing was sent after all. */
  readonly released: readonly string[];
  /** The office and the services whose reminders were kept. */
  readonly source: string;
  readonly upTo: number;
}

/** Office data and users' decisions that are stored on this computer. */
export interface OfficeStore {
  /** Null if this computer is in no office. */
  membership(): OfficeMembership | null;
  join(membership: OfficeMembership): void;
  /** `alongside` writes more in the same commit. */
  leave(alongside: () => void): void;
  /** See `OfficeMark`; 0 if this computer has never visited its office. */
  mark(): number;
  reach(mark: number): void;
  /** See `OfficeMark`. */
  former(): readonly FormerDesk[];
  forgetFormer(former: readonly FormerDesk[]): void;
  /** Known computers of the office, to tell a restored database which ones it lacks. */
  desks(): readonly KnownDesk[];
  keepDesks(desks: readonly KnownDesk[]): void;
  /** Version of `NAMES` at the last report of sends; 0 after joining another office. */
  told(): number;
  /** Changes nothing if this computer has another ID by now or is in no office. */
  tell(desk: string, names: number): void;
  /** Claims of a key (hex) that the user lets this send follow; null: lets acts follow. */
  seen(key: string, by: OutboxRef | null): readonly NumberedClaim[];
  see(claim: ConfirmedClaim, by: OutboxRef | null): void;
  /** Whether the user let it be sent although the office was unreachable. */
  isWithout(ref: OutboxRef): boolean;
  goWithout(ref: OutboxRef): void;
  /** Rows sent without a claim that were not reported to the office yet. */
  unclaimed(): readonly OutboxRef[];
  claimed(ref: OutboxRef): void;
  /** Time up to which others' reminders were read; 0 if they were of another `source`. */
  remindersReadUpTo(source: string): number;
  keepReminders(read: ReadReminders): void;
  /** Shared sets, each with the number up to which the office's changes were read. */
  shared(): ReadonlyMap<SharedItemSet, number>;
  share(set: SharedItemSet, readUpTo: number): void;
  /** Forgets the office's versions of these kinds. */
  unshare(set: SharedItemSet, kinds: readonly OfficeItemKind[]): void;
  /** Forgets the office's versions of everything, to read them again; removes no items. */
  shareAnew(): void;
  item(kind: OfficeItemKind, id: string): KnownItem | null;
  /** Number of items in the office that are not removed. */
  countItems(kind: OfficeItemKind): number;
  asked(): readonly KnownItem[];
  /** Up to `limit` items with an ID after this one, by ID. */
  itemsBehind(kind: OfficeItemKind, id: string, limit: number): readonly KnownItem[];
  /** Items that have no place here yet. */
  late(kind: OfficeItemKind): readonly KnownItem[];
  putItem(item: KnownItem): void;
  /** Shared drafts, also those in the trash and sent ones. */
  sharedDrafts(): readonly DraftId[];
  isTogether(draft: DraftId): boolean;
  setTogether(draft: DraftId, isTogether: boolean): void;
  given(): readonly GivenItem[];
  keepGiven(item: GivenItem): void;
  dropGiven(id: string): void;
  /** Records the other version of a draft, which became a separate draft. */
  keepVersion(draft: DraftId, seat: OfficeUserId, at: number): void;
  keptVersions(): readonly { readonly draft: DraftId; readonly seat: OfficeUserId }[];
}
