import type {
  OfficeAct,
  OfficeActKind,
  OfficeCheck,
  OfficeMembership,
  OfficeOwner,
  OfficeUser,
  OfficeServerAddress,
  OfficeTask,
  SeenClaim,
  SeatId,
  SeatRight,
} from '../../../shared/contract/office/office.ts';
import type { OfficeBatchNumbers } from '../../../shared/contract/office/batches.ts';
import type { HandoverKind } from '../../../shared/contract/office/handovers.ts';
import type { OfficeItemKind, OfficeSet } from '../../../shared/contract/office/items.ts';
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
import type { EndsElsewhere } from '../evidence/ports.ts';
import type { Lease } from '../turn-ports.ts';
import type { FormerDesk, OfficeMark } from '../mark-ports.ts';

/** What an operation does; the database lets a seat do those that its roles name. */
export type OperationKind = OfficeActKind;

/** Null: of all of them. */
interface OfficeActivityPage {
  readonly before: string | null;
  readonly seat: SeatId | null;
  readonly kind: OperationKind | null;
}

/**
 * What other desks know of an operation: it may be on the wire; the service has it; nobody knows; a person
 * gave it up without knowing; nothing of it is at the service.
 */
export type OperationState = 'claimed' | 'done' | 'unknown' | 'given-up' | 'released';

/** What may happen once in an office, under a hash that says nothing to its server. */
export interface ClaimKey {
  /** 32 bytes. */
  readonly key: Uint8Array;
  /** Claims of the key that a person saw and wants to follow; empty where nobody was asked. */
  readonly seen: readonly NumberedClaim[];
  /** An earlier version of the program claimed it by this key: it is looked up, and never claimed. */
  readonly isOlder?: boolean;
}

/** What a desk that settles for another one has to know. Sealed before it leaves. */
export interface OperationAbout {
  readonly title: string;
  /** The service, as every desk of the office names it: its address. */
  readonly service: string;
  /**
   * What a scan needs, as the outbox or the journal of actions wrote it; null where it takes personal
   * numbers, and this seat may not see them.
   */
  readonly scan: unknown;
}

/** One send, signature, reminder or removal, before its first byte leaves. */
export interface Operation {
  /** `OutboxRef` or `ActionId`; the same at every attempt. */
  readonly id: string;
  readonly kind: OperationKind;
  /** All are claimed, or none. */
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
  /** Milliseconds since it was settled, or began. */
  readonly age: number;
}

/** `held`: by whom, and nothing of it was claimed. */
export type Claimed =
  | { readonly id: string; readonly ok: true }
  | { readonly id: string; readonly ok: false; readonly held: readonly HeldBy[] };

/** An outcome. */
export interface Settled {
  readonly id: string;
  readonly state: Exclude<OperationState, 'claimed'>;
}

/** An operation that no desk has settled. */
export interface OpenOperation {
  readonly id: string;
  readonly kind: OperationKind;
  readonly desk: string;
  readonly seat: string;
  readonly state: 'claimed' | 'unknown';
  readonly startedAt: number;
  /** Milliseconds since its desk claimed it or said something of it, by the office's clock. */
  readonly age: number;
  /** Its desk's seat was removed: nothing of it leaves that desk any more. */
  readonly isGone: boolean;
  /** Null when this desk cannot read it. */
  readonly about: OperationAbout | null;
}

/**
 * How long a claim must not have moved before another desk settles it, in milliseconds by the state that it has:
 * its desk may be sending what is `claimed`, and looks for what is `unknown`.
 */
export interface Silence {
  readonly claimed: number;
  readonly unknown: number;
}

/** Every method throws 'offline' where the office cannot be reached. */
export interface OfficeClaims {
  /**
   * Claims operations, each wholly or not at all, in the order given. One that this desk holds already is
   * claimed again: a reply that was lost is asked for a second time. Throws 'forbidden' where the seat may
   * not do one of them; 'conflict' with 'lease-lost', claiming nothing, where they belong to a task
   * that is another desk's by now; and 'offline' with 'office-put-back' while it is not known what an office
   * that was put back has lost.
   */
  claim(operations: readonly Operation[], lease?: Lease | null): Promise<readonly Claimed[]>;
  /** Who had each of these keys last; none where nobody has. */
  holders(keys: readonly Uint8Array[]): Promise<readonly HeldBy[]>;
  /** Everybody who has them, newest first: more than one where they followed each other, or an office was put back. */
  allHolders(keys: readonly Uint8Array[]): Promise<readonly HeldBy[]>;
  /** Writes outcomes. What is done stays done, whatever is said later. */
  settle(outcomes: readonly Settled[]): Promise<void>;
  /** What this desk has not settled: ids alone, since each desk asks every minute. */
  unsettled(): Promise<readonly string[]>;
  /** Those of other desks, and of this one, that are not settled. */
  open(): Promise<readonly OpenOperation[]>;
  /** Makes this desk the one that settles it; false when it is another desk's by now, settled, or moved lately. */
  takeOver(operation: Pick<OpenOperation, 'id' | 'desk'>, silence: Silence): Promise<boolean>;
  /**
   * Reminders that desks claimed, settled or told at `since` or later, by the office's clock, in that order: an
   * office that was put back is told late of what began long ago.
   */
  reminded(since: number, limit: number): Promise<readonly OfficeReminder[]>;
}

/** A reminder that a desk of the office claimed. */
export interface OfficeReminder {
  readonly id: string;
  readonly startedAt: number;
  /** When the office learned it, or anything of it. */
  readonly movedAt: number;
  /** Nothing of it left. */
  readonly isReleased: boolean;
  /** Null when this desk cannot read it. */
  readonly about: OperationAbout | null;
}

/** What one desk of an office does for all of them. */
export type TaskKind = OfficeTask['kind'];

interface Task {
  readonly kind: TaskKind;
  /** 32 bytes, which say nothing to the server. */
  readonly key: Uint8Array;
  /** For people. Sealed before it leaves. */
  readonly title: string;
}

/** A task that a desk does now, or did last. Times are epoch milliseconds by the office's clock. */
export interface HeldLease extends Omit<OfficeTask, 'isOwn'> {
  readonly desk: string;
  readonly number: number;
}

type TakenLease =
  /** `now`: by the office's clock. */
  | { readonly ok: true; readonly lease: Lease; readonly now: number }
  | { readonly ok: false; readonly held: HeldLease };

/** Lengths are milliseconds from now, by the office's clock. Every method throws 'offline'. */
export interface TaskLeases {
  /**
   * Takes one that is free, ran out, or is this desk's already: a process that was started again goes on
   * with the same number. What it gets is higher than `above`.
   */
  take(task: Task, length: number, above?: number): Promise<TakenLease>;
  /** False: it is another desk's by now, or was given back. One that only ran out is held again. */
  renew(lease: Lease, length: number): Promise<boolean>;
  giveBack(lease: Lease): Promise<void>;
  /** Those that are held now. */
  list(): Promise<readonly HeldLease[]>;
}

/** A version of what desks share, as this desk writes it. */
export interface NewItemVersion {
  readonly kind: OfficeItemKind;
  readonly id: string;
  /** One more than the one that it follows; 1 for the first. */
  readonly version: number;
  /** Null: it was removed. */
  readonly content: Json | null;
  /**
   * Of a draft without content: a person removed it for all. Without this it may be here still, with whoever took it
   * out of the office, or was removed by a desk of an older version.
   */
  readonly isRemoved?: true;
}

/** A version that the office has. */
export interface SharedItem extends NewItemVersion {
  readonly seat: SeatId;
  /** Grows in the order in which versions are committed. */
  readonly number: number;
  /** Milliseconds since it was committed, by the office's clock. */
  readonly age: number;
  /** No desk wrote it so, or no key of this seat opens it: `content` says nothing, and the seat is who wrote it. */
  readonly isUnreadable?: true;
}

/** Every method throws 'offline' where the office cannot be reached. */
export interface SharedItems {
  /** Those that this seat may see. */
  kinds(): Promise<readonly { readonly kind: OfficeItemKind; readonly mayWrite: boolean }[]>;
  /**
   * The newest version of each item that was changed behind the number `after`, by number. One that cannot be read
   * is among them and says so. Fewer than `limit` where they are long.
   */
  changes(
    kinds: readonly OfficeItemKind[],
    after: number,
    limit: number,
  ): Promise<{ readonly items: readonly SharedItem[]; readonly hasMore: boolean }>;
  /**
   * Gives those that were written; the others follow no version, since another desk was first. The files of
   * a draft that is removed go in the same moment.
   */
  write(versions: readonly NewItemVersion[]): Promise<ReadonlySet<NewItemVersion>>;
}

/** What a shared file is of. Templates share theirs. */
export interface FileOwner {
  readonly kind: 'template' | 'draft';
  readonly id: string;
}

/** Files of templates and drafts. Every method throws 'offline' where the office cannot be reached. */
export interface SharedFiles {
  /** One that is there stays. Where another lies in its place, the owner's next version says where this one is. */
  put(owner: FileOwner, sha256: string, data: Uint8Array): Promise<void>;
  /** Throws 'storage' with 'data-damaged' where it is not there whole, or another file is there in its place. */
  read(owner: FileOwner, sha256: string): Promise<Uint8Array>;
}

/** An item as the office had it when this desk last read or wrote it. */
export interface KnownItem extends NewItemVersion {
  readonly seat: SeatId;
  /** Fields of which a person here is asked. */
  readonly open: readonly string[];
  /** False: the office has it, and this desk has no place for it yet. */
  readonly isHere: boolean;
}

/** Something that one seat gives to another, with what the giver says about it. */
export interface Handover {
  readonly id: string;
  readonly kind: HandoverKind;
  readonly from: SeatId;
  readonly to: SeatId;
  /** Null when this desk cannot read it. */
  readonly title: string | null;
  readonly note: string;
  /** Epoch milliseconds, by the office's clock. */
  readonly givenAt: number;
}

interface HandoverOrder extends Pick<Handover, 'id' | 'kind' | 'to' | 'note'> {
  readonly title: string;
  /** The id of what is given. */
  readonly what: string;
  /** Of it: the same one is given once. */
  readonly revision: number;
  readonly data: Uint8Array;
}

/** Every method throws 'offline' where the office cannot be reached. */
export interface OfficeHandovers {
  /** Asked again with the same revision, nothing more is given. Gives the id under which it waits. */
  give(order: HandoverOrder): Promise<string>;
  /** What waits for this seat, and what it gave and nobody has taken; oldest first. */
  list(): Promise<readonly Handover[]>;
  /** Throws 'not-found' where it waits no more. */
  read(id: string): Promise<Uint8Array>;
  /** It waits no more, and its data is gone; false where that was so already. */
  take(id: string): Promise<boolean>;
  /** Of these, those that were taken, each with who took it; and those of which nothing is known. */
  ended(ids: readonly string[]): Promise<{
    readonly taken: ReadonlyMap<string, SeatId>;
    readonly unknown: readonly string[];
  }>;
}

/** What was given from here, until the other seat has it; and what may have been given. */
export interface GivenItem {
  /** Of the handover. */
  readonly id: string;
  readonly kind: HandoverKind;
  readonly what: string;
  readonly title: string;
  readonly data: Uint8Array;
  readonly at: number;
  /** Of what was asked for, while the office has not replied; null once it waits there. */
  readonly asked: number | null;
}

/** What a seat asks another one to approve. Times are epoch milliseconds by the office's clock. */
export interface RequestedApproval {
  readonly id: string;
  readonly from: SeatId;
  readonly askedAt: number;
  /** Null when this desk cannot read it, or what was decided of it. */
  readonly request: ApprovalRequest | null;
  /** Null until a seat decided. */
  readonly decision: (ApprovalDecision & { readonly by: SeatId; readonly at: number }) | null;
}

/** Every method throws 'offline' where the office cannot be reached. */
export interface OfficeApprovals {
  ask(id: string, request: ApprovalRequest): Promise<void>;
  /** Of the last 30 days: what nobody has decided, and all that this seat asked; oldest first. */
  list(): Promise<readonly RequestedApproval[]>;
  /** False where it was decided already, or this seat asked. Throws 'forbidden'. */
  decide(id: string, decision: ApprovalDecision): Promise<boolean>;
}

/** How far a batch is at a desk. `at`: epoch milliseconds, by the office's clock. */
export interface ReportedBatch extends Omit<OfficeBatchNumbers, 'title'> {
  /** Null when this desk cannot read it: its numbers are 0 then. */
  readonly title: string | null;
  readonly batch: BatchId;
  readonly desk: string;
  readonly seat: SeatId;
  readonly at: number;
}

/** Every method throws 'offline' where the office cannot be reached. */
export interface OfficeBatchReports {
  /** In the place of what this desk reported of it before. */
  report(batch: BatchId, numbers: OfficeBatchNumbers): Promise<void>;
  /** Of the last seven days, what changed last first. */
  list(): Promise<readonly ReportedBatch[]>;
  /** Of this desk, what is older. */
  dropOld(): Promise<void>;
}

/** Where evidence logs ended, kept where no desk can take it back. Throws 'offline'. */
export interface OfficeEvidenceEnds extends Pick<EndsElsewhere, 'read'> {
  note(...end: Parameters<EndsElsewhere['note']>): Promise<void>;
}

/** A time at which the office's database was found to be an older one. Times are the office's. */
export interface FoundPutBack {
  readonly id: string;
  readonly noticedAt: number;
  /** The newest visit of any desk that the database held then. */
  readonly asOf: number;
  /** The number of the newest change that it held. */
  readonly last: number;
  /** This desk has told what it knows. `hasMissed`: not after an earlier time, so that it may know what is older. */
  readonly isTold: boolean;
  readonly hasMissed: boolean;
  /** Desks that have not; nothing is claimed while there are any. */
  readonly awaited: readonly {
    readonly desk: string;
    readonly seat: SeatId;
    readonly seenAt: number;
  }[];
}

/** An operation that the office had before it was put back. */
export interface LostOperation extends Operation {
  readonly state: Exclude<OperationState, 'claimed' | 'released'>;
  /** By this desk's clock, epoch milliseconds. */
  readonly startedAt: number;
}

/** A desk of the office, as this one last met it there; or a seat that had no desk yet. */
export interface MetDesk {
  /** The id of the seat where it had none. */
  readonly desk: string;
  readonly seat: SeatId;
  /** By which the server knows the seat. */
  readonly role: string;
  /** Epoch milliseconds, by the office's clock. */
  readonly seenAt: number;
}

/** One that this desk remembers, with who sits there. */
export interface KnownDesk extends MetDesk {
  readonly name: string;
}

/** Every method throws 'offline' where the office cannot be reached. */
export interface OfficePutBacks {
  /** The last one; null where there was none. */
  read(): Promise<FoundPutBack | null>;
  /** Those of these operations that the office has, each in the state that it has there. */
  known(ids: readonly string[]): Promise<ReadonlyMap<string, OperationState>>;
  /**
   * Writes operations that the office lost, in this order, and keys that it lacks of others; whoever holds them by
   * now. Gives who does, by operation: another desk claimed the same since.
   */
  bringBack(lost: readonly LostOperation[]): Promise<ReadonlyMap<string, readonly HeldBy[]>>;
  /** Desks whose seat was not removed, and such seats without a desk. */
  desks(): Promise<readonly MetDesk[]>;
  /** Desks and seats that the office has lost: nothing is claimed before they have told what they know. */
  miss(id: string, desks: readonly MetDesk[]): Promise<void>;
  /** This desk has told all that it knows. */
  told(id: string): Promise<void>;
  /** A person does not wait for these desks. */
  excuse(id: string, desks: readonly string[]): Promise<void>;
}

/** The office that this desk is in. */
export interface JoinedOffice {
  readonly desk: string;
  readonly claims: OfficeClaims;
  readonly leases: TaskLeases;
  /** 32 bytes, the same at every desk; they say nothing to the server. */
  claimKey(parts: readonly string[]): Uint8Array;
  /** What sends this desk does without a claim while the office cannot be reached. */
  readonly goesOnWithout: boolean;
}

/** What makes this desk one of an office. */
export interface Member {
  readonly membership: OfficeMembership;
  /** Password and keys, for the credential store alone; only the adapter reads it. */
  readonly secret: string;
}

/** An office while this desk is connected to it. */
export interface OpenOffice {
  readonly joined: JoinedOffice;
  readonly items: SharedItems;
  readonly files: SharedFiles;
  readonly handovers: OfficeHandovers;
  readonly approvals: OfficeApprovals;
  readonly batches: OfficeBatchReports;
  readonly evidenceEnds: OfficeEvidenceEnds;
  readonly putBacks: OfficePutBacks;
  /**
   * Calls `heard` whenever a desk wrote what is shared, with null, and whenever another one sent something to a
   * service, with that one's key in hexadecimal. Asked again, it makes up for a lost connection.
   */
  listen(heard: (service: string | null) => void): Promise<void>;
  /** Lets the others know that something was sent to the service with this key of 32 bytes. */
  hint(service: Uint8Array): Promise<void>;
  /** As it has to be kept from now on, where keys were renewed; else null. */
  readonly renewedSecret: string | null;
  /** This desk was here; learns what keys were renewed meanwhile, and gives the secret then. */
  visit(): Promise<string | null>;
  /** Throws 'storage' with 'data-damaged' when one of them is not what a desk wrote. */
  seats(): Promise<readonly OfficeUser[]>;
  /** Of those who sit there, or sat; without those that this desk cannot read. */
  seatNames(): Promise<ReadonlyMap<string, string>>;
  checks(): Promise<readonly OfficeCheck[]>;
  /** What the desks did, newest first: a page of those that began before `before`. */
  activity(page: OfficeActivityPage): Promise<{ items: OfficeAct[]; hasMore: boolean }>;
  invite(order: InviteOrder): Promise<Invited>;
  /** `sessions`: of that seat, which have not ended yet. They have no right any more. */
  remove(owner: OfficeOwner, seat: SeatId): Promise<{ readonly sessions: number }>;
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
  readonly rights: readonly SeatRight[];
}

interface Invited {
  readonly seat: SeatId;
  /** By which the server knows the seat. */
  readonly role: string;
  /** Text in age's armor. */
  readonly invitation: string;
  /** What opens it; told by other means, and kept nowhere. */
  readonly phrase: string;
}

/** Offices and their databases. Loaded with the first call: a desk in no office loads none of it. */
export interface Offices {
  script(names: { readonly database: string; readonly owner: string }): string;
  /** Throws 'conflict' where there is an office already. */
  create(order: CreateOrder): Promise<Member>;
  /** Throws 'invalid' with 'phrase-wrong', 'phrase-other' or 'not-an-invitation'. */
  join(invitation: string, phrase: string): Promise<Member>;
  /** Where the server of an invitation is. Throws as `join` does, and asks nobody. */
  addressIn(invitation: string, phrase: string): Promise<OfficeServerAddress>;
  /** `version`: of this program, for other desks to see. */
  open(member: Member, version: string, mark: OfficeMark): Promise<OpenOffice>;
  upgrade(membership: OfficeMembership, owner: OfficeOwner): Promise<void>;
}

/** A stretch of what the office knows of reminders. */
interface ReadReminders {
  readonly sent: readonly {
    readonly id: string;
    readonly connectionId: ConnectionId;
    readonly agreementId: AgreementId;
    readonly partyId: string;
    readonly at: number;
  }[];
  /** Of which nothing left after all. */
  readonly released: readonly string[];
  /** The office, and the services of which they were kept. */
  readonly source: string;
  readonly upTo: number;
}

/** What people decided, kept on this computer. */
export interface OfficeStore {
  /** Null while this desk is in no office. */
  membership(): OfficeMembership | null;
  join(membership: OfficeMembership): void;
  /** `alongside` writes more in the same commit. */
  leave(alongside: () => void): void;
  /** See `OfficeMark`; 0 for a desk that never was in its office. */
  mark(): number;
  reach(mark: number): void;
  /** See `OfficeMark`. */
  former(): readonly FormerDesk[];
  forgetFormer(former: readonly FormerDesk[]): void;
  /** Desks of the office that this one has met, so that an older database is told whom it lacks. */
  desks(): readonly KnownDesk[];
  keepDesks(desks: readonly KnownDesk[]): void;
  /** Up to which names (`NAMES`) this desk has told its office what it did; 0 since it joined another one. */
  told(): number;
  /** Nothing changes where the desk is another one by now, or in no office. */
  tell(desk: string, names: number): void;
  /** Claims of a key, in hexadecimal, that a person saw and lets this send follow; null: and lets acts follow. */
  seen(key: string, by: OutboxRef | null): readonly NumberedClaim[];
  see(claim: SeenClaim, by: OutboxRef | null): void;
  /** Whether a person let it go although the office could not be asked. */
  isWithout(ref: OutboxRef): boolean;
  goWithout(ref: OutboxRef): void;
  /** Those that were not reported to the office yet. */
  unclaimed(): readonly OutboxRef[];
  claimed(ref: OutboxRef): void;
  /** Up to when it was read whom other desks reminded; 0 where that was of another `source`. */
  remindersReadUpTo(source: string): number;
  keepReminders(read: ReadReminders): void;
  /** What this desk shares, each with the number up to which it has read the office's changes. */
  shared(): ReadonlyMap<OfficeSet, number>;
  share(set: OfficeSet, readUpTo: number): void;
  /** What the office had of these kinds is forgotten. */
  unshare(set: OfficeSet, kinds: readonly OfficeItemKind[]): void;
  /** How the office had all of it is forgotten, and read again; nothing is removed by that. */
  shareAnew(): void;
  item(kind: OfficeItemKind, id: string): KnownItem | null;
  /** How many the office has that were not removed. */
  countItems(kind: OfficeItemKind): number;
  /** Those of which a person is asked something. */
  asked(): readonly KnownItem[];
  /** So many behind this id, by id. */
  itemsBehind(kind: OfficeItemKind, id: string, limit: number): readonly KnownItem[];
  /** Those that are not here. */
  late(kind: OfficeItemKind): readonly KnownItem[];
  putItem(item: KnownItem): void;
  /** Drafts that are worked on together, also those that are in the trash or were sent. */
  sharedDrafts(): readonly DraftId[];
  isTogether(draft: DraftId): boolean;
  setTogether(draft: DraftId, isTogether: boolean): void;
  given(): readonly GivenItem[];
  keepGiven(item: GivenItem): void;
  dropGiven(id: string): void;
  /** The other version of a draft, which became one of its own. */
  keepVersion(draft: DraftId, seat: SeatId, at: number): void;
  keptVersions(): readonly { readonly draft: DraftId; readonly seat: SeatId }[];
}
