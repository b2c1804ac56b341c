import type { VaultState, VaultStore } from '../../shared/contract/access.ts';
import type { Capabilities, Connection, TestStep } from '../../shared/contract/connections.ts';
import type { Draft, DraftContent, DraftFile } from '../../shared/contract/drafts.ts';
import type {
  AgreementId,
  ApiName,
  ConnectionId,
  DraftId,
  FileId,
  IdentityId,
  OutboxRef,
  TemplateId,
} from '../../shared/model/ids.ts';
import type { Settings } from '../../shared/contract/settings.ts';
import type { Identity, NewIdentity } from '../../shared/contract/signing.ts';
import type { PdfForm, PdfValues } from '../../shared/contract/templates.ts';
import type { PageGuides } from '../../shared/model/page-guides.ts';
import type { FoundPlace, PlacedField } from '../../shared/model/placed-field.ts';
import type { CarriedPlaces } from '../../shared/rules/forms/carry-places.ts';
import type { Failure, MissingCharacter, TextFit } from '../../shared/errors.ts';
import type { RemoteAgreement } from '../../shared/model/agreement.ts';
import type { TemplateContent } from '../../shared/model/template.ts';
import type { ActionStore } from './actions/ports.ts';
import type { ArchiveStore } from './archive/ports.ts';
import type { BackupStore } from './backup/ports.ts';
import type { BatchStore } from './batches/ports.ts';
import type { EvidenceStore } from './evidence/ports.ts';
import type { FormStore } from './forms/ports.ts';
import type { AgreementReader, AgreementStore } from './agreements/ports.ts';
import type { BoardStore } from './board/ports.ts';
import type { Download } from './file-ports.ts';
import type { OutboxStore, ScanQuery, ScanReading } from './outbox/ports.ts';
import type { CorrectionStore } from './corrections/ports.ts';
import type { DigestStore } from './digest/ports.ts';
import type { DraftHistory } from './drafts/ports.ts';
import type { IntakeStore } from './intake/ports.ts';
import type { OfficeStore } from './office/ports.ts';
import type { PrivacyStore } from './privacy/ports.ts';
import type { PeopleStore } from './people/ports.ts';
import type { ReminderStore } from './reminders/ports.ts';
import type { CopyWriter, PagePlace, SyncStore } from './sync/ports.ts';
import type { UpdateStore } from './updates/ports.ts';
import type { MergedPdf, PdfCompiler, TemplateStore } from './templates/ports.ts';

/** Wall-clock time and timers. Tests advance this clock by hand. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Runs `run` once after `milliseconds`; the returned function cancels it. */
  after(milliseconds: number, run: () => void): () => void;
}

/**
 * Lets long work run in steps on the main loop, which also sends requests and answers the window.
 */
export interface Scheduler {
  /** Yields to other ready work, so that requests leave and answers are processed. */
  yield(): Promise<void>;
}

export interface Chance {
  /** A random UUID, version 4. */
  uuid(): string;
  /** A random number from 0 up to, but not including, 1. */
  fraction(): number;
}

/**
 * Log of the program. The adapter allows only certain fields: counts, codes and the program's own
 * IDs, never text that a user typed.
 */
export interface Log {
  info(event: string, fields?: Readonly<Record<string, string | number | boolean>>): void;
  /** Writes the redacted stack and returns the reference for finding it. */
  error(error: unknown, during: string): string;
}

/** Converts texts and bytes; throws `TypeError` for malformed input. */
export interface Encoding {
  utf8(text: string): Uint8Array;
  text(utf8: Uint8Array): string;
  base64(data: Uint8Array): string;
  bytes(base64: string): Uint8Array;
}

/** Credentials and the data key. Every method throws `AppError` 'vault' with the reason. */
export interface Vault {
  readonly store: VaultStore;
  status(): Promise<VaultState>;
  read(name: string): Promise<string | null>;
  write(name: string, secret: string): Promise<void>;
  /** Returns whether the name existed. */
  remove(name: string): Promise<boolean>;
}

// ---------------------------------------------------------------- the service

export interface ChangePage {
  readonly items: readonly RemoteAgreement[];
  /** Total number of agreements, if the service reports it. */
  readonly total: number | null;
  /** The server's `Date` (epoch ms). */
  readonly serverTime: number | null;
  readonly place: PagePlace;
}

/** Outcome of one request that changes something at the service. */
export type WriteResult =
  | { readonly kind: 'done'; readonly remoteId: string | null; readonly serverTime: number | null }
  /** The API rejected this exact request. */
  | { readonly kind: 'refused'; readonly failure: Failure; readonly serverTime?: number | null }
  /** Not one byte of the request left this computer. */
  | { readonly kind: 'not-sent'; readonly failure: Failure }
  /** Rejected before processing, because of the credentials or a rate limit. */
  | { readonly kind: 'turned-away'; readonly failure: Failure; readonly serverTime?: number | null }
  /** Any other outcome. Never repeated automatically. */
  | { readonly kind: 'unknown'; readonly failure: Failure; readonly serverTime?: number | null };

/** The signature of a company party, fixed completely before the first attempt. */
export interface SignRequest {
  readonly agreementId: AgreementId;
  /** v1: party UUID. v2: organisation number. */
  readonly partyId: string;
  /** v1: signing configuration UUID. v2: `company`. */
  readonly configurationId: string;
  readonly body: Uint8Array;
}

export interface Signer {
  readonly firstName: string;
  readonly lastName: string;
  readonly personNumber: string | null;
  readonly country: string | null;
  readonly email: string | null;
  readonly mobile: string | null;
  /** v2 only: the company that the person signs for. */
  readonly orgNo: string | null;
}

export type { Download };

/** The service behind one connection. Reads throw `AppError`; writes return a `WriteResult`. */
export interface AgreementService {
  readonly capabilities: Capabilities;
  /** Returns the number of requests since the service was opened, for the summary of a sync. */
  requestCount(): number;
  /**
   * Yields pages of agreements that changed at or after `since` (null: all agreements), from
   * `place` on.
   */
  changes(since: number | null, signal: AbortSignal, place?: PagePlace): AsyncIterable<ChangePage>;
  /** Returns the number of agreements that wait for signatures, as counted by the service. */
  countOpen(signal: AbortSignal): Promise<number>;
  /** Yields pages of the agreements that wait for signatures. */
  open(signal: AbortSignal, place?: PagePlace): AsyncIterable<ChangePage>;
  /** Reads an agreement. Throws 'not-found' for HTTP 404 and 'forbidden' for 403. */
  read(id: AgreementId, signal: AbortSignal): Promise<RemoteAgreement>;
  /**
   * Returns the exact bytes of a create request. If the API has tags, `ref` is written as a tag.
   */
  encodeCreate(content: DraftContent, files: OutgoingFiles, ref: OutboxRef): Uint8Array;
  /**
   * Uploads files that are too large for the create request; null if the API does not support it.
   */
  readonly uploadFirst: PreUpload | null;
  create(body: Uint8Array, signal: AbortSignal): Promise<WriteResult>;
  /** Fingerprint of the credential, stable for the same credential. */
  readonly credential: string;
  /** Reads the full list from `query.from` on; calls `onPage` after each page. */
  scan(query: ScanQuery, onPage: () => void, signal: AbortSignal): Promise<ScanReading>;
  /** Returns the exact bytes of a sign request; `signedAt` must be the same for every attempt. */
  encodeSign(signer: Signer, signedAt: number): Uint8Array;
  sign(request: SignRequest, signal: AbortSignal): Promise<WriteResult>;
  /** Downloads the concluded PDF; throws 'conflict' with 'not-concluded' before that. */
  download(id: AgreementId, signal: AbortSignal): Promise<Download>;
  /**
   * Downloads a v1 attachment: requests its presigned link, and follows the link without
   * credentials.
   */
  downloadDocument(id: AgreementId, documentId: string, signal: AbortSignal): Promise<Download>;
  /**
   * Yields the test steps in order; ends after a failure that makes the remaining steps pointless.
   */
  test(signal: AbortSignal): AsyncIterable<TestStep>;
}

/** Files that are uploaded before the create request, which refers to them by token. */
export interface PreUpload {
  /**
   * Returns the files to upload, in the order of the create request; empty if they fit into the
   * request. Throws 'invalid' with 'too-large'.
   */
  filesOf(content: DraftContent, files: OutgoingFiles): readonly OutgoingFile[];
  /** Adds the tokens to the create request; they must be in the order of `filesOf`. */
  complete(body: Uint8Array, tokens: readonly string[]): Uint8Array;
}

export type OutgoingFiles = ReadonlyMap<FileId, OutgoingFile>;

export interface OutgoingFile {
  readonly name: string;
  readonly data: Uint8Array;
  readonly modifiedAt: number | null;
}

/** Receives the `Date` of each answer of the service (epoch ms); null where an answer has none. */
export type OnServiceTime = (serverTime: number | null) => void;

/** Opens a connection's service with its secret. Throws 'invalid' for an invalid address. */
export type OpenService = (
  connection: Pick<Connection, 'api' | 'url' | 'accountId' | 'orgNo' | 'environment'>,
  secret: string,
  hearClock?: OnServiceTime,
) => AgreementService;

/** The built-in demo service, started on first use. Its made-up credentials are not stored. */
export interface DemoService {
  urls(): Promise<{
    readonly v1Url: string;
    readonly v2Url: string;
    readonly token: string;
    readonly accessKey: string;
    readonly accountId: string;
    readonly orgNo: string;
  }>;
  /** A form with its mapping, and a spreadsheet with rows for it. */
  samples(): Promise<{
    readonly template: SampleTemplate;
    readonly batch: SampleBatch;
  }>;
}

interface SampleTemplate {
  readonly name: string;
  readonly api: ApiName;
  readonly fileName: string;
  readonly pdf: Uint8Array;
  readonly content: TemplateContent;
}

interface SampleBatch {
  readonly name: string;
  readonly fileName: string;
  readonly sheet: Uint8Array;
}

// ---------------------------------------------------------------- stores

/** The lasting facts of a connection, also of a removed one. */
export type KnownConnection = Pick<Connection, 'id' | 'name' | 'api' | 'url' | 'environment'>;

export interface ConnectionStore {
  list(): readonly Connection[];
  /** Returns all connections, also removed ones, because records of their use remain. */
  ever(): readonly KnownConnection[];
  /** Throws 'not-found'. */
  get(id: ConnectionId): Connection;
  save(connection: Connection): void;
  /**
   * Removes a connection. With `agreements` 'keep', its local copies stay readable under its name.
   */
  remove(id: ConnectionId, agreements: 'keep' | 'delete', drafts: 'keep' | 'delete'): void;
  /** Returns the server time of the last complete sync; null before the first one. */
  checkedUntil(id: ConnectionId): number | null;
  setCheckedUntil(id: ConnectionId, serverTime: number, checkedAt: number): void;
  /**
   * Returns the local time of the last complete sync; null before the first one and after
   * `forgetCheckedAt`.
   */
  checkedAt(id: ConnectionId): number | null;
  /**
   * Forgets `checkedAt`; called when this data was restored, copied or moved, because nothing has
   * been read since then.
   */
  forgetCheckedAt(): void;
}

export type { AgreementReader, AgreementStore, ArchiveStore };

interface LockedDraft {
  readonly id: DraftId;
  readonly sending: OutboxRef;
}

export interface DraftStore extends DraftHistory {
  list(): readonly Draft[];
  ids(): readonly DraftId[];
  /** Returns the drafts that are being sent, without their content. */
  locked(): readonly LockedDraft[];
  /** Throws 'not-found'. */
  get(id: DraftId): Draft;
  /**
   * Inserts the draft and everything that `give` adds, in one transaction; inserts nothing if
   * `give` throws.
   */
  insert(draft: Draft, give?: () => void): void;
  /**
   * Saves the draft. Throws 'conflict' if the stored revision is not `revision`, or 'draft-locked'
   * while the draft is being sent.
   */
  save(
    id: DraftId,
    revision: number,
    content: DraftContent,
    connectionId: ConnectionId | null,
    at: number,
    /** ID of the edit; a save with the ID of the last edit is merged into it. */
    edit?: string,
  ): Draft;
  /**
   * Stores a draft from another computer, with its files: as a new draft, or instead of the
   * existing one, which may be in the trash. Returns false if the existing draft is being sent or
   * was sent, or if file data is missing.
   */
  receive(
    draft: Pick<Draft, 'id' | 'content' | 'connectionId' | 'files'>,
    dataOf: (file: DraftFile) => Uint8Array | null,
    at: number,
  ): boolean;
  /** Whether the draft is being sent or was sent. */
  isClosed(id: DraftId): boolean;
  addFile(id: DraftId, file: DraftFile, data: Uint8Array, modifiedAt: number | null): void;
  removeFile(id: DraftId, file: FileId): void;
  fileData(id: DraftId, file: FileId): OutgoingFile;
  setSending(id: DraftId, ref: OutboxRef | null): void;
  /**
   * Returns the ID that the draft has on all computers; null if that is its local ID. Also works
   * for drafts in the trash and sent ones.
   */
  origin(id: DraftId): DraftId | null;
  setOrigin(id: DraftId, origin: DraftId | null): void;
  noteTemplate(id: DraftId, templateId: TemplateId): void;
}

export interface StoredIdentity extends Identity {
  readonly personNumber: string | null;
}

export type NamedIdentity = NewIdentity & Pick<Identity, 'name'>;

export interface IdentityStore {
  list(): readonly StoredIdentity[];
  /** Throws 'not-found'. */
  get(id: IdentityId): StoredIdentity;
  insert(id: IdentityId, identity: NamedIdentity): StoredIdentity;
  remove(id: IdentityId): void;
}

export interface SettingStore {
  read(): Settings;
  write(change: Partial<Settings>): Settings;
}

export interface OwnUserStore {
  /**
   * Returns the service's user to whom a connection's credential belongs: the owner of the
   * agreements sent from this computer, or of any agreement that is not shared. Null if no local
   * copy shows the user.
   */
  find(connectionId: ConnectionId): string | null;
}

export interface Stores {
  /**
   * Commits everything that `work` writes with one wait for the disk, or nothing if `work` throws.
   */
  transaction<Result>(work: () => Result): Result;
  /**
   * Like `transaction`, but without waiting for the disk: a power cut may lose the last of these
   * transactions.
   */
  quickTransaction<Result>(work: () => Result): Result;
  readonly board: BoardStore;
  readonly actions: ActionStore;
  readonly connections: ConnectionStore;
  readonly agreements: AgreementStore;
  readonly ownUsers: OwnUserStore;
  readonly sync: SyncStore;
  readonly drafts: DraftStore;
  readonly people: PeopleStore;
  readonly templates: TemplateStore;
  readonly batches: BatchStore;
  readonly outbox: OutboxStore;
  readonly evidence: EvidenceStore;
  readonly identities: IdentityStore;
  readonly settings: SettingStore;
  readonly forms: FormStore;
  readonly archive: ArchiveStore;
  readonly updates: UpdateStore;
  readonly reminders: ReminderStore;
  readonly corrections: CorrectionStore;
  readonly digest: DigestStore;
  readonly intake: IntakeStore;
  readonly backup: BackupStore;
  readonly privacy: PrivacyStore;
  readonly office: OfficeStore;
}

export type { CopyWriter };

// ---------------------------------------------------------------- files and PDFs

export type {
  AcceptBytes,
  Files,
  NamedFile,
  PathKind,
  ReceivingSteps,
  WrittenFile,
} from './file-ports.ts';

/** Function that returns the SHA-256 of data in hex. */
export type Sha256 = (data: Uint8Array) => string;

/** A character that cannot be drawn, and a font that has it; see `MissingCharacter`. */
export type UndrawableCharacter = Omit<MissingCharacter, 'field'>;

export interface FieldText {
  readonly field: string;
  readonly text: string;
}

export interface PdfForms extends PdfCompiler {
  /**
   * Throws 'invalid' with 'not-a-pdf', 'pdf-damaged', 'pdf-encrypted', 'pdf-restricted' or
   * 'file-empty'.
   */
  read(data: Uint8Array): Promise<PdfForm>;
  /**
   * Finds places that look like empty form fields, for the user to accept or reject. Calls `report`
   * after each page; throws 'cancelled' when `signal` aborts.
   */
  find(
    data: Uint8Array,
    signal?: AbortSignal,
    report?: (pages: { readonly done: number; readonly total: number }) => void,
  ): Promise<readonly FoundPlace[]>;
  /** Alignment guides for fields, per page. */
  guides(data: Uint8Array): Promise<readonly PageGuides[]>;
  /**
   * Returns the PDF with these fields as its form. Fields that were placed before are replaced; the
   * original bytes are kept. Throws 'invalid' with the field's name.
   */
  place(data: Uint8Array, fields: readonly PlacedField[]): Promise<Uint8Array>;
  /** Determines which fields drawn on one PDF fit another; see `carryPlaces`. */
  carry(
    before: Uint8Array,
    after: Uint8Array,
    fields: readonly PlacedField[],
  ): Promise<CarriedPlaces>;
  /**
   * Fills fields by name and optionally flattens the form. Throws 'invalid' with the field's name.
   */
  merge(data: Uint8Array, values: PdfValues, flatten: boolean): Promise<MergedPdf>;
  /** Returns how each value fits its field when merged; null if it fits or if this is unknown. */
  textFits(data: Uint8Array, values: readonly FieldText[]): Promise<readonly (TextFit | null)[]>;
  /**
   * Returns for each text the first character that no font on this computer has (`merge` would
   * reject it); null if there is none.
   */
  missingLetters(texts: readonly string[]): Promise<readonly (UndrawableCharacter | null)[]>;
}
